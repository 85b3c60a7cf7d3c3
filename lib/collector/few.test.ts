import { expect, it } from 'vitest';
import type { Sample } from '@/lib/model/sample';
import { few, type Known } from './few';

const page = (from: number, count: number): Sample[] =>
  Array.from({ length: count }, (_, index) => ({ name: 'router_worker_health', value: 1, source: 'router', by: `http://w${from + index}` }));

it('a page that brings new names each time fills no memory, and what was known goes on', () => {
  const known: Known = new Map();
  for (let turn = 0; turn < 20; turn++) few(known, page(turn * 1_000, 1_000), turn * 5_000);
  expect(known.size).toBe(4_096);
  expect(few(known, [...page(0, 10), ...page(90_000, 5)], 100_000)).toEqual({ samples: page(0, 10), leftOut: 5 });
});

it('names that nobody has told for an hour make room for others', () => {
  const known: Known = new Map();
  few(known, page(0, 4_096), 0);
  few(known, page(0, 96), 1_000_000);
  expect(few(known, page(10_000, 4_000), 3_700_000)).toMatchObject({ leftOut: 0 });
  expect(few(known, page(0, 96), 3_700_000)).toMatchObject({ leftOut: 0 });
});
