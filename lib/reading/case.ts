import type { Citation, Evidence } from '@/lib/model/hypothesis';
import type { ProbeResult } from '@/lib/model/probe';
import type { SeriesName } from '@/lib/model/sample';
import type { TargetId } from '@/lib/model/target';
import type { ListedWorker } from '@/lib/model/topology';
import type { Window } from '@/lib/model/window';
import { type EngineReading, heartbeatWords, readEngine } from './engine';
import { type FrontEndReading, frontEnds, readFrontEnd } from './front-end';

/** The facts of one stack at this moment, as every hypothesis looks at them. */
export type Case = {
  fronts: FrontEndReading[];
  /** Front-ends whose newest chats are silent, and those whose newest is good. */
  hung: FrontEndReading[];
  well: FrontEndReading[];
  engines: EngineReading[];
  prefills: EngineReading[];
  decodes: EngineReading[];
  /** Engines whose scheduler no longer speaks, and those whose scheduler spoke just now. */
  stands: EngineReading[];
  turns: EngineReading[];
  /** Prefill and decode are apart here. */
  isSplit: boolean;
  /** When the first of the silent chats was sent; now when none is. */
  from: number;
  /** When the last of them was sent: by then what was under way before the fault has run out. */
  newestFrom: number;
};

// Every hypothesis asks for the same facts of the same moment; only time depends on it.
const read = new WeakMap<Window, Case>();

export function readCase(window: Window): Case {
  const known = read.get(window) ?? freshCase(window);
  read.set(window, known);
  return known;
}

function freshCase(window: Window): Case {
  const fronts = frontEnds(window).flatMap((t) => readFrontEnd(window, t.id) ?? []);
  const engines = window.targets.filter((t) => ['prefill', 'decode', 'unified'].includes(t.role)).flatMap((t) => readEngine(window, t.id) ?? []);
  const hung = fronts.filter((f) => f.silentRun.length > 0);
  return {
    fronts,
    hung,
    well: fronts.filter((f) => f.newest?.is === 'good'),
    engines,
    prefills: engines.filter((e) => e.target.role === 'prefill'),
    decodes: engines.filter((e) => e.target.role !== 'prefill'),
    stands: engines.filter((e) => e.heartbeat === 'stands'),
    turns: engines.filter((e) => e.heartbeat === 'turns'),
    isSplit: engines.some((e) => e.target.role === 'prefill') && engines.some((e) => e.target.role === 'decode'),
    newestFrom: Math.min(window.at, Math.max(0, ...hung.flatMap((f) => f.silentRun[0]?.sentAt ?? [])) || window.at),
    from: Math.min(window.at, ...hung.flatMap((f) => f.silentRun.at(-1)?.sentAt ?? [])),
  };
}

export const probeCite = (p: ProbeResult | undefined): Citation[] => (p ? [{ kind: 'probe', id: p.id }] : []);

/** The series that a sentence speaks of, at its last reading. */
export function seriesCite(window: Window, target: TargetId, name: SeriesName, by = usualLabel(window, target, name)): Citation[] {
  const all = window.series(target).filter((s) => s.name === name && (by === undefined || s.by === by));
  const live = all.find((s) => s.source === 'loads') ?? all[0];
  // what an engine without realtime tokens told was read from those it has handed out
  if (live === undefined && name === 'realtime_tokens_total') return seriesCite(window, target, 'generation_tokens_total', undefined);
  return live === undefined ? [] : [{ kind: 'series', target, key: live.key, at: live.points.at(-1)?.at ?? window.at }];
}

/** Which of a labelled family is meant when none is named. */
function usualLabel(window: Window, target: TargetId, name: SeriesName): string | undefined {
  if (name === 'http_requests_active' || name === 'http_requests_total') return 'chat';
  if (name === 'realtime_tokens_total') return window.target(target)?.role === 'prefill' ? 'prefill_compute' : 'decode';
  return undefined;
}

/** The record by which a scheduler is known to turn or to stand. */
export function heartbeatCite(window: Window, e: EngineReading): Citation[] {
  if (e.heartbeatBy === 'health') return probeCite(window.health(e.target.id));
  if (e.heartbeatBy === 'control') return topologyCite(e.target.id);
  return seriesCite(window, e.target.id, HEARTBEATS[e.heartbeatBy ?? 'loads']);
}

