import type { Deed, Incident } from './incident';
import type { ProbeResult } from './probe';
import type { Sample, SampleSource } from './sample';
import type { Target, TargetId } from './target';
import type { Edge, ListedWorker, ModelList } from './topology';

/** How one scrape went. Only `ok` carries samples; anything else is "unknown", never "idle" or "frozen". */
export type ScrapeOutcome = 'ok' | 'not-exported' | 'refused' | 'timeout' | 'unauthorized' | 'not-metrics' | 'too-big' | 'failed';

/** Everything that the detector ever learns. `at` is wall-clock ms since epoch of the moment of reading. */
export type Observation =
  | { kind: 'scrape'; at: number; target: TargetId; source: SampleSource; outcome: ScrapeOutcome; tookMs: number; samples: Sample[]; detail?: string }
  | { kind: 'probe'; at: number; result: ProbeResult }
  /** What other health URLs said while it was found out what this target is. */
  | { kind: 'claims'; at: number; target: TargetId; claims: { path: string; status?: number; tookMs: number }[] }
  | { kind: 'topology'; at: number; stack: string; targets: Target[]; edges: Edge[] }
  | { kind: 'models'; at: number; target: TargetId; models: ModelList }
  | { kind: 'workers'; at: number; target: TargetId; workers: ListedWorker[]; error?: string }
  | { kind: 'self'; at: number; self: SelfReport }
  /** We were not running since `from`: told once after a start that finds what an earlier run has left. */
  | { kind: 'absent'; at: number; from: number }
  | { kind: 'paused'; at: number; target: TargetId; until?: number; by: string }
  /** A person did something to an incident; `incident` is its record as stored. */
  | { kind: 'deed'; at: number; incident: Incident; deed: Deed };

/** What the collector says of itself, once a second; also the detector's tick. Durations in ms. */
export type SelfReport = {
  /** Counts up by one each second of the collector's life. */
  tick: number;
  /** Worst lateness of the collector's own event loop since the last report. */
  lagMs: number;
  /** Time since the previous report beyond one second: a pause, a suspend. */
  gapMs: number;
  /** Wall clock moved against the monotonic clock since the last report by this much. */
  clockStepMs: number;
  /** The reference target's last answer, when one is configured. */
  reference?: { ok: boolean; at: number; detail?: string };
  loops: LoopState[];
  budget: BudgetState[];
};

/** One loop of the collector: when it last ran and when it is due. Wall-clock ms. */
export type LoopState = { name: string; target?: TargetId; everyMs: number; lastStart?: number; lastEnd?: number; errors: number; lastError?: string };

/** Our own footprint on one target. */
export type BudgetState = {
  target: TargetId;
  unfinished: number;
  /** Aborts that we caused in the last 10 minutes. */
  aborts10min: number;
  /** Earliest wall-clock ms at which another probe is allowed; absent: now. */
  nextProbeAt?: number;
  /** Why not now, one phrase. */
  waitsFor?: string;
  controlCallsOut: number;
  probesPerMinute: number;
  tokensPerMinute: number;
  pausedUntil?: number;
  paused: boolean;
};
