import { describe, expect, it } from 'vitest';
import { firstTokenSeconds } from './engine/speed';
import { prng } from './prng';

describe('the dice', () => {
  it('fall the same for the same seed and otherwise for another', () => {
    const throws = (seed: number) => Array.from({ length: 5 }, prng(seed).next);
    expect(throws(7)).toEqual(throws(7));
    expect(throws(7)).not.toEqual(throws(8));
  });

  it('of one part do not move those of another', () => {
    const one = prng(3);
    const expected = one.split('users').next();
    const other = prng(3);
    other.split('kv').next();
    expect(other.split('users').next()).toBe(expected);
  });

  it('give first tokens with a median of 0.4 s and a 99th percentile of 0.9 s at speed 1', () => {
    const dice = prng(1);
    const times = Array.from({ length: 20_000 }, () => firstTokenSeconds(1, dice)).sort((a, b) => a - b);
    expect(times[10_000]).toBeCloseTo(0.4, 1);
    expect(times[19_800]).toBeCloseTo(0.9, 1);
  });
});
