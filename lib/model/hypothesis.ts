import type { Place, Verdict } from './verdict';
import type { Window } from './window';

/** A pointer to the raw record behind a sentence: a probe, a series at the moment of its reading, what is known of a node, or our own pulse. */
export type Citation =
  | { kind: 'probe'; id: string }
  | { kind: 'series'; target: string; key: string; at: number }
  | { kind: 'topology'; target: string }
  | { kind: 'self'; at: number };

/** One piece of evidence. `weight` is in log-odds (natural): positive speaks for, negative against. */
export type Evidence = { weight: number; because: string; cites: Citation[] };

/** A suspicion whole: what it claims, what speaks for and against, what to try next. Stateless: a function of the Window. */
export type Hypothesis = {
  /** Claim as a full sentence. */
  claim: string;
  /** Prior log-odds. */
  prior: number;
  /** What it would mean if true. */
  implies: { verdict: Verdict; place?: Place['kind'] };
  weigh(window: Window): Evidence[];
  /** The experiment that would settle it; for a person, with the command where there is one. */
  next(window: Window): string;
};

/** A weighed hypothesis as shown: log-odds = prior + sum of weights; probability is its logistic, among the set not normalised. */
export type Ranked = {
  id: string;
  claim: string;
  prior: number;
  logOdds: number;
  probability: number;
  evidence: Evidence[];
  next: string;
  implies: Hypothesis['implies'];
};
