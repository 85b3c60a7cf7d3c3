import type { ProbeResult } from '@/lib/model/probe';
import { hangPhase } from '@/lib/model/probe';
import type { TargetId } from '@/lib/model/target';
import type { Judgement, Place, Verdict } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';
import { drips } from '@/lib/reading/drip';
import { motion, readEngine } from '@/lib/reading/engine';
import { enginesBehind, type FrontEndReading, frontEnds, readFrontEnd, siblings } from '@/lib/reading/front-end';
import { leakOf } from '@/lib/reading/leak';
import { partly, whereItStops } from '@/lib/reading/stop';
import { circuitOpen, deadPlace, enginePlace, frontEndPlace, lastTrouble, WARM_UP_MS, warmUp } from './causes';
import { overload } from './overload';
import { wilson } from './stats';

const CIRCUIT_MS = 120_000;
/** Probes and time over which a hang rate is told. */
const RATE_PROBES = 20;
const RATE_MS = 600_000;
/** A front-end that hangs now and then is no longer flapping but hanging at a rate. */
const RATE_FAILURES = 3;
const CLEAN_RUN = 8;

/** A judgement before its history is added: what the facts of this moment say. `confirm`: another probe would settle it. */
export type Raw = Omit<Judgement, 'since' | 'freshness'> & { since?: number; confirm?: string };

const NOWHERE: Place = { kind: 'none', inferred: false };

/** Judge one front-end (or an engine that serves users itself) from the window alone. */
export function judgeFrontEnd(window: Window, id: TargetId): Raw {
  const r = readFrontEnd(window, id);
  if (!r?.newest) return unproven(window, id);
  const rate = rateOf(r, window.at);
  const raw = byNewest(window, id, r);
  return { ...raw, rate };
}

function byNewest(window: Window, id: TargetId, r: FrontEndReading): Raw {
  const newest = r.newest;
  switch (newest?.is) {
    case 'good':
      return (
        intermittent(window, id, r) ??
        leaking(window, id) ?? { verdict: 'ok', place: NOWHERE, because: `last chat answered, first token after ${seconds(newest.p.reading?.ttftMs)}` }
      );
    case 'slow':
      return intermittent(window, id, r) ?? leaking(window, id) ?? slow(window, r, newest.p);
    case 'silent':
      return silent(window, id, r);
    case 'setting':
      return setting(window, id, newest.p);
    case 'shed':
      return shed(window, id, r, newest.p);
    case 'failed':
      return failed(window, id, r, newest.p);
    case 'network':
      return network(window, id, r, newest.p);
    case undefined:
      return unproven(window, id);
  }
}

function unproven(window: Window, id: TargetId): Raw {
  const models = window.models(id);
  if (models?.error && models.ids.length === 0) return { verdict: 'unknown', place: NOWHERE, because: `no model id to probe with: ${models.error}` };
  if (models && models.ids.length === 0)
    return { verdict: 'misconfigured', detail: 'empty model list', place: frontEndPlace(window, id), because: 'its model list is empty' };
  return { verdict: 'unknown', place: NOWHERE, because: 'no chat has been judged yet' };
}

function silent(window: Window, id: TargetId, r: FrontEndReading): Raw {
  const newest = r.silentRun[0];
  const oldest = r.silentRun.at(-1);
  const common = { phase: newest && hangPhase(phaseOutcome(newest)), since: oldest?.sentAt };
  const dead = deadPlace(window, id);
  if (dead) return { ...common, verdict: 'down', place: dead.place, because: dead.because };
  const some = intermittent(window, id, r);
  if (some && partly(window, id)) return some;
  const busy = overload(window, id, r);
  if (busy) return { verdict: 'degraded', detail: 'overload', place: busy.place, because: busy.because, since: oldest?.sentAt };
  const stop = whereItStops(window, id);
  const warm = warmUp(window, id, stop.place, newest);
  if (warm) return { verdict: 'degraded', detail: 'warm-up', ...warm, since: oldest?.sentAt };
  const witness = witnessOf(window, id, r, stop.independent);
  const words = `${newest?.sentence ?? 'silence'}; ${stop.because}`;
  if (!witness)
    return { ...common, verdict: 'degraded', detail: 'suspect', place: stop.place, because: words, confirm: 'a second silent chat would confirm the hang' };
  return { ...common, verdict: 'hanging', place: stop.place, because: `${words} (${witness})` };
}

