import type { SeriesName } from '@/lib/model/sample';
import type { Target, TargetId } from '@/lib/model/target';
import type { Place } from '@/lib/model/verdict';
import type { SeriesWindow, Window } from '@/lib/model/window';
import { type EngineReading, heartbeatWords, motion, readEngine } from './engine';
import { enginesBehind, readFrontEnd, siblings } from './front-end';
import { leakOf } from './leak';
import { partOf } from './partial';

/** Where requests of one front-end stop, and why we say so. `sure`: a counter of that very hop said so. */
export type Stop = { place: Place; because: string; independent: boolean };

/** Find where the silent chats of a front-end stop, from what moved on each hop while they were out. */
export function whereItStops(window: Window, id: TargetId): Stop {
  const hung = readFrontEnd(window, id)?.silentRun ?? [];
  const engines = enginesBehind(window, id).flatMap((t) => readEngine(window, t.id) ?? []);
  const from = hung.at(-1)?.sentAt ?? window.at;
  const at: Look = { window, id, engines, from, newestFrom: hung[0]?.sentAt ?? from };
  const inside = served(at)
    ? undefined
    : tentative(at, unhanded(at) ?? detokenizer(at) ?? transfer(at) ?? poolGone(at) ?? leaked(at) ?? bootstrap(at) ?? queueNames(at) ?? stepless(at));
  return partly(window, id) ?? mute(at) ?? asleep(at) ?? standing(at) ?? halfDispatch(at) ?? inside ?? frontEndItself(at) ?? unknown(at);
}

/** Where a part of the requests stops, whatever the newest chat says: good answers do not refute it. */
export function partly(window: Window, id: TargetId): Stop | undefined {
  const part = partOf(window, id);
  if (!part) return undefined;
  if (part.kind === 'ghost')
    return {
      place: at('router path', window.target(id), false),
      because: `${part.gone.slice(0, 4).join(' and ')} on its list cannot be reached, while others of ${part.gone.length > 1 ? 'their' : 'its'} kind serve: chats that are sent there wait`,
      independent: true,
    };
  const ranks = `${part.ranks.length > 1 ? 'ranks' : 'rank'} ${part.ranks.join(', ')} of ${part.target.name}`;
  return {
    place: at(
      part.target.role === 'prefill' ? 'prefill' : part.target.role === 'decode' ? 'decode' : 'engine',
      part.target,
      false,
      part.ranks.length === 1 ? part.ranks[0] : undefined,
    ),
    because: `${ranks} (of ${part.of}) ${part.ranks.length > 1 ? 'hold' : 'holds'} ${part.held} and ${part.ranks.length > 1 ? 'finish' : 'finishes'} none, while the other ranks work`,
    independent: true,
  };
}

/** `from`: when the first silent chat was sent; `newestFrom`: the last, by when what was under way before the fault has run out. */
type Look = { window: Window; id: TargetId; engines: EngineReading[]; from: number; newestFrom: number };

const at = (kind: Place['kind'], target: Target | undefined, inferred: boolean, rank?: string): Place => ({
  kind,
  inferred,
  ...(target ? { target: target.id, name: target.name } : {}),
  ...(rank === undefined ? {} : { rank }),
});

/** Queues under mixed traffic may be in passing: while a sibling's last chat was good and none since has been judged, what they say is inferred and no witness. */
function tentative({ window, id, from }: Look, stop: Stop | undefined): Stop | undefined {
  const open = siblings(window, id).some((s) => {
    const newest = readFrontEnd(window, s.id)?.newest;
    return newest?.is === 'good' && newest.p.sentAt < from;
  });
  return stop && open ? { ...stop, independent: false, place: { ...stop.place, inferred: true } } : stop;
}

/** The very engines answered a sibling's chat that was sent after ours: queues that pass prove nothing against them. */
function served({ window, id, engines, from }: Look): boolean {
  const one = (role: string) => engines.filter((e) => e.target.role === role).length <= 1;
  return one('prefill') && one('decode') && siblingGood(window, id, from);
}

function mute({ engines }: Look): Stop | undefined {
  const e = engines.find((x) => x.reach === 'mute' && !x.stoodBefore);
  return (
    e && { place: at('response path', e.target, false), because: `${e.target.name} accepts connections and answers on none of its pages`, independent: true }
  );
}

