import type { Mark } from './exchange';
import type { Outcome } from './probe';
import type { TargetId } from './target';

/** One try of one cell of the matrix. */
export type ExperimentTry = {
  probe: string;
  /** Wall-clock ms when sent. */
  at?: number;
  outcome: Outcome;
  late: boolean;
  ended: boolean;
  status?: number;
  /** Bytes of body. */
  bytes: number;
  /** The furthest station that the exchange reached. */
  reached?: Mark;
  tokens?: number;
  ttftMs?: number;
  elapsedMs: number;
  sentence: string;
};

/** One cell: a front-end asked with one model id. `whose` says whose id that is; `stream` and `prompt` are there where they differ from the steady probe's. */
export type ExperimentCell = {
  target: TargetId;
  model: string;
  whose: 'own' | 'sibling' | 'nonsense';
  stream?: false;
  prompt?: 'long';
  tries: ExperimentTry[];
  /** Equivalent curl command of its last try, secrets replaced. */
  curl?: string;
};

/** What the matrix proves; each kind is one branch of the incident's decision, see lib/experiment/conclude.ts. */
export type ConclusionKind =
  | 'systemic'
  | 'alone'
  | 'one-front-end'
  | 'streams-only'
  | 'whole-answers-only'
  | 'long-prompts-only'
  | 'intermittent'
  | 'fails'
  | 'name'
  | 'hangs-on-unknown-names'
  | 'none-hangs'
  | 'mixed'
  | 'untried';

/** The conclusion in words; `rate`: chats with real ids that hung, with the 95 % Wilson interval in 0..1. */
export type Conclusion = {
  kind: ConclusionKind;
  sentence: string;
  confidence: 'low' | 'medium' | 'high';
  rate?: { failed: number; of: number; low: number; high: number };
};

/** A controlled experiment: front-ends x model ids, interleaved, within the probe budget. */
export type Experiment = {
  id: string;
  stack: string;
  startedAt: number;
  endedAt?: number;
  state: 'running' | 'done' | 'cancelled' | 'failed';
  progress: { done: number; of: number };
  /** The front-ends asked, as they were called then. */
  targets?: { id: TargetId; name: string; url: string }[];
  /** The incident that was open while it ran. */
  incident?: string;
  cells: ExperimentCell[];
  conclusion?: Conclusion;
};
