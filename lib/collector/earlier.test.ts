import { expect, it } from 'vitest';
import type { Failure } from '@/lib/model/exchange';
import type { ProbeResult } from '@/lib/model/probe';
import { ask, mayAbort } from './budget';
import { budgetAfter } from './earlier';

const NOW = { wall: 1_700_000_000_000, mono: 500 };

/** A chat sent so many seconds ago that ended after some, or not at all. */
function chat(secondsAgo: number, end?: { afterS: number; failure?: Failure }): ProbeResult {
  const at = NOW.wall - secondsAgo * 1_000;
  const exchange = { at, elapsedMs: (end?.afterS ?? 8) * 1_000, ended: end !== undefined, ...(end?.failure === undefined ? {} : { failure: end.failure }) };
  return { sentAt: at, exchange } as unknown as ProbeResult;
}

it('a chat of just before a restart keeps the next one waiting', () => {
  const budget = budgetAfter({ chats: [chat(4, { afterS: 1 })], endedAt: NOW.wall - 2_000 }, NOW);
  expect(ask(budget, NOW.mono, 'steady')).toEqual({ ok: false, at: 6_500, why: 'at most one probe in 10 s' });
  expect(ask(budget, 6_500, 'steady')).toEqual({ ok: true });
});

it('chats that were out when we ended count as aborts of ours, and so do those that we had closed', () => {
  const budget = budgetAfter({ chats: [chat(20), chat(40), chat(300, { afterS: 100, failure: 'closed-by-us' })], endedAt: NOW.wall - 2_000 }, NOW);
  expect(budget.abortsAt).toEqual([NOW.mono - 200_000, NOW.mono - 2_000, NOW.mono - 2_000]);
  expect(budget.out).toEqual([]);
  expect(mayAbort(budget, NOW.mono, 0)).toMatchObject({ ok: false });
});

it('what is older than the limits look back is forgotten, and so is what a clock that was set back puts into the future', () => {
  const budget = budgetAfter({ chats: [chat(700), chat(-50, { afterS: 1 }), chat(90, { afterS: 1 })], endedAt: NOW.wall - 650_000 }, NOW);
  expect(budget).toEqual({ out: [], sentAt: [], abortsAt: [] });
});
