import type { Freshness, Judgement, Verdict } from '@/lib/model/verdict';
import type { Raw } from './raw';

/** Verdicts that are an alarm: entered on evidence, left only on proof. */
const ALARMS: ReadonlySet<Verdict> = new Set(['hanging', 'down', 'misconfigured']);
/** An alarm that comes back within this span of its clearing was never over. */
const RELAPSE_MS = 60_000;
const FLAP_MS = 300_000;
const MOST_GOODS = 8;
const MOST_RUN = 20;
const KEEP_PLACE_MS = 90_000;
/** A trouble short of an alarm is shown at another place only when that has been told for so long: bursts pass from stage to stage. */
const MOVE_PLACE_MS = 10_000;
const SETTLING_MS = 40_000;
const MOVE_ALARM_MS = 5_000;

/** Troubles short of an alarm that account for chats which got no answer in time. */
const EXPLAINS: ReadonlySet<string | undefined> = new Set(['overload', 'slow', 'warm-up', 'instance gone', 'leak']);
/** Out of such a trouble a hang has to be told for so long: for a moment a queue in passing looks like a stop. */
const HANG_MS = 6_000;

/** What the lifecycle remembers of one judged thing. */
export type Life = {
  judgement: Judgement;
  /** Good chats asked for before the alarm clears; doubles with each relapse. */
  needGoods: number;
  clearedAt?: number;
  clearedFrom?: Judgement;
  /** When a counter last told the place that is shown. */
  placedAt?: number;
  /** Since when another place than the shown one is told of a lesser trouble. */
  movingAt?: number;
  /** When a lesser trouble was last told that accounts for silent chats. */
  explainedAt?: number;
  /** Since when a hang has been told out of such a trouble. */
  hangAt?: number;
};

type Told = Omit<Raw, 'confirm'>;

/** What the moment says beside the raw judgement. `refuted`: the part that was stuck works again by its own counters. */
export type Moment = { at: number; freshness: Freshness; blindWhy?: string; goodsSinceBad: number; moving: boolean; refuted: boolean };

/** The single state machine: raw judgements in, steady ones out. */
export function advance(life: Life | undefined, raw: Raw, now: Moment): Life {
  const { confirm: _, ...told } = raw;
  const known: Omit<Life, 'judgement'> = life ?? { needGoods: 2 };
  const before = life?.judgement;
  if (now.freshness === 'blind') return { ...known, judgement: blindJudgement(before, now) };
  if (!before) return onward(known, undefined, told, now);
  const stays = (more: Partial<Life> = {}) => ({ ...known, ...more, judgement: { ...before, freshness: now.freshness } });
  if (ALARMS.has(before.verdict) && !ALARMS.has(told.verdict)) {
    if (!isProof(before, told, now, known.needGoods)) return stays();
    const judgement = { ...told, since: told.since ?? now.at, freshness: now.freshness };
    return { needGoods: known.needGoods, clearedAt: now.at, clearedFrom: before, judgement };
  }
  const hangAt = known.hangAt ?? now.at;
  if (told.verdict === 'hanging' && explains(before) && now.at - hangAt < HANG_MS) return stays({ hangAt });
  return onward(known, before, told, now);
}

/** Only proof ends an alarm: good chats, or a named lesser trouble that explains it. */
function isProof(before: Judgement, told: Told, now: Moment, needGoods: number): boolean {
  if (before.detail === 'intermittent' && !now.refuted) return told.verdict === 'ok' && now.goodsSinceBad >= enoughToRefute(before);
  if (told.verdict !== 'ok') return told.detail !== 'suspect' && told.verdict !== 'unknown';
  return now.goodsSinceBad >= needGoods || (now.goodsSinceBad >= 1 && now.moving && needGoods <= 2);
}

const explains = (j: Pick<Judgement, 'verdict' | 'detail'>) => j.verdict === 'degraded' && EXPLAINS.has(j.detail);

