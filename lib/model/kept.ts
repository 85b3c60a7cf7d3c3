import type { ProbeResult } from './probe';
import type { StackView } from './snapshot';
import type { TargetId } from './target';

/** One counter as it stood when an incident opened; `at` when it was read. */
export type Reading = { target: TargetId; key: string; value: number; at: number };

/** A series drawn down to so many points that it may be kept for long; null where nothing was read. */
export type KeptSeries = { target: TargetId; key: string; name: string; stepMs: number; from: number; min: (number | null)[]; max: (number | null)[] };

/** How likely each suspicion was at one moment, in log-odds by its id. */
export type Odds = { at: number; odds: Record<string, number> };

/** What is taken at the first bad verdict and kept with its incident for long: a restart erases the engines' counters, and retention our own. */
export type Kept = {
  /** The incident's id. */
  id: string;
  /** The stack as it was shown at the first bad verdict. */
  at: number;
  first: StackView;
  /** Every counter of every node at that moment. */
  readings: Reading[];
  /** Raw probes, newest first: of each front-end those that hang, and the last good one. */
  probes: ProbeResult[];
  /** The minutes before it, and once it has closed the whole of it. */
  series: KeptSeries[];
  odds: Odds[];
  /** The stack as it was shown when the incident closed. */
  last?: StackView;
};
