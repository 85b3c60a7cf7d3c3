/**
 * The only clock of lib. `now` is wall-clock ms since epoch, `monotonic` ms since some start; the two never meet in a subtraction.
 * With `scale` s every reading runs s times faster and every timer s times shorter, so that all durations elsewhere stay in told time;
 * only the bench runner gives a scale other than 1.
 */
export type Clock = {
  scale: number;
  now(): number;
  monotonic(): number;
  /** Calls back once after `ms` of told time, unless cleared. Never keeps the process alive by itself. */
  after(ms: number, then: () => void): () => void;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export function realClock(scale = 1): Clock {
  const wallStart = Date.now();
  const monoStart = performance.now();
  const after: Clock['after'] = (ms, then) => {
    const timer = setTimeout(then, Math.min(Math.max(0, ms / scale), 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  };
  return {
    scale,
    now: scale === 1 ? () => Date.now() : () => wallStart + (Date.now() - wallStart) * scale,
    monotonic: scale === 1 ? () => performance.now() : () => (performance.now() - monoStart) * scale,
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
  };
}
