import type { Clock } from '@/lib/io/clock';
import type { LoopState } from '@/lib/model/observation';
import type { TargetId } from '@/lib/model/target';

/** What a loop does and how often; durations in told ms. */
export type LoopSpec = {
  name: string;
  target?: TargetId;
  everyMs: () => number;
  /** Before the first run; later runs sit on a grid shifted by the hash of name and target. */
  firstAfterMs?: number;
  /** A loop without work is neither run nor listed. */
  isActive?: () => boolean;
  run(signal: AbortSignal): Promise<void>;
};

/** How often a loop without work looks whether it has some now: what a target is may be learnt at any moment. */
const IDLE_LOOK_MS = 1_000;

export type Loop = { state(): LoopState | undefined; done: Promise<void> };

/** Runs again and again on an aligned grid, never overlapping; an exception is counted, logged once, and the loop goes on. Stops on the signal. */
export function startLoop(spec: LoopSpec, clock: Clock, signal: AbortSignal): Loop {
  const state: LoopState = { name: spec.name, ...(spec.target === undefined ? {} : { target: spec.target }), everyMs: spec.everyMs(), errors: 0 };
  const shift = hash(`${spec.target ?? ''} ${spec.name}`);
  return {
    state: () => (isActive() ? { ...state, everyMs: spec.everyMs() } : undefined),
    done: turn(),
  };

  function isActive(): boolean {
    return spec.isActive?.() ?? true;
  }

  async function turn(): Promise<void> {
    await clock.sleep(spec.firstAfterMs ?? shift % 500, signal);
    while (!signal.aborted) {
      if (!isActive()) {
        await clock.sleep(IDLE_LOOK_MS, signal);
        continue;
      }
      const started = clock.monotonic();
      await once();
      if (signal.aborted) return;
      await clock.sleep(nextSlot(started, clock.monotonic(), spec.everyMs(), shift) - clock.monotonic(), signal);
    }
  }

  async function once(): Promise<void> {
    state.lastStart = clock.now();
    try {
      await spec.run(signal);
    } catch (error) {
      state.errors += 1;
      const words = error instanceof Error ? error.message : String(error);
      if (state.lastError !== words) console.error(`collector: loop ${spec.name}${spec.target === undefined ? '' : ` of ${spec.target}`}: ${words}`);
      state.lastError = words.slice(0, 200);
    }
    state.lastEnd = clock.now();
  }
}

/** The next moment of the shifted grid that is at least half a period after the last start, and not past. */
export function nextSlot(started: number, now: number, everyMs: number, shift: number): number {
  const earliest = Math.max(started + everyMs / 2, now);
  const phase = shift % everyMs;
  return Math.ceil((earliest - phase) / everyMs) * everyMs + phase;
}

/** Spreads targets over the period, the same way at every start. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}