const HEARTBEATS = { loads: 'loads_age_seconds', cpu: 'scheduler_process_cpu_seconds_total', steps: 'engine_steps_total' } as const;

export const selfCite = (window: Window): Citation[] => [{ kind: 'self', at: window.at }];

export const topologyCite = (target: TargetId): Citation[] => [{ kind: 'topology', target }];

/** What speaks against a fault of the engines' inside: a sibling served in time by the same, or an engine that is simply gone. */
export function otherwise(c: Case): Evidence[] {
  const gone = c.engines.filter((e) => e.reach === 'refuses');
  return [
    ...when(
      c.hung.length > 0 && c.well.length > 0,
      -2,
      `${names(c.well)} is answered in time by the same engines`,
      c.well.flatMap((f) => probeCite(f.newest?.p)),
    ),
    ...when(
      gone.length > 0,
      -4,
      `${names(gone)} refuses connections, which is cause enough`,
      gone.flatMap((e) => topologyCite(e.target.id)),
    ),
  ];
}

/** For a stopped scheduler: its own silence, by the sign that tells it. Several at once are one fact about the stack, told in one sentence. */
export function stopped(window: Window, stands: readonly EngineReading[]): Evidence[] {
  const surest = stands.some((e) => e.heartbeatBy !== 'health') ? 4.5 : 2;
  return when(
    stands.length > 0,
    surest,
    listed(stands.map(heartbeatWords)),
    stands.flatMap((e) => heartbeatCite(window, e)),
  );
}

/** A listed worker that is not there; `isRefused`: we have asked and nobody answered. */
export type Ghost = ListedWorker & { isRefused: boolean };

/**
 * Workers that a front-end lists and that are not there as far as we can see: at a watched address where nobody answers, or at one that nobody
 * named to us while others of its role in the same list are watched (a list must not send us anywhere, so we do not ask there).
 */
export function ghostsOf(window: Window, c: Case, front: TargetId): Ghost[] {
  const list = window.workers(front) ?? [];
  const gone = c.engines.filter((e) => e.reach === 'refuses' || (e.isUnconnected && e.reach !== 'answers'));
  return list.flatMap((w): Ghost[] => {
    if (w.target !== undefined) return gone.some((e) => e.target.id === w.target) ? [{ ...w, isRefused: true }] : [];
    return list.some((other) => other.role === w.role && other.target !== undefined) ? [{ ...w, isRefused: false }] : [];
  });
}

const GRACE_MS = 180_000;

/** Against a stopped scheduler: it was restarted a moment ago, and first requests compile. */
export function justRestarted(window: Window, stands: readonly EngineReading[]): Evidence[] {
  const young = stands.filter((e) => e.restartedAt !== undefined && window.at - e.restartedAt < GRACE_MS);
  return when(
    young.length > 0 && young.length === stands.length,
    -4.5,
    `${names(young)} restarted ${Math.round(Math.min(...young.map((e) => window.at - (e.restartedAt ?? 0))) / 1000)} s ago, and first requests compile`,
    young.flatMap((e) => topologyCite(e.target.id)),
  );
}

/** Against a fault that needs turning loops: one that stands is cause enough. */
export function standsInstead(window: Window, c: Case, weight: number): Evidence[] {
  return when(
    c.stands.length > 0,
    weight,
    `the scheduler of ${names(c.stands)} stands, which is cause enough`,
    c.stands.flatMap((e) => heartbeatCite(window, e)),
  );
}

/** Against whatever needs a chat that gets no answer. */
export function nothingHangs(c: Case, weight: number): Evidence[] {
  return when(
    c.hung.length === 0 && c.well.length > 0,
    weight,
    `${names(c.well)} ${c.well.length > 1 ? 'get' : 'gets'} answers`,
    probeCite(c.well[0]?.newest?.p),
  );
}

/** Evidence when the condition holds, nothing otherwise. */
export function when(condition: boolean | undefined, weight: number, because: string, cites: Citation[] = []): Evidence[] {
  return condition ? [{ weight, because, cites }] : [];
}

export const names = (list: readonly { target: { name: string } }[]): string => listed(list.map((x) => x.target.name));

const MOST_NAMED = 4;

/** "a, b and c"; of many the first few and how many more. */
export function listed(words: readonly string[]): string {
  const shown = words.length > MOST_NAMED ? [...words.slice(0, MOST_NAMED - 1), `${words.length - MOST_NAMED + 1} more`] : words;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
