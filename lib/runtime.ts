import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { configFromEnvironment } from '@/lib/config-env';
import type { Command, CommandAnswer } from '@/lib/model/command';
import type { Config } from '@/lib/model/config';
import type { Snapshot } from '@/lib/model/snapshot';
import { type FrameForm, frameKeeper, type StreamReader } from '@/lib/runtime/frames';
import { withoutSecretsOf } from '@/lib/runtime/secrets';
import { openSqlite } from '@/lib/stores/sqlite';
import { DATABASE_FILE } from '@/lib/stores/sqlite/database';
import type { Store } from '@/lib/stores/store';
import { type Pulse, supervise } from '@/lib/supervisor';
import type { FromWorker, ToWorker, WorkerStart } from '@/lib/worker';

export type { FrameForm, StreamReader };

/** The main thread's handle on the collector's thread. Reached only through these methods: modules are loaded more than once, this object is not. */
export interface Runtime {
  /** The last published snapshot; undefined until the first second has passed. */
  snapshot(): Snapshot | undefined;
  /** Register a reader; it gets the last frame at once, plain or packed (lib/runtime/frames.ts). Call the returned function to leave; calling twice is harmless. */
  subscribe(reader: StreamReader, form?: FrameForm): () => void;
  readers(): number;
  command(command: Command): Promise<CommandAnswer>;
  /** Read-only view of history; undefined while the database does not exist yet. */
  history(): Store | undefined;
  config(): Config;
  /** A plain value that leaves the house, with every secret taken out of its texts. */
  withoutSecrets<T>(value: T): T;
  /** The collector's pulse as the main thread sees it. */
  pulse(): Pulse;
  close(): Promise<void>;
}

const KEY = Symbol.for('wedgewatch.runtime');
const ANSWER_MS = 5_000;

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
  const frames = frameKeeper();
  const questions = questionBook();
  const collector = supervise<FromWorker>({
    begin: (restarts) => new Worker(new URL('./worker.ts', import.meta.url), { workerData: { config, build, restarts } satisfies WorkerStart }),
    hear(message) {
      if (message.kind === 'frame') frames.take(message.json);
      if (message.kind === 'answer') questions.answer(message.id, message.answer);
      return message.kind === 'closed';
    },
    died: () => questions.giveUp('The collector has just died; it is being started again.'),
  });
  let history: Store | undefined;
  const handle: Runtime = {
    snapshot: frames.snapshot,
    subscribe: frames.subscribe,
    readers: frames.readers,
    command: (command) => questions.ask((id) => collector.send({ kind: 'command', id, command } satisfies ToWorker)),
    history() {
      if (!history && existsSync(join(config.data, DATABASE_FILE))) history = openSqlite(config.data, { readonly: true });
      return history;
    },
    config: () => config,
    withoutSecrets: withoutSecretsOf(config),
    pulse: collector.pulse,
    async close() {
      frames.close();
      await collector.close({ kind: 'close' } satisfies ToWorker);
      history?.close();
    },
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void handle.close());
  return handle;
}

/** Commands that wait for the collector's answer. */
function questionBook() {
  const waiting = new Map<number, (answer: CommandAnswer) => void>();
  let serial = 0;
  return {
    ask: (send: (id: number) => void) =>
      new Promise<CommandAnswer>((resolve) => {
        const id = ++serial;
        const timer = setTimeout(() => waiting.get(id)?.({ ok: false, error: 'The collector did not answer within 5 s.' }), ANSWER_MS);
        waiting.set(id, (answer) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(answer);
        });
        send(id);
      }),
    answer: (id: number, answer: CommandAnswer) => waiting.get(id)?.(answer),
    giveUp(error: string) {
      for (const tell of [...waiting.values()]) tell({ ok: false, error });
    },
  };
}
