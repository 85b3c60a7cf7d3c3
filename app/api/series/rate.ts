import type { Bucket } from '@/lib/stores/store';

/**
 * A counter's buckets as rates per second. A counter that fell began anew at 0. Buckets without a reading stay gaps, and the next reading
 * tells the mean since the one before; the first has none before it.
 */
export function ratesOf(buckets: readonly Bucket[]): Bucket[] {
  let before: { at: number; last: number } | undefined;
  return buckets.map(({ at, last, count }) => {
    const earlier = before;
    if (last !== null) before = { at, last };
    if (last === null || earlier === undefined) return { at, min: null, max: null, last: null, count };
    const rate = (last < earlier.last ? last : last - earlier.last) / ((at - earlier.at) / 1_000);
    return { at, min: rate, max: rate, last: rate, count };
  });
}
