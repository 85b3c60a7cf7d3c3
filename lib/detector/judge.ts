import type { ProbeResult } from '@/lib/model/probe';
import type { TargetId } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';
import { motion, readEngine } from '@/lib/reading/engine';
import { enginesBehind, type FrontEndReading, readFrontEnd, siblings } from '@/lib/reading/front-end';
import { partly, whereItStops } from '@/lib/reading/stop';
import { deadPlace, frontEndPlace, partGone, warmUp } from './causes';
import { episodeOf, intermittent, rateOf, shedding } from './episode';
import { overload } from './overload';
import { leaking, slow, slower } from './pace';
import { NOWHERE, phaseOf, type Raw, seconds } from './raw';
import { failed, network, setting, shed } from './refused';

/** For so long, or so many deadlines, a chat may wait behind others where tokens flow and nothing tells of a stop. */
const PATIENCE_MS = 60_000;
const PATIENCE_DEADLINES = 6;
const FEW_SILENT = 2;

/** Judge one front-end (or an engine that serves users itself) from the window alone. `explained`: until when a lesser trouble accounted for silent chats. */
export function judgeFrontEnd(window: Window, id: TargetId, explained = 0): Raw {
  const r = readFrontEnd(window, id);
  if (!r?.newest) return unproven(window, id);
  const raw = byNewest(window, id, r, explained);
  return { ...raw, rate: raw.rate ?? rateOf(episodeOf(r, window.at)) };
}

function byNewest(window: Window, id: TargetId, r: FrontEndReading, explained: number): Raw {
  const newest = r.newest;
  switch (newest?.is) {
    case 'good':
      return (
        intermittent(window, id, r, explained) ??
        shedding(window, id, r) ??
        leaking(window, id) ??
        slower(window, r) ?? { verdict: 'ok', place: NOWHERE, because: `last chat answered, first token after ${seconds(newest.p.reading?.ttftMs)}` }
      );
    case 'slow':
      return intermittent(window, id, r, explained) ?? shedding(window, id, r) ?? leaking(window, id) ?? slower(window, r) ?? slow(window, r, newest.p);
    case 'silent':
      return silent(window, id, r, explained);
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

function silent(window: Window, id: TargetId, r: FrontEndReading, explained: number): Raw {
  const newest = r.silentRun[0];
  const oldest = r.silentRun.at(-1);
  const common = { phase: newest && phaseOf(newest), since: oldest?.sentAt };
  const dead = deadPlace(window, id, r.badRun.at(-1)?.sentAt);
  if (dead) return { ...common, verdict: 'down', place: dead.place, because: dead.because };
  const some = intermittent(window, id, r, explained);
  if (some && partly(window, id)) return some;
  const stop = whereItStops(window, id);
  const warm = warmUp(window, id, stop, newest);
  if (warm) return { verdict: 'degraded', detail: 'warm-up', ...warm, since: oldest?.sentAt };
  const busy = overload(window, id, r);
  if (busy) return leaking(window, id) ?? { verdict: 'degraded', detail: 'overload', place: busy.place, because: busy.because, since: oldest?.sentAt };
  const gone = goneMayExplain(window, id, r, stop.independent) ? partGone(window, id) : undefined;
  if (gone)
    return {
      verdict: 'degraded',
      detail: 'instance gone',
      place: gone.place,
      because: `${newest?.sentence ?? 'silence'}; ${gone.because}`,
      since: oldest?.sentAt,
    };
  const moves = stop.place.kind === 'none' && oldest && tokensMove(window, id, oldest, newest);
  if (moves)
    return {
      verdict: 'degraded',
      detail: 'suspect',
      place: stop.place,
      since: oldest.sentAt,
      because: `${newest?.sentence ?? 'silence'}; ${moves}, and no counter tells of a stop: late, it may yet come`,
      confirm: 'an answer that comes late, or none for long, would settle it',
    };
  const witness = witnessOf(window, id, r, stop.independent);
  const words = `${newest?.sentence ?? 'silence'}; ${stop.because}`;
  if (!witness)
    return { ...common, verdict: 'degraded', detail: 'suspect', place: stop.place, because: words, confirm: 'a second silent chat would confirm the hang' };
  return { ...common, verdict: 'hanging', place: stop.place, because: `${words} (${witness})` };
}

/** A chat or two may just have met the instance that is gone, whatever queues it left behind; a scheduler that stands or a mute process is more than that. */
function goneMayExplain(window: Window, id: TargetId, r: FrontEndReading, independent: boolean): boolean {
  const engines = enginesBehind(window, id).flatMap((t) => readEngine(window, t.id) ?? []);
  const isSick = engines.some((e) => e.reach === 'mute' || (e.heartbeat === 'stands' && e.heartbeatBy !== 'health' && e.reach !== 'refuses'));
  return !independent || (!isSick && r.silentRun.length <= FEW_SILENT);
}

/** Engines that hold chats and compute speak for a queue, until ours have been silent for far longer than any queue lasts; in words. */
function tokensMove(window: Window, id: TargetId, oldest: ProbeResult, newest: ProbeResult | undefined): string | undefined {
  if (window.at - oldest.sentAt > Math.max(PATIENCE_MS, PATIENCE_DEADLINES * oldest.deadlineMs)) return undefined;
  const from = newest?.sentAt ?? oldest.sentAt;
  const working = enginesBehind(window, id).filter((t) => {
    const m = motion(window, t.id, from);
    return (readEngine(window, t.id)?.chatActive ?? 0) > 0 && (m.prefillTokens ?? 0) + (m.decodeTokens ?? 0) > 0;
  });
  return working.length === 0 ? undefined : `${working.map((t) => t.name).join(' and ')} ${working.length > 1 ? 'hold' : 'holds'} chats and computes`;
}

/** One late chat is a suspicion, one independent witness makes it a hang. */
function witnessOf(window: Window, id: TargetId, r: FrontEndReading, independent: boolean): string | undefined {
  if (r.silentRun.length >= 2) return `${r.silentRun.length} chats in a row`;
  if (independent) return 'witnessed by the engine';
  const sibling = siblings(window, id).find((s) => (readFrontEnd(window, s.id)?.silentRun.length ?? 0) > 0);
  return sibling && `${sibling.name} hangs too`;
}
