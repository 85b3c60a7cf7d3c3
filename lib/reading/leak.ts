import type { SeriesName } from '@/lib/model/sample';
import type { Target, TargetId } from '@/lib/model/target';
import type { Place } from '@/lib/model/verdict';
import type { Point, Window } from '@/lib/model/window';
import { enginesBehind, frontEnds, readFrontEnd } from './front-end';
import { paceOf } from './pace';

/** Floors are taken over spans of this length: long enough for each span to see the queue at its emptiest. */
const SPAN_MS = 30_000;
const LOOK_BACK_MS = 600_000;
const LEAST_SPANS = 5;
const LEAST_RISE = 3;
const LEAST_STEPS = 2;
/** The pace of filling is taken over this span, and told from this share of the room on. */
const FORECAST_MS = 180_000;
const LEAST_FILL = 0.03;

const HAND_OVER: { name: SeriesName; place: Place['kind']; words: string }[] = [
  { name: 'num_decode_transfer_queue_reqs', place: 'kv-transfer', words: 'transfer queue' },
  { name: 'num_prefill_inflight_queue_reqs', place: 'kv-transfer', words: 'in-flight queue' },
  { name: 'num_decode_prealloc_queue_reqs', place: 'decode', words: 'prealloc queue' },
  { name: 'num_prefill_bootstrap_queue_reqs', place: 'prefill', words: 'bootstrap queue' },
];

/** A queue whose floor rises although chats pass in their usual time. `perMinute`: rise of the floor. */
export type Leak = { place: Place; since: number; floor: number; perMinute: number; because: string };

/**
 * Look for a leak behind a front-end whose chats are answered. Little's law tells it from traffic: with a chats/s arriving and at most w seconds
 * spent in any queue (no more than to the first token), a queue holds a*w on average; a floor far above that is made of requests nobody waits for.
 */
export function leakOf(window: Window, id: TargetId): Leak | undefined {
  const { calm, until } = calmSpan(window);
  // In this order: a queue for admission that grows behind a leak is its echo.
  for (const queue of HAND_OVER)
    for (const engine of enginesBehind(window, id)) {
      const points = pointsOf(window, engine.id, queue.name);
      const since = Math.max(calm, window.restarts(engine.id).at(-1) ?? 0, until - LOOK_BACK_MS);
      const floors = spanFloors(points, since, until);
      const allowance = allowed(window, id, engine, until);
      const leak = floors && rising(floors, allowance);
      if (!leak && floors && queue.place === 'kv-transfer' && Math.min(...floors.slice(-2)) > allowance) return undefined;
      if (!leak) continue;
      const minutes = (floors.length * SPAN_MS) / 60_000;
      const perMinute = Math.round((leak.rise / minutes) * 10) / 10;
      return {
        place: { kind: queue.place, inferred: false, ...(queue.place === 'kv-transfer' ? {} : { target: engine.id, name: engine.name }) },
        since: since + leak.firstRise * SPAN_MS,
        floor: leak.floor,
        perMinute,
        because: `the floor of the ${queue.words} of ${engine.name} rose by ${leak.rise} to ${leak.floor} in ${Math.round(minutes)} min while chats pass in their usual time: what stands there is never given back (${perMinute} a minute)${forecast(window, engine, until)}`,
      };
    }
  return undefined;
}

/** When the engine's KV room will be full if it goes on filling as it has; empty where it does not fill or does not tell. */
function forecast(window: Window, engine: Target, until: number): string {
  const now = window.value(engine.id, 'token_usage', { at: until });
  const then = window.value(engine.id, 'token_usage', { at: until - FORECAST_MS });
  if (now === undefined || then === undefined || now - then < LEAST_FILL) return '';
  const minutes = ((1 - now) / (now - then)) * (FORECAST_MS / 60_000);
  return `; its KV room is ${Math.round(now * 100)} % full and at this pace full in about ${Math.max(1, Math.round(minutes))} min`;
}

/**
 * The last span in which no chat was left hanging, up to the first of those that hang or are far later than usual now: what hung may stand in a
 * queue for good, and what waits for its turn is no leak. A leak seen before slows the chats at its end and stays the cause.
 */
function calmSpan(window: Window): { calm: number; until: number } {
  const fronts = frontEnds(window).flatMap((t) => readFrontEnd(window, t.id) ?? []);
  const until = Math.min(window.at, ...fronts.flatMap((r) => [r.badRun.at(-1)?.sentAt ?? [], paceOf(r)?.slowRun.at(-1)?.p.sentAt ?? []].flat()));
  const bad = fronts.flatMap((r) => r.counted.flatMap((c) => (c.is === 'good' || c.is === 'slow' || c.p.sentAt >= until ? [] : [c.p.sentAt + c.p.deadlineMs])));
  return { calm: Math.max(window.startedAt, ...bad), until };
}

function pointsOf(window: Window, id: TargetId, name: SeriesName): readonly Point[] {
  const all = window.series(id).filter((s) => s.name === name && s.rank === undefined);
  // an asking scheduler's rare words are no series of floors
  return (all.find((s) => s.source === 'loads' && s.points.length >= LEAST_SPANS * 3) ?? all.find((s) => s.source === 'metrics'))?.points ?? [];
}

/** Least value in each whole span up to now, oldest first; undefined when too few or when one has no reading. */
function spanFloors(points: readonly Point[], since: number, now: number): number[] | undefined {
  const count = Math.floor((now - Math.max(since, points[0]?.at ?? now)) / SPAN_MS);
  if (count < LEAST_SPANS) return undefined;
  const floors = Array.from({ length: count }, (_, i) => {
    const from = now - (count - i) * SPAN_MS;
    const inside = points.filter((p) => p.at >= from && p.at < from + SPAN_MS + 1);
    return inside.length === 0 ? Number.NaN : Math.min(...inside.map((p) => p.value));
  });
  return floors.some(Number.isNaN) ? undefined : floors;
}

function rising(floors: readonly number[], allowance: number): { rise: number; floor: number; firstRise: number } | undefined {
  const floor = Math.min(...floors.slice(-2));
  const rise = floor - Math.min(...floors.slice(0, 2));
  const steps = floors.filter((f, i) => i > 0 && f > Math.max(...floors.slice(0, i))).length;
  // Draining and oscillating queues come back down; a leak does not.
  const fell = floors.some((f, i) => i > 0 && f < Math.max(...floors.slice(0, i)) - allowance / 2 - 1);
  if (rise < LEAST_RISE || floor <= allowance || steps < LEAST_STEPS || fell) return undefined;
  return { rise, floor, firstRise: floors.findIndex((f, i) => i > 0 && f > (floors[0] ?? 0)) };
}

/** Twice what Little's law lets stand there at the usual time to the first token, and two more. */
function allowed(window: Window, id: TargetId, engine: Target, until: number): number {
  const perSecond = (window.moved(engine.id, 'http_requests_total', until - 60_000, until, { by: 'chat' }) ?? 0) / 60;
  const good = (readFrontEnd(window, id)?.counted ?? []).flatMap((c) => (c.is === 'good' ? (c.p.reading?.ttftMs ?? []) : [])).sort((a, b) => a - b);
  const usual = (good[Math.floor(good.length / 2)] ?? 0) / 1000;
  return 2 * perSecond * usual + 2;
}
