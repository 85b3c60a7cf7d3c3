import type { Worker } from 'node:worker_threads';

/** A thread's pulse as its supervisor sees it. Wall-clock ms. */
export type Pulse = { lastFrameAt?: number; startedAt: number; restarts: number; lastError?: string; state: 'starting' | 'running' | 'dead' | 'closed' };

/** How long a thread may be silent, and how long to wait before it is begun anew; doubling. */
export type Patience = { silentMs: number; watchMs: number; firstBackoffMs: number; longestBackoffMs: number; closeMs: number };

export const PATIENCE: Patience = { silentMs: 15_000, watchMs: 1_000, firstBackoffMs: 1_000, longestBackoffMs: 30_000, closeMs: 1_000 };

export type Supervisor = {
  send(message: unknown): void;
  pulse(): Pulse;
  /** Tell the thread to end, give it a second, end it. */
  close(lastWord: unknown): Promise<void>;
};

export type Charge<Message> = {
  begin(restarts: number): Worker;
  /** Every message of the living thread; true when it is its last. */
  hear(message: Message): boolean;
  died(): void;
};

/** Keep one thread alive: one that ends, throws or falls silent is begun anew, and that it was is told. */
export function supervise<Message>(charge: Charge<Message>, patience: Patience = PATIENCE): Supervisor {
  const pulse: Pulse = { startedAt: Date.now(), restarts: 0, state: 'starting' };
  let spokeAt = performance.now();
  let watchedAt = spokeAt;
  let finished: (() => void) | undefined;
  let worker = begin();
  const watch = setInterval(watchOver, patience.watchMs);
  watch.unref();

  function begin(): Worker {
    spokeAt = performance.now();
    const born = charge.begin(pulse.restarts);
    born.on('message', hear);
    born.on('error', (error) => {
      pulse.lastError = error.message;
      console.error(`wedgewatch: the collector failed: ${error.message}`);
    });
    born.on('exit', () => ended(born));
    return born;
  }

  function hear(message: Message) {
    spokeAt = performance.now();
    if (charge.hear(message)) return finished?.();
    if (pulse.state === 'closed') return;
    pulse.state = 'running';
    pulse.lastFrameAt = Date.now();
  }

  function ended(which: Worker) {
    if (which !== worker) return;
    finished?.();
    if (pulse.state === 'closed') return;
    pulse.state = 'dead';
    charge.died();
    const backoff = Math.min(patience.longestBackoffMs, patience.firstBackoffMs * 2 ** Math.min(10, pulse.restarts));
    pulse.restarts += 1;
    setTimeout(() => {
      if (pulse.state === 'dead') {
        pulse.state = 'starting';
        worker = begin();
      }
    }, backoff);
  }

  /** When this very thread was late, the silence is ours. */
  function watchOver() {
    const now = performance.now();
    if (now - watchedAt > 3 * patience.watchMs) spokeAt = now;
    watchedAt = now;
    if (pulse.state === 'dead' || now - spokeAt <= patience.silentMs) return;
    pulse.lastError = `the collector was silent for ${Math.round((now - spokeAt) / 1000)} s and was ended`;
    spokeAt = now;
    void worker.terminate();
  }

  return {
    send: (message) => worker.postMessage(message),
    pulse: () => pulse,
    async close(lastWord) {
      if (pulse.state === 'closed') return;
      pulse.state = 'closed';
      clearInterval(watch);
      await new Promise<void>((resolve) => {
        finished = resolve;
        setTimeout(resolve, patience.closeMs).unref();
        worker.postMessage(lastWord);
      });
      await worker.terminate();
    },
  };
}
