import type { Citation, Evidence } from '@/lib/model/hypothesis';
import type { ProbeResult } from '@/lib/model/probe';
import type { SeriesName } from '@/lib/model/sample';
import type { TargetId } from '@/lib/model/target';
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
  /** When the first of the silent chats was sent; now when none is. */
  from: number;
  /** When the last of them was sent: by then what was under way before the fault has run out. */
  newestFrom: number;
};

export function readCase(window: Window): Case {
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
    newestFrom: Math.min(window.at, Math.max(0, ...hung.flatMap((f) => f.silentRun[0]?.sentAt ?? [])) || window.at),
    from: Math.min(window.at, ...hung.flatMap((f) => f.silentRun.at(-1)?.sentAt ?? [])),
  };
}

export const probeCite = (p: ProbeResult | undefined): Citation[] => (p ? [{ kind: 'probe', id: p.id }] : []);

export const seriesCite = (window: Window, target: TargetId, name: SeriesName): Citation[] => [{ kind: 'series', target, key: name, at: window.at }];

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

/** For a stopped scheduler: its own silence, by the sign that tells it. */
export function stopped(window: Window, stands: readonly EngineReading[]): Evidence[] {
  return stands.map((e) => ({
    weight: e.heartbeatBy === 'health' ? 2 : 4.5,
    because: heartbeatWords(e),
    cites: seriesCite(window, e.target.id, e.heartbeatBy === 'cpu' ? 'scheduler_process_cpu_seconds_total' : 'loads_age_seconds'),
  }));
}

/** Evidence when the condition holds, nothing otherwise. */
export function when(condition: boolean | undefined, weight: number, because: string, cites: Citation[] = []): Evidence[] {
  return condition ? [{ weight, because, cites }] : [];
}

export const names = (list: readonly { target: { name: string } }[]): string => list.map((x) => x.target.name).join(' and ');