/** From word to word where nothing is to be proved: `since` is kept over a relapse, which also asks for more proof the next time. */
function onward(life: Omit<Life, 'judgement'>, before: Judgement | undefined, told: Told, now: Moment): Life {
  const sinceCleared = life.clearedAt === undefined ? Number.POSITIVE_INFINITY : now.at - life.clearedAt;
  const relapsed = ALARMS.has(told.verdict) && sinceCleared < FLAP_MS && before !== undefined && !ALARMS.has(before.verdict);
  const old = relapsed && sinceCleared < RELAPSE_MS && life.clearedFrom?.verdict === told.verdict ? life.clearedFrom.since : undefined;
  const since = old ?? (before?.verdict === told.verdict ? Math.min(before.since, told.since ?? before.since) : (told.since ?? now.at));
  const calm = sinceCleared !== Number.POSITIVE_INFINITY && sinceCleared > FLAP_MS && !ALARMS.has(told.verdict);
  const settled = settle(life, before, told, now.at);
  return {
    ...life,
    placedAt: settled.kept ? life.placedAt : now.at,
    movingAt: settled.movingAt,
    hangAt: undefined,
    ...(explains(told) ? { explainedAt: now.at } : {}),
    needGoods: relapsed ? Math.min(MOST_GOODS, life.needGoods * 2) : calm ? 2 : life.needGoods,
    ...(calm ? { clearedAt: undefined, clearedFrom: undefined } : {}),
    judgement: { ...settled.told, since, freshness: now.freshness },
  };
}

/** Good chats in a row that would be a chance of less than 5 % if it still hung at the rate last told; where a counter told the very rank, the most that we ask for. */
function enoughToRefute({ rate, place }: Judgement): number {
  if (place?.rank !== undefined) return MOST_RUN;
  const share = rate && rate.of > 0 ? rate.failed / rate.of : 0;
  return Math.min(MOST_RUN, Math.max(MOST_GOODS, share > 0 && share < 1 ? Math.ceil(Math.log(0.05) / Math.log(1 - share)) : 0));
}

/** An engine is judged by its pages and by the chats of its front-ends, which have a life of their own: it follows at once. */
export function follow(life: Life | undefined, raw: Raw, now: Moment): Life {
  if (now.freshness === 'blind') return { ...(life ?? { needGoods: 0 }), judgement: blindJudgement(life?.judgement, now) };
  const { confirm: _, ...told } = raw;
  const since = life?.judgement.verdict === raw.verdict ? Math.min(life.judgement.since, raw.since ?? life.judgement.since) : (raw.since ?? now.at);
  return { needGoods: 0, judgement: { ...told, since, freshness: now.freshness } };
}

/** Within one alarm a place that a counter told is not lost when counters fall silent, nor at once for one that is told by exclusion only. */
function settle(life: Omit<Life, 'judgement'>, before: Judgement | undefined, told: Told, at: number): { told: Told; kept: boolean; movingAt?: number } {
  if (before?.verdict !== told.verdict || !before.place || before.place.kind === 'none') return { told, kept: false };
  // Chats in a row that happen to hang are no new place: what was seen of the part still explains them.
  if (before.detail === 'intermittent' && told.detail !== 'intermittent' && (told.place === undefined || ['none', 'front-end'].includes(told.place.kind)))
    return { told: { ...told, detail: before.detail, place: before.place, because: before.because }, kept: true };
  const lost = told.place === undefined || told.place.kind === 'none';
  const weaker = before.place.kind === 'router path' && told.place?.kind === 'front-end' && at - (life.placedAt ?? 0) < KEEP_PLACE_MS;
  if (lost || weaker) return { told: { ...told, place: before.place, because: before.because }, kept: true };
  const movingAt = life.movingAt ?? at;
  if (told.place?.kind !== before.place.kind && at - movingAt < mayMoveAfter(before, at))
    return { told: { ...told, place: before.place, because: before.because }, kept: true, movingAt };
  return { told, kept: false };
}

/** How long another place must be told before it is shown. An alarm finds its place at first, and keeps it later against what is told in passing. */
function mayMoveAfter(before: Judgement, at: number): number {
  if (before.verdict === 'degraded') return before.detail === 'suspect' ? 0 : MOVE_PLACE_MS;
  return at - before.since < SETTLING_MS ? 0 : MOVE_ALARM_MS;
}

/** A blind observer opens no alarm and closes none: an alarm stays as last known, anything else is unknown. */
function blindJudgement(before: Judgement | undefined, now: Moment): Judgement {
  if (before && ALARMS.has(before.verdict)) return { ...before, freshness: 'blind' };
  const since = before?.verdict === 'unknown' ? before.since : now.at;
  return {
    verdict: 'unknown',
    detail: 'blind',
    freshness: 'blind',
    since,
    place: { kind: 'dashboard network', inferred: false },
    because: now.blindWhy ?? 'we were not looking',
  };
}
