/** Told time of one play, in seconds since its start; real time times `scale`. Owns every timer, so that stopping leaves none. */
export type SimClock = {
  scale: number;
  now(): number;
  /** Told time as seconds since the epoch, for timestamps in payloads. */
  epoch(): number;
  after(seconds: number, then: () => void): () => void;
  every(seconds: number, then: () => void): () => void;
  /** Makes this moment second 0. */
  zero(): void;
  stop(): void;
};

/** A clock that starts now. Only main threads of a play make one. */
export function simClock(scale: number): SimClock {
  let startWall = Date.now() / 1000;
  let start = performance.now();
  const timers = new Set<NodeJS.Timeout>();
  const now = () => ((performance.now() - start) / 1000) * scale;
  const after: SimClock['after'] = (seconds, then) => {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        then();
      },
      Math.max(0, (seconds * 1000) / scale),
    );
    timers.add(timer);
    return () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
  };
  return {
    scale,
    now,
    epoch: () => startWall + now(),
    after,
    every: (seconds, then) => {
      const timer = setInterval(then, Math.max(1, (seconds * 1000) / scale));
      timers.add(timer);
      return () => {
        clearInterval(timer);
        timers.delete(timer);
      };
    },
    zero: () => {
      startWall = Date.now() / 1000;
      start = performance.now();
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
