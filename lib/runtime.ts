import type { Command, CommandAnswer } from '@/lib/model/command';
import type { Config } from '@/lib/model/config';
import type { Snapshot } from '@/lib/model/snapshot';
import type { Store } from '@/lib/stores/store';

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

/** The one runtime of this process, started on first use. */
export function runtime(): Runtime {
  const home = globalThis as { [KEY]?: Runtime };
  home[KEY] ??= start();
  return home[KEY];
}

function start(): Runtime {
  throw new Error('not wired');
}
