import type { Deed } from './incident';
import type { TargetId } from './target';

/** What the web server may ask of the collector's thread. Answers are plain values. `whole`: ask without streaming too; `long`: ask with a long prompt too. */
export type Command =
  | { kind: 'experiment'; stack: string; targets: TargetId[]; models?: string[]; tries?: number; whole?: boolean; long?: boolean }
  | { kind: 'cancel-experiment'; id: string }
  | { kind: 'pause'; target: TargetId; forMs: number; by: string }
  | { kind: 'resume'; target: TargetId; by: string }
  | { kind: 'deed'; incident: string; deed: Deed }
  /** An annotation at a moment, or on a region when `until` is given. */
  | { kind: 'mark'; stack: string; at: number; until?: number; by: string; text: string };

/** Answer to a command: `error` is one sentence for a person. */
export type CommandAnswer = { ok: true; id?: string } | { ok: false; error: string };
