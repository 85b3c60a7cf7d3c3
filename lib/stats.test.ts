import { describe, expect, it } from 'vitest';
import { quantile, wilson } from './stats';

describe('the Wilson interval', () => {
  it('of 7 in 10 is 40 to 89 %, as tables give it', () => {
    const { low, high } = wilson(7, 10);
    expect(low).toBeCloseTo(0.397, 2);
    expect(high).toBeCloseTo(0.892, 2);
  });

  it('of nothing tried is everything', () => {
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
  });

  it('stays inside 0 and 1 at the ends', () => {
    expect(wilson(0, 3).low).toBe(0);
    expect(wilson(3, 3).high).toBe(1);
  });
});

describe('a quantile', () => {
  it('is a value that was measured', () => {
    expect(quantile([5, 1, 9, 3], 0.99)).toBe(9);
    expect(quantile([5, 1, 9, 3], 0.5)).toBe(3);
    expect(quantile([], 0.5)).toBeUndefined();
  });
});
