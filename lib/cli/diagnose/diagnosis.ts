import type { Conclusion, Experiment } from '@/lib/model/experiment';
import type { Place, Verdict } from '@/lib/model/verdict';
import type { CounterLine } from './counters';

/** What was found of one address that was given. */
export type FrontFound = {
  name: string;
  url: string;
  /** "SGLang gateway 0.3.2". */
  what: string;
  verdict: Verdict;
  detail?: string;
  place?: Place;
  because: string;
  /** What its health endpoint claimed meanwhile. */
  health?: string;
  models: string[];
};

/** What was read of one engine. */
export type EngineFound = { name: string; url: string; what: string; verdict: Verdict; because: string; counters: CounterLine[] };

/** The result of one run. Moments are wall-clock ms. */
export type Diagnosis = {
  at: number;
  tookMs: number;
  isCancelled: boolean;
  /** The worst of all front-ends. */
  verdict: Verdict;
  exitCode: number;
  fronts: FrontFound[];
  engines: EngineFound[];
  /** Absent when no chat could be sent to anybody. */
  experiment?: Experiment;
  conclusion: Conclusion;
  /** What could not be known, each in a sentence. */
  unknown: string[];
};

/** What the shell is told. */
export const EXIT_CODES: Record<Verdict, number> = { ok: 0, degraded: 10, hanging: 20, down: 30, misconfigured: 40, unknown: 50 };
/** The command line cannot be read; and something of ours broke. */
export const EXIT_USAGE = 64;
export const EXIT_OURS = 1;
