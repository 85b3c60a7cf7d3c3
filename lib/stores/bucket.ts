import type { Bucket } from './store';

/** Sum of the readings of one series over a span, which a bucket takes as it takes a reading. */
export type Summary = { min: number; max: number; last: number; lastAt: number; count: number };

/** Fills buckets of `stepMs`, aligned to multiples of the step so that a sliding range does not shimmer; where nothing was read there is null. */
export function bucketer(range: { from: number; to: number; stepMs: number }) {
  const { from, to, stepMs } = range;
  const first = Math.floor(from / stepMs);
  const length = Math.max(0, Math.ceil(to / stepMs) - first);
  const filled: (Summary | undefined)[] = new Array(length).fill(undefined);
  let count = 0;
  const take = (at: number, more: Summary) => {
    const slot = Math.floor(at / stepMs) - first;
    if (slot < 0 || slot >= length) return;
    count += more.count;
    filled[slot] = merge(filled[slot], more);
  };
  return {
    add: (at: number, value: number) => {
      if (at >= from && at < to) take(at, { min: value, max: value, last: value, lastAt: at, count: 1 });
    },
    summary: take,
    isEmpty: () => count === 0,
    list: (): Bucket[] => filled.map((each, slot) => toBucket((first + slot) * stepMs, each)),
  };
}

/** Two summaries as one; the later reading is the last. */
export function merge(one: Summary | undefined, more: Summary): Summary {
  if (one === undefined) return { ...more };
  const isLater = more.lastAt >= one.lastAt;
  return {
    min: Math.min(one.min, more.min),
    max: Math.max(one.max, more.max),
    last: isLater ? more.last : one.last,
    lastAt: isLater ? more.lastAt : one.lastAt,
    count: one.count + more.count,
  };
}

function toBucket(at: number, each: Summary | undefined): Bucket {
  return each === undefined ? { at, min: null, max: null, last: null, count: 0 } : { at, min: each.min, max: each.max, last: each.last, count: each.count };
}
