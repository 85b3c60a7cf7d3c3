import type { TargetId } from '@/lib/model/target';
import type { Judgement } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';
import { enginesBehind, type FrontEndReading, readFrontEnd, siblings } from '@/lib/reading/front-end';
import { partly, whereItStops } from '@/lib/reading/stop';
import { wilson } from '@/lib/stats';
import { frontEndPlace } from './causes';
import { phaseOf, type Raw } from './raw';

/** Probes and time over which a rate is told. */
const RATE_PROBES = 20;
const RATE_MS = 600_000;
/** A front-end that hangs now and then is no longer flapping but hanging at a rate. */
const RATE_FAILURES = 3;
const CLEAN_RUN = 8;
/** So many good chats in a row are no luck any more where one in four ranks is stuck: 0.3 %. */
const MOST_LUCK = 20;
/** Refusals in a minute, and their share, from which on a front-end sheds. */
const SHARE_MS = 60_000;
/** Load is read so long after the sending: the next page, not the last one. */
const LOAD_AFTER_MS = 5_000;
const FEW = 3;
const LEAST_SHARE = 0.02;

type Counted = FrontEndReading['counted'];

const recently = (r: FrontEndReading, at: number): Counted => r.counted.filter((c) => at - c.p.sentAt < RATE_MS).slice(0, RATE_PROBES);
const isBad = (c: Counted[number]) => c.is !== 'good' && c.is !== 'slow';
/** How often it began anew, with other answers between. */
const times = (list: Counted, is: Counted[number]['is']) => list.filter((c, i) => c.is === is && list[i + 1]?.is !== is).length;

/** The counted chats since the first that went wrong after the last clean run, newest first; all recent ones while nothing is wrong. */
export function episodeOf(r: FrontEndReading, at: number): Counted {
  const recent = recently(r, at);
  const clean = recent.findIndex(
    (_, i) => i > 0 && i + CLEAN_RUN <= recent.length && !recent.slice(i, i + CLEAN_RUN).some(isBad) && recent.slice(0, i).some(isBad),
  );
  const since = clean < 0 ? recent : recent.slice(0, clean);
  const first = since.findLastIndex(isBad);
  return first < 0 ? since : since.slice(0, first + 1);
}

/** How often chats fail. An episode begins with a failure by definition: among answered ones that first is no draw, and would make the rate too high. */
export function rateOf(...episodes: Counted[]): Judgement['rate'] {
  const drawn = episodes.flatMap((episode) => (episode.every(isBad) || !episode.some(isBad) ? episode : episode.slice(0, -1)));
  const failed = drawn.filter(isBad).length;
  return drawn.length === 0 ? undefined : { failed, of: drawn.length, ...wilson(failed, drawn.length) };
}

/**
 * Good and silent chats in turns: hanging at a rate, held while its cause is seen or until a clean run shows that it is over. Silent ones that were sent
 * before `explained` had a lesser cause of their own, which is over.
 */
export function intermittent(window: Window, id: TargetId, r: FrontEndReading, explained: number): Raw | undefined {
  const part = partly(window, id);
  const episode = episodeOf(r, window.at).filter((c) => part !== undefined || c.p.sentAt > explained);
  // What a rank that is stuck does to a sibling's chats it does to ours, which may only have been lucky.
  const lucky = part?.place.rank !== undefined && r.goodRun.length < MOST_LUCK && !episode.some((c) => c.is === 'silent');
  const hit = lucky ? siblings(window, id).flatMap((s) => recentOf(window, s.id)) : episode;
  const silent = hit.filter((c) => c.is === 'silent').sort((a, b) => b.p.sentAt - a.p.sentAt);
  const newest = silent[0]?.p;
  if (!newest) return undefined;
  if (!part && (times(episode, 'silent') < RATE_FAILURES || r.goodRun.length >= CLEAN_RUN)) return undefined;
  const stop = part ?? whereItStops(window, id);
  // What an engine does to a part of its requests it does to those of every front-end: more chats, a better rate.
  const shared = stop.place.rank === undefined ? [] : siblings(window, id).map((s) => recentOf(window, s.id));
  const rate = rateOf(episode, ...shared);
  const share = rate === undefined || rate.of < 2 ? 'a chat got no answer' : `of ${rate.of} chats after the first silent one ${rate.failed} got no answer`;
  return {
    verdict: 'hanging',
    detail: 'intermittent',
    place: stop.place,
    phase: phaseOf(newest),
    since: silent.at(-1)?.p.sentAt,
    rate,
    because: `${share}${part ? `; ${part.because}` : ''}${underLoad(window, id, episode)}`,
  };
}

/** Whether all that got no answer were sent under more load than any that was answered; in words, or empty. */
function underLoad(window: Window, id: TargetId, episode: Counted): string {
  const load = (c: Counted[number]) => {
    const told = enginesBehind(window, id).flatMap((e) => window.value(e.id, 'num_running_reqs', { at: c.p.sentAt + LOAD_AFTER_MS }) ?? []);
    return told.length === 0 ? undefined : Math.max(...told);
  };
  const of = (is: (c: Counted[number]) => boolean) => episode.filter(is).flatMap((c) => load(c) ?? []);
  const [silent, good] = [of((c) => c.is === 'silent'), of((c) => c.is === 'good')];
  if (silent.length < FEW || good.length < FEW) return '';
  const [least, most] = [Math.min(...silent), Math.max(...good)];
  return least > most ? `; all of them while more than ${most} were running` : '';
}

function recentOf(window: Window, id: TargetId): FrontEndReading['counted'] {
  const r = readFrontEnd(window, id);
  return r ? episodeOf(r, window.at) : [];
}

/** Some chats refused among answered ones: back-pressure by choice. An open circuit refuses all of them for a while, and is told elsewhere. */
export function shedding(window: Window, id: TargetId, r: FrontEndReading): Raw | undefined {
  const told = limitedShare(window, id);
  if (told !== undefined)
    return {
      verdict: 'degraded',
      detail: 'shedding',
      place: frontEndPlace(window, id),
      because: `it answers ${Math.round(told * 100)} % of all requests with 429 by its own count`,
    };
  const recent = recently(r, window.at);
  const shed = recent.filter((c) => c.is === 'shed');
  const limited = shed.some((c) => c.p.exchange.status === 429 || c.p.exchange.status === 408);
  if (shed.length === 0 || r.goodRun.length >= CLEAN_RUN || (!limited && times(recent, 'shed') < 2)) return undefined;
  return {
    verdict: 'degraded',
    detail: 'shedding',
    place: frontEndPlace(window, id),
    since: shed.at(-1)?.p.sentAt,
    because: `${shed.length} of the last ${recent.length} chats were refused with ${[...new Set(shed.map((c) => c.p.exchange.status))].join(' or ')} at once, the others answered`,
  };
}

/** Share of a front-end's answers within a minute that are 429, by its own count; undefined where it does not count or refuses hardly any. */
function limitedShare(window: Window, id: TargetId): number | undefined {
  const moved = (by?: string) => window.moved(id, 'router_http_responses_total', window.at - SHARE_MS, undefined, by === undefined ? {} : { by }) ?? 0;
  const limited = moved('429');
  const all = moved();
  return limited >= FEW && limited >= all * LEAST_SHARE ? limited / all : undefined;
}
