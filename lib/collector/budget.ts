import type { Purpose } from '@/lib/model/probe';

/** One chat of ours that has not ended. Times are monotonic ms. */
export type Out = { id: string; sentAt: number; late: boolean; purpose: Purpose };

/** What we have sent to one front-end and what of it is still out. A plain value; every function below returns a new one. */
export type Budget = {
  out: readonly Out[];
  /** Moments of sending, the last minute and at least the last one. */
  sentAt: readonly number[];
  /** Moments of counted aborts, the last 10 minutes. */
  abortsAt: readonly number[];
  /** The last answer did not end until we broke it off: whoever asks again will have to do so again. */
  isEndless?: true;
  /** When the newest probe that ended well was sent. */
  goodSentAt?: number;
  /** When the last heal probe that had to close a socket was sent. */
  closingHealAt?: number;
  /** When the heal probe that ended well was sent; a second good probe after it makes the older silent ones lost. */
  healedAt?: number;
};

/** Whether a probe may be sent now; `close` is the hung one that must go first. `at` is the earliest monotonic moment, absent when it hangs on an event. */
export type Permit = { ok: true; close?: string } | { ok: false; at?: number; why: string };

/** What watching may cost a front-end. */
export const LIMITS = {
  unfinished: 3,
  spacingMs: 10_000,
  aborts: 2,
  /** Ten minutes as the other side counts them: what we close at one moment it may see a little sooner or later. */
  abortWindowMs: 601_000,
  /** While everything hangs, two silent probes prove it; the third place stays free for a heal probe this long. */
  keptPlaceMs: 60_000,
  blindMs: 300_000,
  closingHealMs: 60_000,
} as const;

export const FRESH: Budget = { out: [], sentAt: [], abortsAt: [] };

/** May a probe of this purpose be sent now? */
export function ask(budget: Budget, now: number, purpose: Purpose): Permit {
  const waiting = budget.out.find((out) => !out.late);
  if (waiting !== undefined) return { ok: false, why: `a probe (${waiting.purpose}) is still inside its deadline` };
  const last = budget.sentAt.at(-1);
  const spaced = last === undefined ? now : last + LIMITS.spacingMs;
  if (spaced > now) return { ok: false, at: spaced, why: 'at most one probe in 10 s' };
  const breakOff = budget.isEndless ? mayAbort(budget, now, 0) : { ok: true as const };
  if (!breakOff.ok) return { ok: false, at: breakOff.at, why: 'its answers do not end, and breaking off one more would be an abort too many' };
  const hung = budget.out.length;
  if (hung < LIMITS.unfinished) {
    const isPlain = purpose === 'steady' || purpose === 'confirm';
    if (!isPlain || hung < 2 || isMixed(budget)) return { ok: true };
    const free = (last ?? now) + LIMITS.keptPlaceMs;
    return free <= now ? { ok: true } : { ok: false, at: free, why: 'two probes hang; the third place is kept for a heal probe' };
  }
  return askToClose(budget, now, purpose, last ?? now);
}

function askToClose(budget: Budget, now: number, purpose: Purpose, last: number): Permit {
  const oldest = budget.out.reduce((a, b) => (b.sentAt < a.sentAt ? b : a));
  if (purpose === 'confirm') return { ok: false, why: 'three probes hang' };
  const abort = mayAbort(budget, now, purpose === 'heal' ? 0 : 1);
  const patience =
    purpose === 'heal'
      ? budget.closingHealAt === undefined
        ? now
        : budget.closingHealAt + LIMITS.closingHealMs
      : purpose === 'steady'
        ? last + LIMITS.blindMs
        : now;
  if (!abort.ok) return { ok: false, at: Math.max(abort.at, patience), why: 'three probes hang and closing one more would be an abort too many' };
  if (patience > now) return { ok: false, at: patience, why: purpose === 'heal' ? 'a heal probe has just hung' : 'three probes hang; next blind probe' };
  return { ok: true, close: oldest.id };
}

/** Whether one more may be sent by somebody who leaves soon and must then break off whatever still hangs. */
export function mayLeave(budget: Budget, now: number): boolean {
  return budget.out.length + abortsWithin(budget, now).length < LIMITS.aborts;
}

/** May we abort one now, leaving `reserve` aborts for others? */
export function mayAbort(budget: Budget, now: number, reserve: 0 | 1): { ok: true } | { ok: false; at: number } {
  const recent = abortsWithin(budget, now);
  const allowed = LIMITS.aborts - reserve;
  if (recent.length < allowed) return { ok: true };
  return { ok: false, at: (recent[recent.length - allowed] ?? now) + LIMITS.abortWindowMs };
}

export function abortsWithin(budget: Budget, now: number): readonly number[] {
  return budget.abortsAt.filter((at) => at > now - LIMITS.abortWindowMs);
}

export function sent(budget: Budget, now: number, probe: { id: string; purpose: Purpose }, closes = false): Budget {
  return {
    ...budget,
    out: [...budget.out, { ...probe, sentAt: now, late: false }],
    sentAt: [...budget.sentAt.filter((at) => at > now - 60_000), now],
    ...(closes && probe.purpose === 'heal' ? { closingHealAt: now } : {}),
  };
}

export function late(budget: Budget, id: string): Budget {
  return { ...budget, out: budget.out.map((out) => (out.id === id ? { ...out, late: true } : out)) };
}

/** A probe ended, by whomever; `good` = it was answered well. */
export function ended(budget: Budget, id: string, good: boolean): Budget {
  const probe = budget.out.find((out) => out.id === id);
  if (probe === undefined) return budget;
  const { isEndless, ...rest } = budget;
  const out = budget.out.filter((each) => each.id !== id);
  if (!good) return { ...budget, out };
  const next = { ...rest, out };
  const goodSentAt = Math.max(budget.goodSentAt ?? probe.sentAt, probe.sentAt);
  return { ...next, goodSentAt, ...(probe.purpose === 'heal' ? { healedAt: probe.sentAt } : {}) };
}

/** We closed one: counted unless it was lost after a heal. */
export function aborted(budget: Budget, now: number): Budget {
  return { ...budget, abortsAt: [...abortsWithin(budget, now), now] };
}

/** An answer had to be broken off because it did not end. */
export function brokenOff(budget: Budget, now: number): Budget {
  return { ...aborted(budget, now), isEndless: true };
}

/** Silent probes from before a heal that two good probes have proved: closing them harms nobody and is not counted. */
export function lost(budget: Budget): readonly string[] {
  const { healedAt, goodSentAt } = budget;
  if (healedAt === undefined || goodSentAt === undefined || goodSentAt <= healedAt) return [];
  return budget.out.filter((out) => out.late && out.sentAt < healedAt).map((out) => out.id);
}

/** Some answer while others hang: then every probe is a sample of the rate, and all three places serve that. */
function isMixed(budget: Budget): boolean {
  const oldest = Math.min(...budget.out.map((out) => out.sentAt));
  return budget.goodSentAt !== undefined && budget.goodSentAt > oldest;
}
