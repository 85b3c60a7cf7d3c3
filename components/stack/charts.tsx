'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { incidentList, seriesWindow, useSnapshot } from '@/lib/client/queries';
import { type Line, rates, type SeriesRange, summed } from '@/lib/client/series';
import { useTravel } from '@/lib/client/travel';
import type { Incident } from '@/lib/model/incident';
import { QUEUES_AND_PROGRESS } from '@/lib/model/sample';
import type { NodeView, Snapshot, StackView } from '@/lib/model/snapshot';
import type { Band } from '../ui/chart';
import { ChartFrame, SharedCursor } from '../ui/chart-frame';
import { Panel } from '../ui/panel';

const SPAN_MS = 15 * 60_000;

type Drawing = { title: string; unit: string; lines: (series: readonly SeriesRange[]) => Line[] };

/** Queue depths by role, running requests and tokens per second, over one time axis with one cursor. */
export function Charts({ stack, nodes }: { stack: Pick<StackView, 'id'>; nodes: readonly Pick<NodeView, 'id' | 'role'>[] }) {
  const engines = nodes.filter((node) => node.role === 'prefill' || node.role === 'decode' || node.role === 'unified');
  const roles = JSON.stringify(Object.fromEntries(engines.map((node) => [node.id, node.role])));
  const targets = engines.map((node) => node.id);
  const travel = useTravel(10_000);
  const { range } = travel;
  const spanMs = range.to - range.from;
  const to = range.isLive ? undefined : range.to;
  const query = useQuery({ ...seriesWindow({ targets, names: [...QUEUES_AND_PROGRESS], spanMs, to }), enabled: targets.length > 0 });
  const incidents = useQuery({ ...incidentList, refetchInterval: false, staleTime: 60_000 });
  const live = useSnapshot((snapshot) => liveBands(snapshot, stack.id));

  const drawings = useMemo(() => {
    const roleOf = JSON.parse(roles) as Record<string, NodeView['role']>;
    const series = query.data?.series ?? [];
    return drawingsFor(new Set(Object.values(roleOf)), roleOf).map((drawing) => ({ title: drawing.title, unit: drawing.unit, lines: drawing.lines(series) }));
  }, [roles, query.data]);
  const bands = useMemo(() => [...pastBands(incidents.data ?? [], stack.id, live?.incident), ...(live?.bands ?? [])], [incidents.data, live, stack.id]);

  const hasReadings = drawings.some((drawing) => drawing.lines.some((line) => line.points.some((point) => point.value !== null)));
  const state = query.isError
    ? ({ kind: 'error', why: `The series could not be read: ${query.error.message}`, retry: () => void query.refetch() } as const)
    : targets.length === 0
      ? ({
          kind: 'empty',
          why: 'No engine is known in this stack, so there are no queues to draw. Name the engines in the configuration to see them.',
        } as const)
      : query.data && !hasReadings
        ? ({ kind: 'empty', why: 'No engine here exports metrics yet. SGLang needs --enable-metrics; vLLM exports them by itself.' } as const)
        : undefined;

  return (
    <Panel title="Queues and progress" aside="click holds a second, drag zooms, Shift-drag moves, double-click zooms out; a gap is a gap" state={state}>
      <SharedCursor travel={travel}>
        <div className="grid gap-x-6 gap-y-3 [grid-template-columns:repeat(auto-fit,minmax(min(100%,17.5rem),1fr))]">
          {drawings.map((drawing) => (
            <ChartFrame
              isLoading={query.data === undefined}
              key={drawing.title}
              {...drawing}
              from={query.data?.from ?? 0}
              to={query.data?.to ?? SPAN_MS}
              stepMs={query.data?.stepMs ?? 10_000}
              bands={bands}
            />
          ))}
        </div>
      </SharedCursor>
    </Panel>
  );
}

