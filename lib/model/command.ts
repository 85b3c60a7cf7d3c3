import type { TargetId } from './target';

/** What the web server may ask of the collector's thread. Answers are plain values. `whole`: ask without streaming too; `long`: ask with a long prompt too. */
export type Command =
  | { kind: 'experiment'; stack: string; targets: TargetId[]; models?: string[]; tries?: number; whole?: boolean; long?: boolean }
  | { kind: 'cancel-experiment'; id: string }
  | { kind: 'pause'; target: TargetId; forMs: number; by: string }
  | { kind: 'resume'; target: TargetId; by: string };

/** Answer to a command: `error` is one sentence for a person. */
export type CommandAnswer = { ok: true; id?: string } | { ok: false; error: string };
