import { type Sample, seriesKey } from '@/lib/model/sample';

/** 128 ranks with all that is read of them are 3,900 series. */
const MOST_SERIES = 4_096;
const FORGET_MS = 3_600_000;

/** Series of one target and when each was last read, monotonic. */
export type Known = Map<string, number>;

/**
 * The samples of series that are known or still have room. What a series is called comes from the target: were each page to bring new
 * names, memory and database would grow without end. Names unread for an hour make room again, as workers come and go.
 */
export function few(known: Known, samples: readonly Sample[], now: number): { samples: Sample[]; leftOut: number } {
  let isPruned = false;
  const kept = samples.filter((sample) => {
    const key = seriesKey(sample);
    if (!known.has(key) && known.size >= MOST_SERIES && !isPruned) {
      isPruned = true;
      for (const [old, at] of known) if (now - at > FORGET_MS) known.delete(old);
    }
    if (!known.has(key) && known.size >= MOST_SERIES) return false;
    known.set(key, now);
    return true;
  });
  return { samples: kept, leftOut: samples.length - kept.length };
}