/** The hang's phase is the deepest station any chat of the run reached while silent. */
function phaseOutcome(p: ProbeResult): ProbeResult['outcome'] {
  if (hangPhase(p.outcome)) return p.outcome;
  if (p.exchange.marks.firstToken !== undefined) return 'stalled';
  return p.exchange.marks.headers !== undefined ? 'headers-only' : 'zero-bytes';
}

/** One late chat is a suspicion, one independent witness makes it a hang. */
function witnessOf(window: Window, id: TargetId, r: FrontEndReading, independent: boolean): string | undefined {
  if (r.silentRun.length >= 2) return `${r.silentRun.length} chats in a row`;
  if (independent) return 'witnessed by the engine';
  const sibling = siblings(window, id).find((s) => (readFrontEnd(window, s.id)?.silentRun.length ?? 0) > 0);
  return sibling && `${sibling.name} hangs too`;
}

function slow(window: Window, r: FrontEndReading, p: ProbeResult): Raw {
  const busy = overload(window, r.target.id, r);
  const late = drips(p)
    ? `answers drop by drop: ${p.reading?.tokens} tokens in ${seconds(p.exchange.elapsedMs)}${p.outcome === 'pending' ? ' and no end yet' : ''}`
    : `answered late: first token after ${seconds(p.reading?.ttftMs)}, deadline ${seconds(p.deadlineMs)}`;
  const confirm = 'another chat would tell whether it stays slow';
  if (busy) return { verdict: 'degraded', detail: 'slow', place: busy.place, because: busy.because, confirm };
  // A single late answer after a good one is a burst in passing: a mark in the history.
  if (r.counted[1]?.is === 'good') return { verdict: 'ok', detail: 'one slow answer, being confirmed', place: NOWHERE, because: late, confirm };
  return { verdict: 'degraded', detail: 'slow', place: { kind: 'none', inferred: true }, because: late, confirm };
}