/** Every engine of one kind on the way was put to sleep, and says so. */
function asleep({ engines }: Look): Stop | undefined {
  const e = engines.find((x) => x.isAsleep && engines.every((other) => other.target.role !== x.target.role || other.isAsleep));
  if (!e) return undefined;
  const kind = e.target.role === 'prefill' || e.target.role === 'decode' ? e.target.role : 'engine';
  return { place: at(kind, e.target, false), because: `${e.target.name} says of itself that it sleeps: it takes chats in and begins none`, independent: true };
}

/** The side whose scheduler no longer speaks is the culprit; the queue that grows stands on the healthy side. */
function standing({ engines }: Look): Stop | undefined {
  const order = { prefill: 0, unified: 1, decode: 2 } as const;
  const stand = engines.filter((e) => e.heartbeat === 'stands' || (e.reach === 'mute' && e.stoodBefore)).sort((a, b) => rank(a) - rank(b));
  const e = stand[0];
  if (!e) return undefined;
  const kind = e.target.role === 'unified' ? 'engine' : e.target.role === 'prefill' ? 'prefill' : 'decode';
  const both =
    stand.length > 1
      ? ` (and ${stand
          .slice(1)
          .map((x) => x.target.name)
          .join(', ')})`
      : '';
  return {
    place: at(kind, e.target, e.heartbeatBy === 'health', e.standingRanks.length === 1 ? e.standingRanks[0] : undefined),
    because: e.reach === 'mute' ? `the scheduler of ${e.target.name} stood before its pages fell silent${both}` : `${heartbeatWords(e)}${both}`,
    independent: true,
  };

  function rank(x: EngineReading): number {
    return x.target.role in order ? order[x.target.role as keyof typeof order] : 3;
  }
}

/** Decode got the request and prefill did not: the front-end sends one leg only. Floors, since a sibling's traffic passes through both. */
function halfDispatch({ window, id, engines, from }: Look): Stop | undefined {
  const prefill = engines.filter((e) => e.target.role === 'prefill');
  const decode = engines.filter((e) => e.target.role === 'decode');
  const got = decode.find((e) => (e.floors.transfer ?? 0) + (e.floors.prealloc ?? 0) > 0 && (e.floors.chats ?? 1) > 0);
  if (!got || prefill.length === 0 || !prefill.every(holdsNothing)) return undefined;
  const sibling = siblingGood(window, id, from);
  if (!sibling && !prefill.every((e) => (motion(window, e.target.id, from).prefillTokens ?? 0) === 0)) return undefined;
  return {
    place: at('router path', window.target(id), false),
    because: `${got.target.name} waits for the KV of our chat, and no prefill has it: only the decode leg was sent`,
    independent: sibling,
  };
}

export function holdsNothing(e: EngineReading): boolean {
  return (e.floors.bootstrap ?? 0) === 0 && (e.floors.inflight ?? 0) === 0 && (e.floors.chats ?? 0) === 0;
}

/** Its scheduler holds nothing any more and its HTTP process still waits: the answer is lost between the two (detokenizer stopped; sglang 0.5.23, seen running). */
function unhanded({ window, engines, from }: Look): Stop | undefined {
  // a prefill's answer may wait for decode's: while a decode holds the chat too, prefill's wait says nothing of itself
  const isFurther = engines.some((x) => x.target.role === 'decode' && (x.chatActive ?? 0) > 0);
  const e = engines.find((x) => x.heartbeat === 'turns' && !(x.target.role === 'prefill' && isFurther) && isDoneInside(window, x.target.id, from));
  return (
    e && {
      place: at('response path', e.target, false),
      because: `the scheduler of ${e.target.name} holds no request any more, and its HTTP process still waits for ${e.chatActive} chats`,
      independent: true,
    }
  );
}

const WORK: readonly SeriesName[] = [
  'num_running_reqs',
  'num_queue_reqs',
  'num_prefill_bootstrap_queue_reqs',
  'num_prefill_inflight_queue_reqs',
  'num_decode_prealloc_queue_reqs',
  'num_decode_transfer_queue_reqs',
];

/** Twice in a row, so that no request in passing is taken for a lost one. */
function isDoneInside(window: Window, id: TargetId, from: number): boolean {
  const twice = (s: SeriesWindow, test: (value: number) => boolean) => {
    const last = s.points.slice(-2);
    return last.length === 2 && last.every((p) => p.at > from && test(p.value));
  };
  const all = window.series(id);
  const work = all.filter((s) => s.source === 'loads' && WORK.includes(s.name));
  const chats = all.filter((s) => s.name === 'http_requests_active' && s.by === 'chat');
  return work.some((s) => s.name === 'num_running_reqs') && work.every((s) => twice(s, (v) => v === 0)) && chats.some((s) => twice(s, (v) => v > 0));
}

