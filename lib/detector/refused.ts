import type { ProbeResult } from '@/lib/model/probe';
import type { TargetId } from '@/lib/model/target';
import type { Place } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';
import { motion, readEngine } from '@/lib/reading/engine';
import { enginesBehind, type FrontEndReading, frontEnds, readFrontEnd, siblings } from '@/lib/reading/front-end';
import { whereItStops } from '@/lib/reading/stop';
import { circuitOpen, deadPlace, enginePlace, frontEndPlace, lastTrouble, partGone, WARM_UP_MS, warmUp } from './causes';
import { shedding } from './episode';
import { overload } from './overload';
import { NOWHERE, type Raw } from './raw';

/** An open circuit waits 60 s, and a worker held for unhealthy is looked at each 60 s and has to be well twice (sglang-router 0.3.2, seen running): until then, and the next chat, refusals are its echo. */
const CIRCUIT_MS = 150_000;
/** So many failures in a row are no longer the luck of being sent to the one instance that is gone. */
const NO_LUCK = 5;

/** Refused for a reason that a setting explains: name, key, path, TLS, DNS. */
export function setting(window: Window, id: TargetId, p: ProbeResult): Raw {
  const status = p.exchange.status ?? 0;
  const detail =
    p.outcome !== 'rejected'
      ? p.outcome
      : status === 401 || status === 403
        ? 'key'
        : status === 404 && /model/i.test(p.reading?.error ?? p.exchange.head)
          ? 'name'
          : `${status}`;
  const valid = window.models(id)?.ids ?? [];
  const names = detail === 'name' && valid.length > 0 ? `; it serves ${valid.slice(0, 4).join(', ')}` : '';
  return { verdict: 'misconfigured', detail, place: frontEndPlace(window, id), because: `${p.sentence}${names}` };
}

/** 429, 408, 503: back-pressure, an open circuit, or the echo of a hang that goes on behind it. */
export function shed(window: Window, id: TargetId, r: FrontEndReading, p: ProbeResult): Raw {
  const dead = deadPlace(window, id, r.badRun.at(-1)?.sentAt);
  if (dead) return { verdict: 'down', place: dead.place, because: `${p.sentence}; ${dead.because}` };
  const since = r.badRun.at(-1)?.sentAt;
  const refusing = r.counted
    .slice(0, r.badRun.length)
    .filter((c) => c.is === 'shed')
    .at(-1)?.p.sentAt;
  const engines = enginesBehind(window, id).flatMap((t) => readEngine(window, t.id) ?? []);
  const culprit = engines.find((e) => e.heartbeat === 'stands' || e.reach === 'mute');
  if (culprit && r.badRun.some((b) => b.late)) {
    const stop = whereItStops(window, id);
    const warm = warmUp(window, id, stop, p);
    if (warm) return { verdict: 'degraded', detail: 'warm-up', ...warm, since };
    return {
      verdict: 'hanging',
      detail: 'refused by the gateway',
      place: stop.place,
      since,
      because: `${stop.because}; chats are refused by the gateway since {${new Date(refusing ?? p.sentAt).toISOString()}}`,
    };
  }
  const status = p.exchange.status ?? 503;
  if (status === 429 || status === 408) return { verdict: 'degraded', detail: 'shedding', place: frontEndPlace(window, id), since, because: p.sentence };
  if (culprit) return failed(window, id, r, p);
  const some = shedding(window, id, r);
  if (some) return some;
  // A health check that a long prompt turns red makes the gateway refuse, too.
  const busy = overload(window, id, r);
  if (busy) return { verdict: 'degraded', detail: 'circuit open', place: busy.place, since, because: `${p.sentence}; ${busy.because}` };
  const restarted = Math.max(0, ...engines.map((e) => e.restartedAt ?? 0));
  const wellSince = Math.max(restarted, refusing ?? p.sentAt, lastTrouble(window, id), ...siblings(window, id).map((s) => lastPain(window, s.id)));
  if (r.badRun.length < 2 || window.at - wellSince < CIRCUIT_MS || circuitOpen(window, id))
    return {
      verdict: 'degraded',
      detail: 'circuit open',
      place: frontEndPlace(window, id, 'router path'),
      since,
      because: `${p.sentence}; its engines are well again`,
    };
  return { verdict: 'down', place: frontEndPlace(window, id, 'router path'), since, because: `${p.sentence}; its engines are well` };
}

