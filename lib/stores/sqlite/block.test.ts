import { expect, test } from 'vitest';
import { randomFrom } from '../random';
import { decodeBlock, encodeBlock, type TailRow } from './block';

function rowsOf(seed: number): TailRow[] {
  const random = randomFrom(seed);
  const shapes = [
    () => Math.floor(random() * 50),
    () => Math.round(random() * 1e4) / 1e4,
    () => random() * 1e9,
    () => -Math.floor(random() * 2 ** 49),
    () => random() * 1e-12,
  ];
  let at = 1_790_000_000_000;
  return Array.from({ length: Math.floor(random() * 80) }, () => {
    at += Math.floor(random() * 10_000);
    return { at, pairs: shapes.flatMap((shape, id) => (random() < 0.7 ? [id * 1000, shape()] : [])) };
  });
}

test('a sealed block gives every reading back exactly, gaps as gaps; seed 1 to 200', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const rows = rowsOf(seed);
    const expected = new Map<number, [number, number][]>();
    for (const { at, pairs } of rows)
      for (let i = 0; i < pairs.length; i += 2) {
        const [id = 0, value = 0] = pairs.slice(i, i + 2);
        expected.set(id, [...(expected.get(id) ?? []), [at, value]]);
      }
    const read = decodeBlock(encodeBlock(rows)).map(({ id, ats, values }) => [id, ats.map((at, i) => [at, values[i]])]);
    expect(new Map(read as [number, [number, number][]][]), `seed ${seed}`).toEqual(expected);
  }
});

test('only the wanted series are read', () => {
  const rows = [{ at: 5, pairs: [1, 10, 2, 0.123456789, 3, 30] }];
  expect(decodeBlock(encodeBlock(rows), new Set([3]))).toEqual([{ id: 3, ats: [5], values: [30] }]);
});

test('thirty series that mostly stand still cost less than a byte a reading', () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    at: i * 5000 + (i % 3),
    pairs: Array.from({ length: 30 }, (_, id) => [id, id < 25 ? id : i * id]).flat(),
  }));
  expect(encodeBlock(rows).length).toBeLessThan(60 * 30);
});