/** Decode's forward passes go on and nothing leaves the engine. */
function detokenizer({ window, engines, from }: Look): Stop | undefined {
  const e = engines.find((x) => {
    const m = motion(window, x.target.id, from);
    return (
      x.target.role !== 'prefill' &&
      window.moved(x.target.id, 'realtime_tokens_total', from, undefined, { by: 'decode' }) !== undefined &&
      (m.decodeTokens ?? 0) > 20 &&
      m.generated === 0 &&
      (x.chatActive ?? 0) > 0
    );
  });
  return e && { place: at('response path', e.target, true), because: `${e.target.name} computes tokens and hands none out`, independent: true };
}

function transfer({ window, engines, newestFrom: from }: Look): Stop | undefined {
  const prefill = engines.find(
    (e) => e.target.role === 'prefill' && ((e.queues.inflight ?? 0) > 0 || (motion(window, e.target.id, from).prefillTokens ?? 0) > 0),
  );
  const decode = engines.find((e) => e.target.role === 'decode' && (e.queues.transfer ?? 0) > 0);
  if (!prefill || !decode || (motion(window, decode.target.id, from).decodeTokens ?? 0) > 0) return undefined;
  if ((prefill.queues.inflight ?? 0) === 0) return undefined;
  return {
    place: at('kv-transfer', undefined, false),
    because: `${prefill.target.name} has computed and holds ${prefill.queues.inflight} in flight, ${decode.target.name} still waits for ${decode.queues.transfer}`,
    independent: true,
  };
}

/** Requests that never end hold decode's whole transfer pool: ours wait before it, with both loops turning and nothing running. */
function poolGone({ window, engines, newestFrom: from }: Look): Stop | undefined {
  const decode = engines.find(
    (e) => e.target.role === 'decode' && (e.floors.prealloc ?? 0) > 0 && (e.floors.transfer ?? 0) > 0 && e.queues.running === 0 && e.heartbeat !== 'stands',
  );
  if (!decode || (motion(window, decode.target.id, from).decodeTokens ?? 0) > 0) return undefined;
  return {
    place: at('kv-transfer', undefined, false),
    because: `the transfer queue of ${decode.target.name} holds ${decode.floors.transfer} that do not end, and ${decode.floors.prealloc} wait for a place in it`,
    independent: true,
  };
}

/** A leak that was seen before the first silent chat has come to its end. */
function leaked({ window, id }: Look): Stop | undefined {
  const leak = leakOf(window, id);
  return leak && { place: { ...leak.place, inferred: true }, because: `before our chats fell silent ${leak.because}`, independent: true };
}

/** Both loops turn, the hand-shake never ends: prefill has the request and does not compute it, decode has sent its addresses. */
function bootstrap({ window, engines, newestFrom: from }: Look): Stop | undefined {
  const prefill = engines.find((e) => e.target.role === 'prefill' && (e.queues.bootstrap ?? 0) > 0 && e.heartbeat !== 'unknown');
  const decode = engines.find((e) => e.target.role === 'decode' && (e.queues.transfer ?? 0) > 0 && e.heartbeat === 'turns');
  if (!prefill || !decode || (motion(window, prefill.target.id, from).prefillTokens ?? 0) > 0) return undefined;
  return {
    place: at('prefill', prefill.target, false),
    because: `${prefill.target.name} keeps ${prefill.queues.bootstrap} in bootstrap and computes nothing, while ${decode.target.name} waits for it with a turning loop`,
    independent: true,
  };
}

/** How long after our chat was sent a page must have been read to show a step made for it. */
const STEP_MS = 4_000;

