import { keepPreviousData, queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import type { Experiment } from '@/lib/model/experiment';
import type { Event, Incident } from '@/lib/model/incident';
import type { Kept } from '@/lib/model/kept';
import type { ProbeResult } from '@/lib/model/probe';
import type { NodeView, Snapshot, StackView } from '@/lib/model/snapshot';
import type { Figures } from '@/lib/report/figures';
import { LINK_KEY, type Link, SNAPSHOT_KEY } from './live';
import type { SeriesRange } from './series';
import { useView } from './url-state';
import { parseMoment } from './view';

/** The live snapshot; only the stream writes it. */
export const liveSnapshot = queryOptions<Snapshot>({ queryKey: SNAPSHOT_KEY, queryFn: skipToken, staleTime: Infinity, gcTime: Infinity });

/** What was shown at a past second. */
export const snapshotAt = (at: number) =>
  queryOptions<Snapshot>({ queryKey: ['snapshot-at', at], queryFn: ({ signal }) => read(`/api/snapshot?at=${at}`, signal), staleTime: Infinity, retry: false });

/** Series of some targets over the last `spanMs` (or up to `to`), in buckets that keep their spikes; read again while live. */
export const seriesWindow = (query: { targets: string[]; names: string[]; spanMs: number; to?: number }) =>
  queryOptions<{ series: SeriesRange[]; from: number; to: number; stepMs: number }>({
    queryKey: ['series', query],
    queryFn: async ({ signal, client }) => {
      const stepMs = Math.max(10_000, Math.ceil(query.spanMs / 180 / 1_000) * 1_000);
      // Server time, since its samples carry it.
      const now = query.to ?? client.getQueryData<Snapshot>(SNAPSHOT_KEY)?.at ?? 0;
      const to = Math.ceil(now / stepMs) * stepMs;
      const from = to - query.spanMs;
      const params = new URLSearchParams({ from: String(from), to: String(to), step: String(stepMs) });
      for (const target of query.targets) params.append('target', target);
      for (const name of query.names) params.append('name', name);
      // The server widens the range to whole steps and says so.
      return read(`/api/series?${params}`, signal);
    },
    refetchInterval: query.to === undefined ? 10_000 : false,
    placeholderData: (before) => before,
  });

/** What every series of a target read at a moment, in steps of ten seconds so that it is not asked each second. */
export const seriesAt = (target: string, at: number) => {
  const to = Math.ceil(at / 10_000) * 10_000;
  return queryOptions<{ series: SeriesRange[] }>({
    queryKey: ['series-at', target, to],
    queryFn: ({ signal }) => read(`/api/series?${new URLSearchParams({ target, from: String(to - 60_000), to: String(to), step: '5s' })}`, signal),
    staleTime: 5_000,
    placeholderData: (before) => before,
  });
};

export const probeRecord = (id: string) =>
  queryOptions<ProbeResult>({
    queryKey: ['probe', id],
    queryFn: ({ signal }) => read(`/api/probes/${encodeURIComponent(id)}`, signal),
    // A patient probe is told twice; its page follows it until it has ended.
    refetchInterval: (query) => (query.state.data && !query.state.data.exchange.ended ? 2_000 : false),
  });

export const experimentRecord = (id: string) =>
  queryOptions<Experiment>({
    queryKey: ['experiment', id],
    queryFn: ({ signal }) => read(`/api/experiments/${encodeURIComponent(id)}`, signal),
    refetchInterval: (query) => (query.state.data && query.state.data.state !== 'running' ? false : 1_000),
  });

/** The latest experiments, or those that ran while an incident was open. */
export const experimentList = (incident?: string) =>
  queryOptions<Experiment[]>({
    queryKey: ['experiments', incident ?? ''],
    queryFn: async ({ signal }) => {
      const which = incident === undefined ? '' : `?incident=${encodeURIComponent(incident)}`;
      return (await read<{ experiments: Experiment[] }>(`/api/experiments${which}`, signal)).experiments;
    },
    refetchInterval: (query) => (query.state.data?.some((one) => one.state === 'running') ? 3_000 : 15_000),
  });

export const incidentList = queryOptions<Incident[]>({
  queryKey: ['incidents'],
  queryFn: async ({ signal }) => (await read<{ incidents: Incident[] }>('/api/incidents', signal)).incidents,
  refetchInterval: 15_000,
});

/** The list narrowed by a query string of /api/incidents; '' is the whole list. */
export const incidentsWhere = (query: string) =>
  queryOptions<Incident[]>({
    queryKey: ['incidents', query],
    queryFn: async ({ signal }) => (await read<{ incidents: Incident[] }>(`/api/incidents?limit=200${query && `&${query}`}`, signal)).incidents,
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  });

/** How the alarms behaved in the last day. */
export const alarmFigures = queryOptions<Figures>({ queryKey: ['alarms'], queryFn: ({ signal }) => read('/api/alarms', signal), refetchInterval: 60_000 });

/** What was taken when an incident opened; it grows while the incident is open. */
export const keptRecord = (id: string, isOpen: boolean) =>
  queryOptions<Kept>({
    queryKey: ['kept', id],
    queryFn: ({ signal }) => read(`/api/incidents/${encodeURIComponent(id)}/kept`, signal),
    refetchInterval: isOpen ? 30_000 : false,
    retry: false,
  });

export const incidentRecord = (id: string) =>
  queryOptions<{ incident: Incident; events: Event[]; related: Incident[] }>({
    queryKey: ['incident', id],
    queryFn: ({ signal }) => read(`/api/incidents/${encodeURIComponent(id)}`, signal),
    // Closed ones are still noted and acknowledged, by others too.
    refetchInterval: (query) => (query.state.data?.incident.closedAt === undefined ? 5_000 : 30_000),
  });

/** A narrow reading of the snapshot that the URL selects: the live one, or the one of second `t`. */
export function useSnapshot<T>(select: (snapshot: Snapshot) => T): T | undefined {
  const past = usePastMoment();
  const live = useQuery({ ...liveSnapshot, select, enabled: past === undefined });
  // While the picture of the next second is fetched the one before it stays.
  const then = useQuery({ ...snapshotAt(past ?? 0), select, enabled: past !== undefined, placeholderData: keepPreviousData });
  return past === undefined ? live.data : then.data;
}

/** The second that the URL selects, or undefined when the view is live. A relative one is written out first, by the time bar. */
export function usePastMoment(): number | undefined {
  const [view] = useView();
  return view.t?.startsWith('now') ? undefined : parseMoment(view.t, 0) || undefined;
}

/** Why the second that the URL selects cannot be shown, if so. */
export function usePastTrouble(): string | undefined {
  const past = usePastMoment();
  return useQuery({ ...snapshotAt(past ?? 0), enabled: past !== undefined }).error?.message;
}

export function useStack<T>(id: string, select: (stack: StackView, snapshot: Snapshot) => T): T | undefined {
  return useSnapshot((snapshot) => {
    const stack = snapshot.stacks.find((one) => one.id === id);
    return stack && select(stack, snapshot);
  });
}

export function useNode<T>(id: string, select: (node: NodeView, stack: StackView, snapshot: Snapshot) => T): T | undefined {
  return useSnapshot((snapshot) => {
    for (const stack of snapshot.stacks) {
      const node = stack.nodes.find((one) => one.id === id);
      if (node) return select(node, stack, snapshot);
    }
    return undefined;
  });
}

/** How well this tab is connected. */
export function useLink(): Link {
  const { data } = useQuery<Link>({ queryKey: LINK_KEY, queryFn: skipToken, staleTime: Infinity });
  return data ?? { state: 'connecting', ageMs: 0 };
}

/** GET of our own JSON; a refusal becomes an error with the server's own sentence. */
async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal, headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(await refusal(response));
  return (await response.json()) as T;
}

/** One sentence of why our server refused. */
export async function refusal(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const told = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : '';
  return told || `The server answered ${response.status}.`;
}
