import type { Ranked } from './hypothesis';
import type { TargetId } from './target';
import type { Judgement, Verdict } from './verdict';

/** State of an alert: inactive -> pending (on-delay) -> firing -> resolved (off-delay passed). */
export type AlertState = 'inactive' | 'pending' | 'firing' | 'resolved';

/** A person has seen it; `by` as far as they say. */
export type Acknowledgement = { by: string; at: number };

/** Silenced for a time, by whom and why; the alarm is still shown. */
export type Shelf = { by: string; at: number; until: number; reason: string };

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
  ack?: Acknowledgement;
  shelf?: Shelf;
};

/** Where an alarm stands for people, after ISA-18.2: `new` and `returned` wait for somebody, the others do not. */
export const ALARM_STATES = ['new', 'acknowledged', 'shelved', 'out of service', 'returned', 'closed'] as const;
export type AlarmState = (typeof ALARM_STATES)[number];

/** The state of an incident at a moment; `paused` are the targets whose probing a person has switched off. */
export function alarmState(incident: Incident, at: number, paused: ReadonlySet<TargetId> = new Set()): AlarmState {
  if (incident.closedAt !== undefined) return incident.ack ? 'closed' : 'returned';
  if (isShelved(incident, at)) return 'shelved';
  if (incident.targets.length > 0 && incident.targets.every((id) => paused.has(id))) return 'out of service';
  return incident.ack ? 'acknowledged' : 'new';
}

export function isShelved(incident: Pick<Incident, 'shelf'>, at: number): boolean {
  return incident.shelf !== undefined && incident.shelf.until > at;
}

/** Incidents of the same signature are the same trouble come again. */
export function signature(incident: Pick<Incident, 'stack' | 'verdict' | 'place' | 'top'>): string {
  return [alarmKey(incident), incident.top?.id ?? ''].join('|');
}

/** What is shelved: the alarm, whatever its likeliest cause is thought to be. */
export function alarmKey({ stack, verdict, place }: Pick<Incident, 'stack' | 'verdict' | 'place'>): string {
  return [stack, verdict, place?.kind ?? '', place?.target ?? ''].join('|');
}

/** What a person does to an incident. */
export type Deed =
  | { kind: 'acknowledge'; by: string }
  | { kind: 'note'; by: string; text: string }
  | { kind: 'shelve'; by: string; forMs: number; reason: string }
  | { kind: 'unshelve'; by: string };

/** Kinds of entries of the log; those from `acknowledged` on are made by people. */
export const EVENT_KINDS = [
  'verdict',
  'incident-opened',
  'incident-updated',
  'incident-closed',
  'restart',
  'blind',
  'worker',
  'paused',
  'topology',
  'acknowledged',
  'note',
  'shelved',
  'unshelved',
  'mark',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** An entry of the log: what happened, when, on what. Stored; never changed afterwards. */
export type Event = {
  id: string;
  at: number;
  /** End of what lasted: a mark on a region. */
  until?: number;
  stack: string;
  kind: EventKind;
  target?: TargetId;
  incident?: string;
  /** Who did it, where a person did. */
  by?: string;
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
  | { kind: 'incident'; change: IncidentChange; incident: Incident };

/** What became of an incident. */
export type IncidentChange = 'opened' | 'updated' | 'closed' | 'acknowledged' | 'shelved' | 'unshelved';
