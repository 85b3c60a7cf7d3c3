import { describe, expect, it } from 'vitest';
import type { Outcome } from '@/lib/model/probe';
import { dotWords, lookOf, outcomeWords } from './probe-words';

const rejected = (status?: number) => ({ at: 0, outcome: 'rejected' as const, late: false, ended: true, elapsedMs: 3, ...(status ? { status } : {}) });

describe('the look of a refusal', () => {
  it.each([
    [401, 'misconfigured'],
    [403, 'misconfigured'],
    [404, 'misconfigured'],
    [422, 'misconfigured'],
    [408, 'degraded'],
    [429, 'degraded'],
    [503, 'degraded'],
    [500, 'down'],
    [502, 'down'],
    [undefined, 'down'],
  ])('with %s is that of %s', (status, look) => expect(lookOf(rejected(status))).toBe(look));
});

describe('the words of a probe', () => {
  it.each([
    [404, '404, not known there'],
    [429, '429, turned away for now'],
    [500, '500, it failed'],
    [422, '422, rejected'],
    [undefined, 'rejected'],
  ])('tell a refusal with %s', (status, words) => expect(dotWords(rejected(status), 0)).toBe(words));

  it('tell a good answer with the time to its first token', () => {
    const answer = { outcome: 'ok' as const, at: 0, late: false, ended: true, ttftMs: 137, elapsedMs: 400 };
    expect([dotWords(answer, 0), dotWords({ ...answer, late: true, ttftMs: 9_300 }, 0)]).toEqual(['answers, 137 ms', 'late answer, 9.3 s']);
  });

  it('count up while a late probe is still open, and stop when it has ended', () => {
    const hung = { outcome: 'zero-bytes' as const, at: 1_000, late: true, ended: false, elapsedMs: 8_000 };
    expect([dotWords(hung, 8_500), dotWords(hung, 35_000), dotWords({ ...hung, ended: true }, 35_000)]).toEqual([
      'zero bytes, 8 s',
      'zero bytes, 34 s',
      'zero bytes',
    ]);
  });

  it('do not take the code of an outcome that is told by another word', () => {
    const outcome: Outcome = 'headers-only';
    expect(outcomeWords({ outcome, status: 200 })).toBe('headers only');
  });
});
