import type { Ranked } from './hypothesis';
import type { TargetId } from './target';
import type { Judgement, Verdict } from './verdict';

/** State of an alert: inactive -> pending (on-delay) -> firing -> resolved (off-delay passed). */
export type AlertState = 'inactive' | 'pending' | 'firing' | 'resolved';

/** One wedge of one stack: opened and closed by the lifecycle. A relapse within 60 s reopens the same one. */
export type Incident = {
  id: string;
  stack: string;
  openedAt: number;
  closedAt?: number;
  verdict: Verdict;
  place?: Judgement['place'];
  /** Front-ends affected, first-out first. */
  targets: TargetId[];
  sentence: string;
  top?: Pick<Ranked, 'id' | 'claim' | 'probability'>;
};

/** An entry of the log: what happened, when, on what. Stored; never changed afterwards. */
export type Event = {
  id: string;
  at: number;
  stack: string;
  kind: 'verdict' | 'incident-opened' | 'incident-updated' | 'incident-closed' | 'restart' | 'blind' | 'worker' | 'paused' | 'topology';
  target?: TargetId;
  incident?: string;
  sentence: string;
  /** Machine-readable rest, plain JSON. */
  data?: unknown;
};

/** What the detector wants done. The shell does it, within the budget; the detector never waits for it. */
export type Effect =
  | { kind: 'probe'; target: TargetId; purpose: 'confirm' | 'heal'; because: string }
  /** Read this engine's pages now and, where only its scheduler can tell, ask it once: a diagnosis, not a poll. */
  | { kind: 'look'; target: TargetId }
  | { kind: 'event'; event: Event }
  | { kind: 'incident'; change: 'opened' | 'updated' | 'closed'; incident: Incident };
