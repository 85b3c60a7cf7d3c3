import type { Target, TargetId } from '@/lib/model/target';
import type { Place } from '@/lib/model/verdict';
import type { SeriesWindow, Window } from '@/lib/model/window';
import { type EngineReading, readEngine } from './engine';
import { FLOOR_MS, greatest, least } from './floor';
import { enginesBehind } from './front-end';

/** A cause that hits a part of the requests only, so that good answers do not refute it. */
export type Part = { kind: 'rank'; target: Target; ranks: string[]; held: number; of: number } | { kind: 'ghost'; gone: string[]; of: number };

/** An instance that refuses for less than this may be restarting. */
const GONE_MS = 45_000;
const HELD = ['num_decode_prealloc_queue_reqs', 'num_decode_transfer_queue_reqs', 'num_prefill_bootstrap_queue_reqs', 'num_queue_reqs'] as const;

/** What is broken behind a front-end for a part of its requests, by the engines' own pages and the front-end's own list. */
export function partOf(window: Window, id: TargetId): Part | undefined {
  const engines = enginesBehind(window, id);
  for (const target of engines) {
    const stuck = stuckRanks(window, target);
    if (stuck) return stuck;
  }
  return ghost(window, id);
}

/** Ranks that hold requests and finish none, while another rank of the same engine holds nothing back; told by live readings only. */
function stuckRanks(window: Window, target: Target): Part | undefined {
  const series = window.series(target.id);
  const ranks = [...new Set(series.flatMap((s) => (s.source === 'loads' && s.rank !== undefined ? [s.rank] : [])))];
  if (ranks.length < 2) return undefined;
  const since = window.at - FLOOR_MS;
  const of = ranks.map((rank) => {
    const mine = series.filter((s) => s.rank === rank);
    const live = (names: readonly string[]) => mine.filter((s) => s.source === 'loads' && names.includes(s.name));
    const held = live(HELD).reduce((sum, s) => sum + (least(s.points, since) ?? 0), 0);
    const running = live(['num_running_reqs']).map((s) => greatest(s.points, since));
    return { rank, held, stands: held > 0 && running.every((n) => n === 0) && running.length > 0 && !worked(mine, since) };
  });
  const stuck = of.filter((r) => r.stands);
  if (stuck.length === 0 || !of.some((r) => r.held === 0)) return undefined;
  return { kind: 'rank', target, ranks: stuck.map((r) => r.rank), held: stuck.reduce((sum, r) => sum + r.held, 0), of: ranks.length };
}

/** The rank of a place has computed since `from`: it is stuck no more. Other places are refuted by chats alone. */
export function partWorks(window: Window, place: Place | undefined, from: number): boolean {
  if (place?.rank === undefined || place.target === undefined) return false;
  return worked(
    window.series(place.target).filter((s) => s.rank === place.rank),
    from,
  );
}

function worked(series: readonly SeriesWindow[], since: number): boolean {
  return series.some(
    (s) => s.name === 'realtime_tokens_total' && (s.points.at(-1)?.value ?? 0) > (s.points.find((p) => p.at >= since)?.value ?? Number.POSITIVE_INFINITY),
  );
}

/** Some of the workers on a front-end's own list have been gone for long, or are at an address where nobody answers us, while others of their role serve. */
function ghost(window: Window, id: TargetId): Part | undefined {
  const listed = new Set(window.edges.filter((e) => e.kind === 'routes' && e.from === id).map((e) => e.to));
  const engines = enginesBehind(window, id)
    .filter((t) => listed.has(t.id))
    .flatMap((t) => readEngine(window, t.id) ?? []);
  const serves = (role: Target['role'] | undefined) => engines.some((e) => e.target.role === role && e.reach === 'answers');
  const strangers = (window.workers(id) ?? []).filter((w) => w.target === undefined && serves(w.role)).map((w) => w.url);
  const gone = engines.filter((e) => isGone(e, window.at) && serves(e.target.role)).map((e) => e.target.name);
  const all = [...gone, ...strangers];
  return all.length === 0 ? undefined : { kind: 'ghost', gone: all, of: engines.length + strangers.length };
}

function isGone(e: EngineReading, at: number): boolean {
  return (e.reach === 'refuses' || e.reach === 'mute') && at - (e.reachSince ?? at) >= GONE_MS;
}
