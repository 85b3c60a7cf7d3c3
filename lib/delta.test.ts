import { expect, test } from 'vitest';
import { diff, type Json, patch } from './delta';
import { aSnapshot } from './stores/examples';
import { randomFrom } from './stores/random';

const KEYS = ['a', 'b', 'length', '__proto__', 'constructor', '0', '1', ''];
const LEAVES: Json[] = [null, true, false, 0, 1, -1, 0.1, 1e300, 2 ** 53 - 1, -(2 ** 53 - 1), '', 'x', 'length', [], {}];

function randomJson(random: () => number, depth: number): Json {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  const shape = depth === 0 ? 0 : random();
  if (shape < 0.4) return pick(LEAVES);
  const size = Math.floor(random() * 5);
  if (shape < 0.7) return Array.from({ length: size }, () => randomJson(random, depth - 1));
  return Object.fromEntries(Array.from({ length: size }, () => [pick(KEYS), randomJson(random, depth - 1)]));
}

/** Another value that shares most of its parts with the first. */
function mutated(value: Json, random: () => number): Json {
  if (random() < 0.15) return randomJson(random, 2);
  if (Array.isArray(value)) {
    const kept = value.map((each) => mutated(each, random));
    if (random() < 0.3) kept.unshift(randomJson(random, 1));
    return random() < 0.2 ? kept.slice(0, -1) : kept;
  }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .filter(() => random() > 0.1)
        .map(([key, each]) => [key, mutated(each, random)]),
    );
  return value;
}

/** The value as text with its keys in order, which JSON does not tell. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`);
  return `{${members.sort().join()}}`;
}

test('any JSON value and its delta, through text, give the next value; seed 1 to 3,000', () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const random = randomFrom(seed);
    const before = randomJson(random, 4);
    const after = random() < 0.7 ? mutated(before, random) : randomJson(random, 4);
    const text = canonical(before);
    const delta = diff(before, after);
    const told = delta === undefined ? before : patch(before, JSON.parse(JSON.stringify(delta)));
    expect(canonical(told), `seed ${seed}`).toBe(canonical(after));
    expect(canonical(before), `seed ${seed} left its input as it was`).toBe(text);
    expect(delta === undefined, `seed ${seed} tells equal from unequal`).toBe(text === canonical(after));
  }
});

test('ages that all grow by one second are one small number each', () => {
  const second = (tick: number) => JSON.parse(JSON.stringify(aSnapshot({ at: Date.UTC(2026, 10, 5, 14) + tick * 1000, tick }))) as Json;
  expect(diff({ at: 1000, ages: [5, 7], name: 'x' }, { at: 2000, ages: [1005, 1007], name: 'x' })).toEqual({ at: 1000, ages: { 0: 1000, 1: 1000 } });
  expect(JSON.stringify(diff(second(1), second(2))).length).toBeLessThan(JSON.stringify(second(2)).length / 3);
});

test('a whole that leaves the exact integers, or meets a fraction, is written out', () => {
  expect(diff(2 ** 53 - 1, -(2 ** 53 - 1))).toEqual([-(2 ** 53 - 1)]);
  expect(diff(1, 1.5)).toEqual([1.5]);
});
