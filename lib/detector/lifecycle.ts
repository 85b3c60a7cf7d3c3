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

/** What the lifecycle remembers of one judged thing. */
export type Life = {
  judgement: Judgement;
  /** Good chats asked for before the alarm clears; doubles with each relapse. */
  needGoods: number;
  clearedAt?: number;
  clearedFrom?: Judgement;
  /** When a counter last told the place that is shown. */
  placedAt?: number;
};

/** What the moment says beside the raw judgement. `refuted`: the part that was stuck works again by its own counters. */
export type Moment = { at: number; freshness: Freshness; blindWhy?: string; goodsSinceBad: number; moving: boolean; refuted: boolean };

/** The single state machine: raw judgements in, steady ones out. */
export function advance(life: Life | undefined, raw: Raw, now: Moment): Life {
  const { confirm: _, ...told } = raw;
  const before = life?.judgement;
  const needGoods = life?.needGoods ?? 2;
  if (now.freshness === 'blind') return { ...(life ?? { needGoods }), judgement: blindJudgement(before, now) };
  if (before && ALARMS.has(before.verdict) && !ALARMS.has(raw.verdict)) {
    // Only proof ends an alarm: good chats, or a named lesser trouble that explains it.
    const enough =
      before.detail === 'intermittent' && !now.refuted
        ? raw.verdict === 'ok' && now.goodsSinceBad >= enoughToRefute(before)
        : raw.verdict === 'ok'
          ? now.goodsSinceBad >= needGoods || (now.goodsSinceBad >= 1 && now.moving && needGoods <= 2)
          : raw.detail !== 'suspect' && raw.verdict !== 'unknown';
    if (!enough) return { ...(life ?? { needGoods }), judgement: { ...before, freshness: now.freshness } };
    return { needGoods, clearedAt: now.at, clearedFrom: before, judgement: { ...told, since: raw.since ?? now.at, freshness: now.freshness } };
  }
  const relapsed =
    ALARMS.has(raw.verdict) && life?.clearedAt !== undefined && now.at - life.clearedAt < FLAP_MS && before !== undefined && !ALARMS.has(before.verdict);
  const old =
    relapsed && life?.clearedFrom && life.clearedAt !== undefined && now.at - life.clearedAt < RELAPSE_MS && life.clearedFrom.verdict === raw.verdict
      ? life.clearedFrom.since
      : undefined;
  const since = old ?? (before?.verdict === raw.verdict ? Math.min(before.since, raw.since ?? before.since) : (raw.since ?? now.at));
  const calm = life?.clearedAt !== undefined && now.at - life.clearedAt > FLAP_MS && !ALARMS.has(raw.verdict);
  const settled = settle(life, told, now.at);
  return {
    ...life,
    placedAt: settled.kept ? life?.placedAt : now.at,
    needGoods: relapsed ? Math.min(MOST_GOODS, needGoods * 2) : calm ? 2 : needGoods,
    ...(calm ? { clearedAt: undefined, clearedFrom: undefined } : {}),
    judgement: { ...settled.told, since, freshness: now.freshness },
  };
}

/** Good chats in a row that would be a chance of less than 5 % if it still hung at the rate last told. */
function enoughToRefute({ rate }: Judgement): number {
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
function settle(life: Life | undefined, told: Omit<Raw, 'confirm'>, at: number): { told: Omit<Raw, 'confirm'>; kept: boolean } {
  const before = life?.judgement;
  if (before?.verdict !== told.verdict || !before.place || before.place.kind === 'none') return { told, kept: false };
  // Chats in a row that happen to hang are no new place: what was seen of the part still explains them.
  if (before.detail === 'intermittent' && told.detail !== 'intermittent' && (told.place === undefined || ['none', 'front-end'].includes(told.place.kind)))
    return { told: { ...told, detail: before.detail, place: before.place, because: before.because }, kept: true };
  const lost = told.place === undefined || told.place.kind === 'none';
  const weaker = before.place.kind === 'router path' && told.place?.kind === 'front-end' && at - (life?.placedAt ?? 0) < KEEP_PLACE_MS;
  return lost || weaker ? { told: { ...told, place: before.place, because: before.because }, kept: true } : { told, kept: false };
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
