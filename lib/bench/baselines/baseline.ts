import type { SimClock } from '@/lib/simulator/clock';
import type { MonitoredStack } from '../messages';

/** Tells that a front-end is down from now on, or no longer. */
export type Say = (front: string, isDown: boolean) => void;

/** A usual way to watch such a stack, for comparison. It can say ok or down, never where. */
export type Baseline = {
  id: 'health' | 'kubernetes' | 'blackbox' | 'streaming';
  name: string;
  /** How it is set, in words: its figures in told seconds. */
  settings: string;
  /** Whether it lives in our own process and by our clock, and so can watch in virtual time too. */
  isInProcess: boolean;
  /** Why it cannot run on this machine; absent: it can. */
  missing?(): string | undefined;
  start(stack: MonitoredStack, clock: SimClock, say: Say): Promise<() => void>;
};

/** Down after so many failures in a row, well again after one success. */
export function inARow(failures: number, tell: (isDown: boolean) => void): (isOk: boolean) => void {
  let failed = 0;
  let isDown = false;
  return (isOk) => {
    failed = isOk ? 0 : failed + 1;
    const next = failed >= failures;
    if (next !== isDown) tell(next);
    isDown = next;
  };
}

/** Asks each period, one at a time: a turn that is not over when the next is due takes its place. */
export function everyPeriod(clock: SimClock, seconds: number, turn: () => Promise<void>): () => void {
  let isRunning = false;
  return clock.every(seconds, () => {
    if (isRunning) return;
    isRunning = true;
    void turn().finally(() => {
      isRunning = false;
    });
  });
}
