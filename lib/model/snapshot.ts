import type { HealthReading } from './dialect';
import type { Ranked } from './hypothesis';
import type { Incident } from './incident';
import type { BudgetState, LoopState, ScrapeOutcome } from './observation';
import type { HangPhase, Outcome, Purpose } from './probe';
import type { SampleSource, SeriesName } from './sample';
import type { Kind, Provenance, Role, TargetId } from './target';
import type { ListedWorker } from './topology';
import type { Freshness, Judgement, Place, Verdict } from './verdict';

/** The one value that the browser draws; made by the detector, published once a second, stored as shown. Wall-clock ms. */
export type Snapshot = {
  at: number;
  tick: number;
  build: string;
  startedAt: number;
  self: SelfView;
  stacks: StackView[];
};

/** How well we ourselves are looking. */
export type SelfView = {
  freshness: Freshness;
  sentence: string;
  lagMs: number;
  blind: { from: number; to?: number; why: string }[];
  /** Times the collector had to be started again. */
  restarts: number;
  loops: Pick<LoopState, 'name' | 'target' | 'everyMs' | 'lastEnd' | 'errors' | 'lastError'>[];
};

/** One stack as shown. */
export type StackView = {
  id: string;
  name: string;
  judgement: Judgement;
  /** The verdict sentence: "router :30001 hangs since 14:03:22. /health says 200. Requests stop at decode. 7 of 7 probes." Times in it are UTC ISO between braces `{2026-12-01T14:03:22.000Z}`, for the screen to render in the reader's zone. */
  sentence: string;
  frontEnds: { answering: number; of: number };
  /** Age of the oldest of our own chats still waiting, ms. */
  oldestWaitMs?: number;
  lastGoodAt?: number;
  nodes: NodeView[];
  edges: { from: TargetId; to: TargetId; kind: 'routes' | 'kv'; known: Provenance }[];
  /** The KV transfer as a place of its own, PD stacks only. */
  kv?: { verdict: Verdict; sentence: string; queue?: number };
  /** Where the dot of the last probe stands, one per probed target. */
  dots: { target: TargetId; probe: string; place: Place; moving: boolean; inferred: boolean }[];
  hypotheses: Ranked[];
  /** Log-odds of every suspicion by its id, also of those that a well stack does not show. */
  odds?: Record<string, number>;
  /** What the health answers of its nodes prove, told once; nodes name them by their place in this list. Absent in pictures of older builds, as are the next two. */
  readings?: HealthReading[];
  /** What its nodes export under which names, told once for all that export alike. */
  exports?: ExportTable[];
  coverage?: CoverageView;
  /** Facts that are no fault: ids that differ, metrics off, our own aborts. */
  facts: string[];
  incident?: Incident;
  /** The last incident, when it has cleared and nobody has acknowledged it. */
  returned?: Incident;
};

/** One node as shown. */
export type NodeView = {
  id: TargetId;
  name: string;
  url: string;
  kind: Kind;
  role: Role;
  version?: string;
  known: Provenance[];
  judgement: Judgement;
  /** What its health endpoint claims. */
  health?: {
    path: string;
    status?: number;
    tookMs?: number;
    at: number;
    says: 'up' | 'not ready' | 'slow' | 'silent' | 'refused' | 'error';
    sentence: string;
    proves: string;
  };
  /** Every health URL with its answer; `reading` is a place in the stack's `readings`, absent where nothing was asked. */
  claims?: ClaimView[];
  /** Its table in the stack's `exports`. */
  exports?: number;
  /** Series that its page no longer holds, and when they were last read. */
  vanished?: { key: string; at: number }[];
  models: { ids: string[]; at?: number; error?: string };
  workers?: ListedWorker[];
  /** Newest first, at most 18. */
  strip: ProbeDot[];
  values: ValueView[];
  pages: { source: string; outcome: ScrapeOutcome; at: number; lastOk?: number; detail?: string }[];
  /** Age of the scheduler's last word, seconds, where the engine tells it. */
  schedulerAgeS?: number;
  /** Its scheduler stands: what only that writes on the metrics page is its last word. */
  stands?: true;
  restarts: number[];
  budget?: BudgetState;
  /** Process on this host, secrets replaced, as on the Target. */
  pid?: number;
  cmdline?: string;
};

/** One health URL of one node. `notAsked`: why we leave it alone. */
export type ClaimView = {
  path: string;
  status?: number;
  tookMs?: number;
  at?: number;
  says: 'up' | 'not ready' | 'slow' | 'silent' | 'refused' | 'error' | 'no such path' | 'not asked';
  reading?: number;
  notAsked?: string;
};

/** Under which name each meaning was found, on which page; and which meanings this software may export and this one does not. */
export type ExportTable = { found: [meaning: SeriesName, name: string, source: SampleSource][]; missing: SeriesName[] };

/**
 * Which ranks and pairs gave a good answer within the last `withinMs`. `answered`: proved by our chat, or by its own count of finished requests;
 * `not seen`: its counters would have told and did not; `cannot be told`: no counter tells it from its siblings.
 */
export type CoverageView = {
  withinMs: number;
  ranks: (CoverageOf & { target: TargetId; rank?: string })[];
  pairs: (CoverageOf & { prefill: TargetId; decode: TargetId })[];
  /** Pairs beyond those listed. */
  more?: number;
};

export type CoverageOf = {
  is: 'answered' | 'not seen' | 'cannot be told';
  at?: number;
  /** Our good chat that it answered. */
  probe?: string;
  because: string;
};

/** One probe in the strip. */
export type ProbeDot = {
  id: string;
  at: number;
  purpose: Purpose;
  outcome: Outcome;
  late: boolean;
  ended: boolean;
  ttftMs?: number;
  elapsedMs: number;
  phase?: HangPhase;
  /** HTTP status of an answer that was no good one. */
  status?: number;
};

/** One current value: `v` null = not available; `ageMs` since it was read; `stillMs` since it last changed. */
export type ValueView = { key: string; name: string; source: string; v: number | null; ageMs: number; stillMs?: number; alias?: string; stale?: boolean };
