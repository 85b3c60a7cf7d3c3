import { performance } from 'node:perf_hooks';
import type { Clock } from '@/lib/io/clock';
import type { SimClock } from '@/lib/simulator/clock';

type Timer = { at: number; order: number; then: () => void; isOff: boolean };

/** Turns of the event loop without any event after which nothing is on its way any more: loopback hands bytes over within the call that sends them. */
const QUIET_TURNS = 4;

/**
 * Time that stands while anything is going on and then jumps to the next timer: a day passes as fast as its work is done, over real sockets, and no
 * answer is ever late because of this machine. All that takes part lives in one process and has its timers from here.
 */
export class VirtualTime {
  private ms = 0;
  private count = 0;
  private readonly heap: Timer[] = [];
  private readonly wallStart: number;

  constructor(wallStart: number) {
    this.wallStart = wallStart;
  }

  get seconds(): number {
    return this.ms / 1000;
  }

  /** Lets time pass until that told second. */
  async runTo(seconds: number): Promise<void> {
    const end = seconds * 1000;
    await quiet();
    for (let next = this.next(end); next !== undefined; next = this.next(end)) {
      this.ms = Math.max(this.ms, next.at);
      next.then();
      // timers of one moment are fired together, as a real loop would
      if ((this.heap[0]?.at ?? Number.POSITIVE_INFINITY) > this.ms) await quiet();
    }
    this.ms = Math.max(this.ms, end);
  }

  /** The product's clock. `coarse` only tells loops how fine they need to be. */
  clock(coarse: number): Clock {
    return {
      scale: coarse,
      now: () => this.wallStart + this.ms,
      monotonic: () => this.ms,
      after: (ms, then) => this.after(ms, then),
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          if (signal?.aborted) return resolve();
          const done = () => {
            stop();
            signal?.removeEventListener('abort', done);
            resolve();
          };
          const stop = this.after(ms, done);
          signal?.addEventListener('abort', done, { once: true });
        }),
    };
  }

  /** The simulator's clock. */
  simClock(coarse: number): SimClock {
    const mine = new Set<() => void>();
    let zero = this.ms;
    const now = () => (this.ms - zero) / 1000;
    const after = (seconds: number, then: () => void) => {
      const stop = this.after(seconds * 1000, () => {
        mine.delete(stop);
        then();
      });
      mine.add(stop);
      return () => {
        mine.delete(stop);
        stop();
      };
    };
    return {
      scale: coarse,
      now,
      epoch: () => (this.wallStart + this.ms) / 1000,
      after,
      every: (seconds, then) => {
        let stop = () => {};
        const turn = () => {
          stop = after(Math.max(0.001, seconds), () => {
            turn();
            then();
          });
        };
        turn();
        return () => stop();
      },
      zero: () => {
        zero = this.ms;
      },
      stop: () => {
        for (const stop of mine) stop();
        mine.clear();
      },
    };
  }

  private after(ms: number, then: () => void): () => void {
    const timer: Timer = { at: this.ms + Math.max(0, ms), order: this.count++, then, isOff: false };
    push(this.heap, timer);
    return () => {
      timer.isOff = true;
    };
  }

  private next(end: number): Timer | undefined {
    for (let first = this.heap[0]; first !== undefined && first.at <= end; first = this.heap[0]) {
      pop(this.heap);
      if (!first.isOff) return first;
    }
    return undefined;
  }
}

/** Resolves when the event loop has had nothing to do for some turns. */
async function quiet(): Promise<void> {
  let before = events();
  for (let turns = 0; turns < QUIET_TURNS; ) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = events();
    turns = now === before ? turns + 1 : 0;
    before = now;
  }
}

function events(): number {
  return performance.nodeTiming.uvMetricsInfo.events;
}

function isBefore(a: Timer | undefined, b: Timer | undefined): boolean {
  if (a === undefined || b === undefined) return a !== undefined;
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function push(heap: Timer[], timer: Timer): void {
  heap.push(timer);
  let i = heap.length - 1;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (!isBefore(heap[i], heap[parent])) return;
    swap(heap, i, parent);
    i = parent;
  }
}

function pop(heap: Timer[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  for (let i = 0; ; ) {
    const left = 2 * i + 1;
    const least = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
    if (!isBefore(heap[least], heap[i])) return;
    swap(heap, i, least);
    i = least;
  }
}

function swap(heap: Timer[], i: number, j: number): void {
  const [a, b] = [heap[i], heap[j]];
  if (a === undefined || b === undefined) return;
  heap[i] = b;
  heap[j] = a;
}