function setting(window: Window, id: TargetId, p: ProbeResult): Raw {
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
function shed(window: Window, id: TargetId, r: FrontEndReading, p: ProbeResult): Raw {
  const dead = deadPlace(window, id);
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
  const restarted = Math.max(0, ...engines.map((e) => e.restartedAt ?? 0));
  const wellSince = Math.max(restarted, refusing ?? p.sentAt, lastTrouble(window, id));
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

function failed(window: Window, id: TargetId, r: FrontEndReading, p: ProbeResult): Raw {
  const since = r.badRun.at(-1)?.sentAt;
  const dead = deadPlace(window, id);
  if (dead) return { verdict: 'down', place: dead.place, since, because: `${p.sentence}; ${dead.because}` };
  const engines = enginesBehind(window, id).flatMap((t) => readEngine(window, t.id) ?? []);
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
  if (r.badRun.length >= 2 || failing || itself) return { verdict: 'down', place, since, because: p.sentence };
  const flake = r.counted[1]?.is === 'good';
  return {
    verdict: flake ? 'ok' : 'degraded',
    detail: 'one failed chat, being confirmed',
    place: flake ? NOWHERE : place,
    because: p.sentence,
    confirm: 'a second failure would confirm it',
  };
}

function network(window: Window, id: TargetId, r: FrontEndReading, p: ProbeResult): Raw {
  const place: Place = { kind: 'dashboard network', inferred: false };
  const others = frontEnds(window).filter((t) => t.id !== id && t.url.split(':')[1] !== window.target(id)?.url.split(':')[1]);
  const allGone =
    others.length > 0 &&
    others.every((t) => ['connect-timeout', 'unreachable'].includes(window.probes(t.id).find((q) => q.outcome !== 'pending')?.outcome ?? ''));
  if (allGone) return { verdict: 'unknown', place, because: `${p.sentence}; no host of the stack can be reached from here` };
  if (r.badRun.length >= 2) return { verdict: 'down', place, since: r.badRun.at(-1)?.sentAt, because: p.sentence };
  return { verdict: 'degraded', detail: 'suspect', place, because: p.sentence, confirm: 'a second try would confirm it' };
}

/** Good and silent chats in turns: hanging at a rate, held while its cause is seen or until a clean run shows that it is over. */
function intermittent(window: Window, id: TargetId, r: FrontEndReading): Raw | undefined {
  const episode = episodeOf(r, window.at);
  const silent = episode.filter((c) => c.is === 'silent');
  const newest = silent[0]?.p;
  if (!newest) return undefined;
  const part = partly(window, id);
  const times = episode.filter((c, i) => c.is === 'silent' && episode[i + 1]?.is !== 'silent').length;
  if (!part && (times < RATE_FAILURES || r.goodRun.length >= CLEAN_RUN)) return undefined;
  const stop = part ?? whereItStops(window, id);
  return {
    verdict: 'hanging',
    detail: 'intermittent',
    place: stop.place,
    phase: hangPhase(phaseOutcome(newest)),
    since: silent.at(-1)?.p.sentAt,
    because: `${silent.length} of the last ${episode.length} chats got no answer${part ? `; ${part.because}` : ''}`,
  };
}

/** The counted chats since the first that went wrong after the last clean run, newest first; all recent ones while nothing is wrong. */
function episodeOf(r: FrontEndReading, at: number): FrontEndReading['counted'] {
  const recent = r.counted.filter((c) => at - c.p.sentAt < RATE_MS).slice(0, RATE_PROBES);
  const bad = (c: FrontEndReading['counted'][number]) => c.is !== 'good' && c.is !== 'slow';
  const clean = recent.findIndex(
    (_, i) => i > 0 && i + CLEAN_RUN <= recent.length && recent.slice(i, i + CLEAN_RUN).every((c) => !bad(c)) && recent.slice(0, i).some(bad),
  );
  const since = clean < 0 ? recent : recent.slice(0, clean);
  const first = since.findLastIndex(bad);
  return first < 0 ? since : since.slice(0, first + 1);
}

/** Chats pass in their usual time while the floor of a hand-over queue rises: what is held there is never given back. */
function leaking(window: Window, id: TargetId): Raw | undefined {
  const leak = leakOf(window, id);
  return (
    leak && {
      verdict: 'degraded',
      detail: 'leak',
      place: leak.place,
      since: leak.since,
      because: leak.because,
    }
  );
}

function rateOf(r: FrontEndReading, at: number): Judgement['rate'] {
  const episode = episodeOf(r, at);
  const failed = episode.filter((c) => c.is !== 'good' && c.is !== 'slow').length;
  return episode.length === 0 ? undefined : { failed, of: episode.length, ...wilson(failed, episode.length) };
}

/** Judge an engine by its own pages and by what its front-ends' chats proved. */
export function judgeEngine(
  window: Window,
  id: TargetId,
  stops: readonly { front: TargetId; judgement: { verdict: Verdict; place?: Place; since: number; because: string; detail?: string } }[],
): Raw {
  const e = readEngine(window, id);
  if (!e) return { verdict: 'unknown', because: 'not known' };
  const blamed = stops.find((s) => s.judgement.place?.target === id && s.judgement.verdict !== 'ok');
  if (blamed)
    return {
      verdict: blamed.judgement.verdict,
      detail: blamed.judgement.detail,
      place: blamed.judgement.place,
      since: blamed.judgement.since,
      because: blamed.judgement.because,
    };
  const place = enginePlace(e);
  if (e.reach === 'refuses') return { verdict: 'down', place, since: e.reachSince, because: 'refuses connections' };
  if (e.reach === 'mute')
    return {
      verdict: 'hanging',
      place: { ...place, kind: 'response path' },
      since: e.reachSince,
      because: 'accepts connections and answers on none of its pages',
    };
  if (e.reach === 'unknown') return { verdict: 'unknown', because: 'none of its pages has been read yet' };
  const health = window.health(id);
  const red = health?.exchange.status !== undefined && health.exchange.status >= 500;
  if (e.heartbeat === 'stands' && e.heartbeatBy !== 'health')
    return {
      verdict: 'degraded',
      detail: 'suspect',
      place,
      because: `its scheduler ${e.ageS === undefined ? 'stands' : `last spoke ${Math.round(e.ageS)} s ago`}; no chat has proved a hang yet`,
    };
  if (red)
    return { verdict: 'degraded', detail: 'health red', place, because: `its health check says ${health?.exchange.status}, which a long prefill does too` };
  return { verdict: 'ok', place: NOWHERE, because: e.heartbeat === 'turns' ? 'its scheduler turns' : 'its pages answer' };
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? 'no time' : `${(ms / 1000).toFixed(1)} s`;
}