/** vLLM counts its steps, and a chat that is in it is worth at least one: the first half on our chat's way that made none since is where it stops. */
function stepless({ window, id, engines, from }: Look): Stop | undefined {
  for (const role of ['prefill', 'decode', 'unified'] as const) {
    const all = engines.filter((e) => e.target.role === role);
    if (all.length === 0) continue;
    const steps = all.map((e) => stepsSince(window, e.target.id, from));
    if (steps.some((n) => n === undefined)) return undefined;
    if (steps.some((n) => n !== 0)) continue;
    const target = all.length === 1 ? all[0]?.target : undefined;
    const who = target?.name ?? `every ${role}`;
    const isWhole = role === 'unified';
    // a front-end that forwards nothing leaves its engines idle as well; a chat sent straight to the engine is in it
    const isInside = isWhole && target?.id === id;
    return {
      place: at(isWhole ? 'engine' : role, target, !isInside),
      because: isInside
        ? `${who} took our chat and has made no step since; its counters read idle, as they do in a frozen vLLM that nobody asks: only a chat tells`
        : `${who} has made no step since our chat was sent`,
      independent: isInside,
    };
  }
  return undefined;
}

function stepsSince(window: Window, id: TargetId, from: number): number | undefined {
  const read = window
    .series(id)
    .find((s) => s.name === 'engine_steps_total')
    ?.points.at(-1)?.at;
  return read === undefined || read < from + STEP_MS ? undefined : window.moved(id, 'engine_steps_total', from);
}

/** Without heart-beats: the queue that grew stands on the healthy side and names the other. */
function queueNames({ window, engines, from }: Look): Stop | undefined {
  const prefill = engines.find((e) => e.target.role === 'prefill');
  const decode = engines.find((e) => e.target.role === 'decode');
  if (!prefill || !decode) return undefined;
  const grew = (id: TargetId, name: 'num_prefill_bootstrap_queue_reqs' | 'num_decode_transfer_queue_reqs') => (window.moved(id, name, from) ?? 0) > 0;
  const tokens = motion(window, prefill.target.id, from).prefillTokens ?? 0;
  if (tokens === 0 && grew(prefill.target.id, 'num_prefill_bootstrap_queue_reqs') && !grew(decode.target.id, 'num_decode_transfer_queue_reqs'))
    return {
      place: at('decode', decode.target, true),
      because: `our chats wait in the bootstrap queue of ${prefill.target.name}: ${decode.target.name} never shook hands`,
      independent: true,
    };
  if (tokens === 0 && grew(decode.target.id, 'num_decode_transfer_queue_reqs') && !grew(prefill.target.id, 'num_prefill_bootstrap_queue_reqs'))
    return {
      place: at('prefill', prefill.target, true),
      because: `our chats wait in the transfer queue of ${decode.target.name}: ${prefill.target.name} never computed them`,
      independent: true,
    };
  return undefined;
}

/** The engines saw nothing of it, or serve a sibling well. */
function frontEndItself({ window, id, engines, from }: Look): Stop | undefined {
  const self = window.target(id);
  // A sibling with a hung chat of its own shares the trouble, however its newest was answered.
  if (siblings(window, id).some((s) => (readFrontEnd(window, s.id)?.open.length ?? 0) > 0)) return undefined;
  const sibling = siblingGood(window, id, from);
  const tells = engines.filter((e) => e.chatActive !== undefined);
  const arrived = tells.some((e) => (e.chatActive ?? 0) > 0 || (motion(window, e.target.id, from).chats ?? 0) > 0);
  const kind = self?.role === 'unified' ? 'engine' : 'front-end';
  if (self?.role === 'unified')
    return { place: at(kind, self, true), because: `${self.name} answers its pages and not our chats; no counter of it says where`, independent: false };
  if (sibling)
    return {
      place: at(kind, self, tells.length === 0),
      because: `chats through another front-end are answered by the same engines${arrived ? '' : ', which saw nothing of ours'}`,
      independent: false,
    };
  if (tells.length > 0 && tells.length === engines.length && !arrived)
    return { place: at(kind, self, false), because: 'no engine behind it saw our chats arrive', independent: false };
  return undefined;
}

function unknown({ engines }: Look): Stop {
  const only = engines.length === 1 ? engines[0]?.target : undefined;
  if (only?.role === 'unified') return { place: at('engine', only, true), because: 'the engine answers its pages and not our chats', independent: false };
  return { place: { kind: 'none', inferred: true }, because: 'no counter tells yet where it stops', independent: false };
}

/** A sibling's chat that was sent after ours and came back good. */
export function siblingGood(window: Window, id: TargetId, from: number): boolean {
  return siblings(window, id).some((s) => (readFrontEnd(window, s.id)?.counted ?? []).some((c) => c.is === 'good' && c.p.sentAt >= from));
}
