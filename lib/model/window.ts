import type { BudgetState, ScrapeOutcome, SelfReport } from './observation';
import type { ProbeResult } from './probe';
import type { SampleSource, SeriesName } from './sample';
import type { Target, TargetId } from './target';
import type { Edge, ListedWorker, ModelList } from './topology';
import type { Judgement } from './verdict';

/** One reading of a series. */
export type Point = { at: number; value: number };

/** One series of one target as the window holds it; `points` oldest first, bounded. */
export type SeriesWindow = {
  key: string;
  name: SeriesName;
  source: SampleSource;
  rank?: string;
  by?: string;
  alias?: string;
  points: readonly Point[];
  /** When its value last differed from the one before; undefined until it has. */
  changedAt?: number;
};

/** State of one scrape page of one target. */
export type PageState = { source: SampleSource; outcome: ScrapeOutcome; at: number; lastOk?: number; failingSince?: number; detail?: string };

/** What a judge or a hypothesis may look at, for one stack. Read-only; no clock: `at` is now. */
export type Window = {
  at: number;
  stack: string;
  startedAt: number;
  targets: readonly Target[];
  edges: readonly Edge[];
  target(id: TargetId): Target | undefined;
  /** Latest report of each chat probe of this target, newest first, bounded (64). */
  probes(id: TargetId): readonly ProbeResult[];
  /** Latest health claim of this target. */
  health(id: TargetId): ProbeResult | undefined;
  /** The latest answer of each health URL that we ask, in the order in which they were first asked. */
  healths(id: TargetId): readonly ProbeResult[];
  /** What further health URLs said at discovery. */
  claims(id: TargetId): readonly { path: string; status?: number; tookMs: number; at: number }[];
  series(id: TargetId): readonly SeriesWindow[];
  /** Value at or just before `at` (default now), summed over ranks (or the one asked); undefined when not exported. Prefers `loads` where it is live. */
  value(id: TargetId, name: SeriesName, opts?: { at?: number; by?: string; rank?: string; source?: SampleSource }): number | undefined;
  /** Change over [from, to] summed over ranks, counter resets excluded (a reset starts over); undefined without a reading on both sides. */
  moved(id: TargetId, name: SeriesName, from: number, to?: number, opts?: { by?: string; rank?: string; source?: SampleSource }): number | undefined;
  page(id: TargetId, source: SampleSource): PageState | undefined;
  models(id: TargetId): ModelList | undefined;
  workers(id: TargetId): readonly ListedWorker[] | undefined;
  /** Moments at which this target was seen to restart (counters fell, start time changed, refused then back), oldest first. */
  restarts(id: TargetId): readonly number[];
  self: SelfReport | undefined;
  budget(id: TargetId): BudgetState | undefined;
  /** Spans in which we were not looking, wall-clock ms, newest last, bounded. */
  blind: readonly { from: number; to: number; why: string }[];
  /** The present judgement, where one has been made. */
  judgement(id: TargetId): Judgement | undefined;
};
