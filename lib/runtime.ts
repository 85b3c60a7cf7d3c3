import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { configFromEnvironment } from '@/lib/config-env';
import type { Command, CommandAnswer } from '@/lib/model/command';
import type { Config } from '@/lib/model/config';
import type { Snapshot } from '@/lib/model/snapshot';
import { openSqlite } from '@/lib/stores/sqlite';
import { DATABASE_FILE } from '@/lib/stores/sqlite/database';
import type { Store } from '@/lib/stores/store';
import type { FromWorker, ToWorker, WorkerStart } from '@/lib/worker';

/** A reader of the live stream: gets each frame as ready-made SSE bytes, and `closed` at shutdown. */
export type StreamReader = { frame(bytes: Uint8Array): void; closed(): void };

/** The main thread's handle on the collector's thread. Reached only through these methods: modules are loaded more than once, this object is not. */
export interface Runtime {
  /** The last published snapshot; undefined until the first second has passed. */
  snapshot(): Snapshot | undefined;
  /** Register a reader; it gets the last frame at once. Call the returned function to leave; calling twice is harmless. */
  subscribe(reader: StreamReader): () => void;
  readers(): number;
  command(command: Command): Promise<CommandAnswer>;
  /** Read-only view of history; undefined while the database does not exist yet. */
  history(): Store | undefined;
  config(): Config;
  /** The collector's pulse as the main thread sees it. */
  pulse(): { lastFrameAt?: number; startedAt: number; restarts: number; lastError?: string; state: 'starting' | 'running' | 'dead' | 'closed' };
  close(): Promise<void>;
}

const KEY = Symbol.for('wedgewatch.runtime');
const ANSWER_MS = 5_000;
/** A collector that has not spoken for this long is ended and begun anew. */
const SILENT_MS = 15_000;
const WATCH_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;

/** The one runtime of this process, started on first use. */
export function runtime(): Runtime {
  const home = globalThis as { [KEY]?: Runtime };
  home[KEY] ??= start();
  return home[KEY];
}

/** Start watching; a configuration that cannot be used ends the process with its mistakes told, instead of answering every page with 500. */
export function startOrSay(): void {
  try {
    runtime();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

function start(): Runtime {
  const config = configFromEnvironment(process.env, process.cwd());
  const build = process.env.WEDGEWATCH_BUILD ?? 'dev';
  const readers = new Set<StreamReader>();
  const waiting = new Map<number, (answer: CommandAnswer) => void>();
  const pulse: ReturnType<Runtime['pulse']> = { startedAt: Date.now(), restarts: 0, state: 'starting' };
  let json: string | undefined;
  let parsed: Snapshot | undefined;
  let bytes: Uint8Array | undefined;
  let history: Store | undefined;
  let serial = 0;
  let spokeAt = performance.now();
  let closing: (() => void) | undefined;
  let worker = begin();
  const watch = setInterval(watchOver, WATCH_MS);
  watch.unref();

  function begin(): Worker {
    spokeAt = performance.now();
    const born = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { config, build, restarts: pulse.restarts } satisfies WorkerStart });
    born.on('message', hear);
    born.on('error', (error) => {
      pulse.lastError = error.message;
      console.error(`wedgewatch: the collector failed: ${error.message}`);
    });
    born.on('exit', () => ended(born));
    return born;
  }

  function hear(message: FromWorker) {
    spokeAt = performance.now();
    if (message.kind === 'closed') return closing?.();
    if (message.kind === 'answer') {
      waiting.get(message.id)?.(message.answer);
      return;
    }
    pulse.state = 'running';
    pulse.lastFrameAt = Date.now();
    json = message.json;
    parsed = undefined;
    bytes = new TextEncoder().encode(`data: ${json}\n\n`);
    for (const reader of readers) reader.frame(bytes);
  }

  function ended(which: Worker) {
    if (which !== worker || pulse.state === 'closed') return;
    pulse.state = 'dead';
    for (const answer of waiting.values()) answer({ ok: false, error: 'The collector has just died; it is being started again.' });
    waiting.clear();
    const backoff = Math.min(LONGEST_BACKOFF_MS, 1_000 * 2 ** Math.min(5, pulse.restarts));
    pulse.restarts += 1;
    setTimeout(() => {
      if (pulse.state === 'dead') worker = begin();
    }, backoff).unref();
  }

  let watchedAt = performance.now();
  function watchOver() {
    const now = performance.now();
    const slept = now - watchedAt > 3 * WATCH_MS;
    watchedAt = now;
    if (slept) spokeAt = now;
    if (pulse.state !== 'dead' && now - spokeAt > SILENT_MS) {
      pulse.lastError = `the collector has been silent for ${Math.round((now - spokeAt) / 1000)} s`;
      void worker.terminate();
    }
  }

  function send(message: ToWorker) {
    worker.postMessage(message);
  }

  const handle: Runtime = {
    snapshot() {
      if (json !== undefined) parsed ??= JSON.parse(json) as Snapshot;
      return parsed;
    },
    subscribe(reader) {
      readers.add(reader);
      if (bytes) reader.frame(bytes);
      return () => readers.delete(reader);
    },
    readers: () => readers.size,
    command: (command) =>
      new Promise((resolve) => {
        const id = ++serial;
        const answered = (answer: CommandAnswer) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(answer);
        };
        const timer = setTimeout(() => answered({ ok: false, error: 'The collector did not answer within 5 s.' }), ANSWER_MS);
        waiting.set(id, answered);
        send({ kind: 'command', id, command });
      }),
    history() {
      if (!history && existsSync(join(config.data, DATABASE_FILE))) history = openSqlite(config.data, { readonly: true });
      return history;
    },
    config: () => config,
    pulse: () => pulse,
    async close() {
      if (pulse.state === 'closed') return;
      pulse.state = 'closed';
      clearInterval(watch);
      for (const reader of readers) reader.closed();
      readers.clear();
      await new Promise<void>((resolve) => {
        closing = resolve;
        setTimeout(resolve, 1_000).unref();
        send({ kind: 'close' });
      });
      await worker.terminate();
      history?.close();
    },
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void handle.close());
  return handle;
}