function drawingsFor(present: ReadonlySet<NodeView['role']>, roleOf: Record<string, NodeView['role']>): Drawing[] {
  const of = (label: string, name: string, role?: NodeView['role'], by?: string) => (all: readonly SeriesRange[]) => {
    const mine = all.filter((one) => one.name === name && (!role || roleOf[one.target] === role) && (!by || one.key.includes(`by=${by}`)));
    return summed(label, label, onePage(mine));
  };
  const queues = (role: NodeView['role'], names: [label: string, name: string][]): Drawing => ({
    title: role === 'unified' ? 'Engine queue' : `${role === 'prefill' ? 'Prefill' : 'Decode'} queues`,
    unit: 'requests',
    lines: (all) => names.map(([label, name]) => of(label, name, role)(all)),
  });
  const drawn: Drawing[] = [];
  if (present.has('prefill')) drawn.push(queues('prefill', QUEUES.prefill));
  if (present.has('decode')) drawn.push(queues('decode', QUEUES.decode));
  if (present.has('unified')) drawn.push(queues('unified', QUEUES.unified));
  drawn.push({ title: 'Running', unit: 'requests', lines: (all) => [...present].map((role) => of(role, 'num_running_reqs', role)(all)) });
  drawn.push({ title: 'Progress', unit: 'tokens per second', lines: (all) => tokenLines(all, of) });
  return drawn;
}

const QUEUES: Record<'prefill' | 'decode' | 'unified', [label: string, name: string][]> = {
  prefill: [
    ['bootstrap', 'num_prefill_bootstrap_queue_reqs'],
    ['inflight', 'num_prefill_inflight_queue_reqs'],
    ['waiting', 'num_queue_reqs'],
  ],
  decode: [
    ['prealloc', 'num_decode_prealloc_queue_reqs'],
    ['transfer', 'num_decode_transfer_queue_reqs'],
    ['retracted', 'num_decode_retracted_queue_reqs'],
    ['waiting', 'num_queue_reqs'],
  ],
  unified: [['waiting', 'num_queue_reqs']],
};

/** Tokens that were really computed, where the engine counts them live; else what it counts at the end of each request. */
function tokenLines(
  all: readonly SeriesRange[],
  of: (label: string, name: string, role?: NodeView['role'], by?: string) => (all: readonly SeriesRange[]) => Line,
): Line[] {
  const perSecond = all.filter((one) => one.name.endsWith('_total')).map(rates);
  if (perSecond.some((one) => one.name === 'realtime_tokens_total')) {
    return [
      of('prefilled', 'realtime_tokens_total', undefined, 'prefill_compute')(perSecond),
      of('decoded', 'realtime_tokens_total', undefined, 'decode')(perSecond),
    ];
  }
  return [of('generated', 'generation_tokens_total')(perSecond)];
}

/** The same gauge may come from the metrics page and from the live loads; the live one wins per target. */
function onePage(series: readonly SeriesRange[]): SeriesRange[] {
  const live = new Set(series.filter((one) => one.key.endsWith('@loads')).map((one) => one.target));
  return series.filter((one) => one.key.endsWith('@loads') || !live.has(one.target));
}

function pastBands(incidents: readonly Incident[], stack: string, open: string | undefined): Band[] {
  return incidents.flatMap((one) =>
    one.stack === stack && one.id !== open && one.closedAt !== undefined ? [{ from: one.openedAt, to: one.closedAt, verdict: one.verdict }] : [],
  );
}

/** The open incident and our own blind spans; their end moves in steps, so that charts do not redraw each second. */
function liveBands(snapshot: Snapshot, id: string): { incident?: string; bands: Band[] } {
  const incident = snapshot.stacks.find((stack) => stack.id === id)?.incident;
  const end = Math.ceil(snapshot.at / 10_000) * 10_000;
  const blind = snapshot.self.blind.map((span) => ({ from: span.from, to: span.to ?? end, verdict: 'unknown' as const }));
  return { incident: incident?.id, bands: incident ? [...blind, { from: incident.openedAt, to: incident.closedAt ?? end, verdict: incident.verdict }] : blind };
}
