import { describe, expect, it } from 'vitest';
import { advance, type Life, type Moment } from './lifecycle';
import type { Raw } from './raw';

const hanging: Raw = { verdict: 'hanging', because: 'silence', place: { kind: 'decode', target: 'd', inferred: false } };
const ok: Raw = { verdict: 'ok', because: 'answered', place: { kind: 'none', inferred: false } };
const at = (seconds: number, over: Partial<Moment> = {}): Moment => ({
  at: seconds * 1000,
  freshness: 'live',
  goodsSinceBad: 0,
  moving: false,
  refuted: false,
  ...over,
});
const verdict = (life: Life) => life.judgement.verdict;

describe('an alarm', () => {
  const alarmed = advance(advance(undefined, ok, at(0)), hanging, at(10));

  it('needs two good chats to end when no counter moves', () => {
    const once = advance(alarmed, ok, at(20, { goodsSinceBad: 1 }));
    expect(verdict(once)).toBe('hanging');
    expect(verdict(advance(once, ok, at(30, { goodsSinceBad: 2 })))).toBe('ok');
  });

  it('ends with one good chat while counters move', () => {
    expect(verdict(advance(alarmed, ok, at(20, { goodsSinceBad: 1, moving: true, refuted: false })))).toBe('ok');
  });

  it('is not ended by a mere suspicion or by not knowing', () => {
    expect(verdict(advance(alarmed, { verdict: 'degraded', detail: 'suspect', because: '' }, at(20)))).toBe('hanging');
    expect(verdict(advance(alarmed, { verdict: 'unknown', because: '' }, at(20)))).toBe('hanging');
  });

  it('that comes back within a minute was never over, and asks for more proof the next time', () => {
    const cleared = advance(alarmed, ok, at(20, { goodsSinceBad: 2 }));
    const again = advance(cleared, hanging, at(40));
    expect(again.judgement.since).toBe(10_000);
    expect(verdict(advance(again, ok, at(50, { goodsSinceBad: 2, moving: true, refuted: false })))).toBe('hanging');
    expect(verdict(advance(again, ok, at(70, { goodsSinceBad: 4 })))).toBe('ok');
  });

  it('keeps the place that a counter once told', () => {
    const silent = advance(alarmed, { verdict: 'hanging', because: 'no counter tells', place: { kind: 'none', inferred: true } }, at(20));
    expect(silent.judgement.place?.kind).toBe('decode');
  });

  it('neither begins nor ends while we are blind', () => {
    expect(verdict(advance(alarmed, ok, at(20, { freshness: 'blind', goodsSinceBad: 9 })))).toBe('hanging');
    expect(verdict(advance(advance(undefined, ok, at(0)), hanging, at(10, { freshness: 'blind' })))).toBe('unknown');
  });
});

describe('a lesser trouble', () => {
  const busy: Raw = { verdict: 'degraded', detail: 'overload', because: 'queues', place: { kind: 'prefill', target: 'p', inferred: true } };
  const crowded = advance(advance(undefined, ok, at(0)), busy, at(10));

  it('that accounts for late chats gives way to a hang only when that is told for six seconds', () => {
    const once = advance(crowded, hanging, at(20));
    expect(verdict(once)).toBe('degraded');
    expect(verdict(advance(once, hanging, at(25)))).toBe('degraded');
    expect(verdict(advance(once, hanging, at(26)))).toBe('hanging');
    const passed = advance(advance(once, busy, at(22)), hanging, at(27));
    expect(verdict(passed)).toBe('degraded');
  });

  it('remembers until when it accounted for silent chats, and a mere suspicion does not', () => {
    expect(advance(crowded, ok, at(30)).explainedAt).toBe(10_000);
    expect(advance(undefined, { verdict: 'degraded', detail: 'suspect', because: '' }, at(10)).explainedAt).toBeUndefined();
  });

  it('moves to another place only when that is told for ten seconds', () => {
    const elsewhere: Raw = { ...busy, place: { kind: 'decode', target: 'd', inferred: true } };
    const once = advance(crowded, elsewhere, at(20));
    expect(once.judgement.place?.kind).toBe('prefill');
    expect(advance(once, elsewhere, at(30)).judgement.place?.kind).toBe('decode');
    expect(advance(advance(once, busy, at(25)), elsewhere, at(31)).judgement.place?.kind).toBe('prefill');
  });
});
