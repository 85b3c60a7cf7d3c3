import type { Clock } from './clock';

/** A clock for tests: time stands still until `advance`, which runs every timer due on the way, in order, letting promises settle between. */
export type FakeClock = Clock & { advance(ms: number): Promise<void>; step(wallMs: number): void };

export function fakeClock(startAt = 1_700_000_000_000): FakeClock {
  let mono = 0;
  let wall = startAt;
  let timers: { due: number; then: () => void }[] = [];
  const after: Clock['after'] = (ms, then) => {
    const timer = { due: mono + Math.max(0, ms), then };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  return {
    scale: 1,
    now: () => wall,
    monotonic: () => mono,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const stop = after(ms, done);
        signal?.addEventListener('abort', done, { once: true });
        function done() {
          stop();
          signal?.removeEventListener('abort', done);
          resolve();
        }
      }),
    step(wallMs) {
      wall += wallMs;
    },
    async advance(ms) {
      const end = mono + ms;
      for (;;) {
        await settle();
        const next = timers.filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)[0];
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        wall += next.due - mono;
        mono = next.due;
        next.then();
      }
      wall += end - mono;
      mono = end;
      await settle();
    },
  };
}

/** Lets chains of promises run to their ends. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}
