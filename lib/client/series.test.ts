import { describe, expect, it } from 'vitest';
import { inWords, rates, reading, rows, summed, topOf } from './series';

const bucket = (at: number, last: number | null, min = last, max = last) => ({ at, last, min, max, count: last === null ? 0 : 1 });
const series = (values: (number | null)[]) => ({ target: 't', key: 'k', name: 'n', buckets: values.map((value, index) => bucket(index * 10_000, value)) });

describe('lines of a chart', () => {
  it('add up ranks, and a rank that was not read adds nothing', () => {
    const line = summed('a', 'a', [series([1, 2, null]), series([10, null, null])]);
    expect(line.points.map((point) => point.value)).toEqual([11, 2, null]);
  });

  it('leave a gap where nothing was read', () => {
    expect(rows([summed('a', 'a', [series([1, null, 3])])]).map((row) => row.a)).toEqual([1, null, 3]);
  });

  it('draw a band only where values differed within a step', () => {
    const line = summed('a', 'a', [{ target: 't', key: 'k', name: 'n', buckets: [bucket(0, 2, 1, 5), bucket(10_000, 2)] }]);
    expect(rows([line]).map((row) => row['a:band'])).toEqual([[1, 5], undefined]);
  });

  it('read the last value before the cursor, unless it is too old', () => {
    const line = summed('a', 'a', [series([4, null, null, null])]);
    expect([reading(line, 5_000, 15_000), reading(line, 31_000, 15_000), reading(line, -1, 15_000)]).toEqual([4, null, null]);
  });

  it.each([
    [0, 4],
    [4, 4],
    [5, 6],
    [9, 10],
    [11, 20],
    [27, 30],
    [145, 200],
    [412, 600],
    [1_001, 2_000],
  ])('with %d as their highest stand under a scale of %d', (most, top) => {
    expect(topOf([summed('a', 'a', [series([0, most, 1])])])).toBe(top);
  });

  it('are told in words', () => {
    expect(inWords(summed('queue', 'queue', [series([0, 44, 41])]))).toBe('queue rose from 0 to 41, highest 44');
    expect(inWords(summed('queue', 'queue', [series([null])]))).toBe('queue: no readings');
  });
});

describe('rates of counters', () => {
  it('are per second', () => expect(rates(series([100, 150, 250])).buckets.map((one) => one.last)).toEqual([null, 5, 10]));
  it('start over at a reset instead of falling below zero', () =>
    expect(rates(series([100, 150, 20, 40])).buckets.map((one) => one.last)).toEqual([null, 5, null, 2]));
  it('span a hole by its whole length', () => expect(rates(series([100, null, 300])).buckets.map((one) => one.last)).toEqual([null, null, 10]));
});