/** When a front-end last had a chat that was not answered in time: until that was answered or judged, and now while one is still open; 0 for never. */
function lastPain(window: Window, id: TargetId): number {
  const r = readFrontEnd(window, id);
  if (r && r.open.length > 0) return window.at;
  const pains = (r?.counted ?? []).filter((c) => c.is !== 'good');
  return Math.max(0, ...pains.map((c) => c.p.sentAt + c.p.exchange.elapsedMs));
}

/** Quick failures: reset, refused, 5xx, an error in a 200. */
export function failed(window: Window, id: TargetId, r: FrontEndReading, p: ProbeResult): Raw {
  const since = r.badRun.at(-1)?.sentAt;
  const dead = deadPlace(window, id, r.badRun.at(-1)?.sentAt);
  if (dead) return { verdict: 'down', place: dead.place, since, because: `${p.sentence}; ${dead.because}` };
  const engines = enginesBehind(window, id).flatMap((t) => readEngine(window, t.id) ?? []);
  const gone = partGone(window, id);
  if (gone && r.badRun.length < NO_LUCK)
    return { verdict: 'degraded', detail: 'instance gone', place: gone.place, since, because: `${p.sentence}; ${gone.because}` };
  const failing = engines.find((e) => (motion(window, e.target.id, since ?? p.sentAt).failed5xx ?? 0) > 0);
  const warming = engines.find(
    (e) => e.restartedAt !== undefined && window.at - e.restartedAt < WARM_UP_MS && (e.heartbeat !== 'turns' || window.at - e.restartedAt < 30_000),
  );
  if (warming)
    return {
      verdict: 'degraded',
      detail: 'warm-up',
      place: enginePlace(warming),
      since,
      because: `${p.sentence}; ${warming.target.name} restarted ${Math.round((window.at - (warming.restartedAt ?? 0)) / 1000)} s ago`,
    };
  const place = failing
    ? enginePlace(failing)
    : frontEndPlace(window, id, p.outcome === 'refused' ? 'front-end' : engines.length > 0 && p.outcome === 'rejected' ? 'router path' : 'front-end');
  const itself = p.outcome === 'refused' && window.health(id)?.outcome === 'refused';
  // Refusals of an open circuit beside it confirm nothing.
  const confirmed = r.counted.slice(0, r.badRun.length).filter((c) => c.is !== 'shed').length >= 2;
  if (confirmed || failing || itself) return { verdict: 'down', place, since, because: p.sentence };
  const flake = r.counted[1]?.is === 'good';
  return {
    verdict: flake ? 'ok' : 'degraded',
    detail: 'one failed chat, being confirmed',
    place: flake ? NOWHERE : place,
    because: p.sentence,
    confirm: 'a second failure would confirm it',
  };
}

/** Not even connected: the way there, or ourselves. */
export function network(window: Window, id: TargetId, r: FrontEndReading, p: ProbeResult): Raw {
  const place: Place = { kind: 'dashboard network', inferred: false };
  const others = frontEnds(window).filter((t) => t.id !== id && t.url.split(':')[1] !== window.target(id)?.url.split(':')[1]);
  const allGone =
    others.length > 0 &&
    others.every((t) => ['connect-timeout', 'unreachable'].includes(window.probes(t.id).find((q) => q.outcome !== 'pending')?.outcome ?? ''));
  if (allGone) return { verdict: 'unknown', place, because: `${p.sentence}; no host of the stack can be reached from here` };
  if (r.badRun.length >= 2) return { verdict: 'down', place, since: r.badRun.at(-1)?.sentAt, because: p.sentence };
  return { verdict: 'degraded', detail: 'suspect', place, because: p.sentence, confirm: 'a second try would confirm it' };
}
