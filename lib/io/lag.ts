import type { Clock } from './clock';

/** Lateness of this thread's own event loop, from a heart-beat. */
export type Heartbeat = {
  /** Worst lateness (told ms) of any beat since that monotonic moment, the beat still overdue included. */
  worstSince(monotonic: number): number;
  stop(): void;
};

const BEAT_MS = 10;
const KEPT = 512;
/** Below this a late beat is the timer's own coarseness. */
const NOISE_MS = 5;

/** perf_hooks' delay monitor read 0 ms during a 300 ms block (its own timer had not run yet): hence an own beat and the still-open gap. */
export function startHeartbeat(clock: Clock): Heartbeat {
  const beatMs = BEAT_MS * clock.scale;
  const gaps: { at: number; lateMs: number }[] = [];
  let last = clock.monotonic();
  let stopNext = clock.after(beatMs, beat);
  return {
    worstSince(monotonic) {
      const open = clock.monotonic() - last - beatMs;
      let worst = open > NOISE_MS * clock.scale ? open : 0;
      for (let i = gaps.length - 1; i >= 0; i--) {
        const gap = gaps[i];
        if (gap === undefined || gap.at < monotonic) break;
        worst = Math.max(worst, gap.lateMs);
      }
      return Math.round(worst * 10) / 10;
    },
    stop: () => stopNext(),
  };

  function beat() {
    const now = clock.monotonic();
    const lateMs = now - last - beatMs;
    if (lateMs > NOISE_MS * clock.scale) {
      gaps.push({ at: now, lateMs });
      if (gaps.length > KEPT) gaps.splice(0, KEPT / 2);
    }
    last = now;
    stopNext = clock.after(beatMs, beat);
  }
}
