import type { ProbeResult } from '@/lib/model/probe';
import type { TargetId } from '@/lib/model/target';
import type { Place } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';
import { type EngineReading, motion, readEngine, stoodAfter } from '@/lib/reading/engine';
import { enginesBehind, readFrontEnd, siblings } from '@/lib/reading/front-end';

/** After a seen restart a silent scheduler of that very instance may be compiling; the grace is shown and ends. */
export const WARM_UP_MS = 180_000;
const FIRST_MS = 30_000;

/** This share of what came in is as good as all: the two counters are not read at one moment. */
const ALL = 0.8;

/** So many chats answered in time since a restart, and the instance is warm, whatever the clock says. */
const WARM_CHATS = 2;

function answeredSince(window: Window, id: TargetId, at: number): number {
  return [id, ...siblings(window, id).map((s) => s.id)].reduce(
    (sum, f) => sum + (readFrontEnd(window, f)?.counted ?? []).filter((c) => c.is === 'good' && c.p.sentAt > at).length,
    0,
  );
}

/** Cause outranks symptom: where every instance of a place refuses connections, or fails every chat at once since `from`, that place is down. */
export function deadPlace(window: Window, id: TargetId, from: number = window.at): { place: Place; because: string; targets: EngineReading[] } | undefined {
  const engines = enginesBehind(window, id).flatMap((t) => readEngine(window, t.id) ?? []);
  for (const role of ['prefill', 'decode', 'unified'] as const) {
    const all = engines.filter((e) => e.target.role === role);
    if (all.length === 0 || !all.every((e) => e.reach === 'refuses' || failsAll(window, e, from))) continue;
    const only = all.length === 1 ? all[0]?.target : undefined;
    const place: Place = { kind: role === 'unified' ? 'engine' : role, inferred: false, ...(only ? { target: only.id, name: only.name } : {}) };
    const does = (what: string) => `${all.map((e) => e.target.name).join(' and ')} ${what}`;
    return {
      place,
      because: all.every((e) => e.reach === 'refuses')
        ? does(all.length > 1 ? 'refuse connections' : 'refuses connections')
        : does('answers every chat with a 5xx'),
      targets: all,
    };
  }
  return undefined;
}

/** By the engine's own count of its answers: as many as come are refused, and none stands there. A hang whose oldest are given up at last fails only those. */
function failsAll(window: Window, e: EngineReading, from: number): boolean {
  const answers = (by: string) => window.moved(e.target.id, 'http_responses_total', from, undefined, { by }) ?? 0;
  if (e.reach !== 'answers' || (e.floors.chats ?? 0) > 0 || answers('chat:2xx') > 0) return false;
  const asked = motion(window, e.target.id, from).chats;
  return answers('chat:5xx') > 0 && answers('chat:5xx') >= ALL * (asked ?? 0);
}

/** Some instances of a role refuse connections, not all: a restart or a loss that a front-end may stumble over. */
export function partGone(window: Window, id: TargetId): { place: Place; because: string } | undefined {
  const engines = enginesBehind(window, id).flatMap((t) => readEngine(window, t.id) ?? []);
  const gone = engines.find((e) => e.reach === 'refuses' && engines.some((o) => o.target.role === e.target.role && o.reach === 'answers'));
  return gone && { place: enginePlace(gone), because: `${gone.target.name} refuses connections, others of its kind serve` };
}

/** Covers a hang whose silent scheduler is the restarted instance's own, chats that were sent before it was back, and its first seconds unless a counter names another place. */
export function warmUp(
  window: Window,
  id: TargetId,
  stop: { place: Place; independent: boolean },
  newest: ProbeResult | undefined,
): { place: Place; because: string } | undefined {
  const young = enginesBehind(window, id)
    .flatMap((t) => readEngine(window, t.id) ?? [])
    .filter((e) => e.restartedAt !== undefined && window.at - e.restartedAt <= WARM_UP_MS);
  const own = young.find((e) => e.target.id === stop.place.target && e.heartbeat !== 'turns' && answeredSince(window, id, e.restartedAt ?? 0) < WARM_CHATS);
  // Chats that were sent before it was back, or while it compiled, say nothing about it now.
  const older = (x: EngineReading) =>
    (x.restartedAt ?? 0) > (newest?.sentAt ?? 0) ||
    (x.heartbeat !== 'stands' && answeredSince(window, id, x.restartedAt ?? 0) < WARM_CHATS && stoodAfter(window, x.target.id, newest?.sentAt ?? window.at));
  const since = young.find(older);
  const fresh = young.find(
    (x) => !stop.independent && window.at - (x.restartedAt ?? 0) <= FIRST_MS && answeredSince(window, id, x.restartedAt ?? 0) < WARM_CHATS,
  );
  const e = own ?? since ?? fresh;
  if (!e) return undefined;
  const at = e.restartedAt ?? window.at;
  const ago = `${e.target.name} restarted ${Math.round((window.at - at) / 1000)} s ago`;
  return {
    place: enginePlace(e),
    because: own
      ? `${ago} and may be warming up; grace ends in ${Math.round((at + WARM_UP_MS - window.at) / 1000)} s`
      : `${ago}; the silent chats are older than its waking`,
  };
}

export function enginePlace(e: EngineReading): Place {
  return {
    kind: e.target.role === 'prefill' ? 'prefill' : e.target.role === 'decode' ? 'decode' : 'engine',
    target: e.target.id,
    name: e.target.name,
    inferred: false,
  };
}

export function circuitOpen(window: Window, id: TargetId): boolean {
  return window
    .series(id)
    .some(
      (s) => (s.name === 'router_worker_cb_state' && (s.points.at(-1)?.value ?? 0) >= 1) || (s.name === 'router_worker_health' && s.points.at(-1)?.value === 0),
    );
}

/** The last moment at which a heart-beat behind this front-end was seen standing. */
export function lastTrouble(window: Window, id: TargetId): number {
  const ages = enginesBehind(window, id).flatMap((t) => window.series(t.id).filter((s) => s.name === 'loads_age_seconds'));
  return Math.max(0, ...ages.map((s) => s.points.findLast((p) => p.value > 5)?.at ?? 0));
}

export const frontEndPlace = (window: Window, id: TargetId, kind: Place['kind'] = 'front-end'): Place => ({
  kind: window.target(id)?.role === 'unified' && kind === 'front-end' ? 'engine' : kind,
  target: id,
  name: window.target(id)?.name,
  inferred: false,
});
