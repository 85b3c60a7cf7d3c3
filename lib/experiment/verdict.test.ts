import { describe, expect, it } from 'vitest';
import type { ExperimentCell, ExperimentTry } from '@/lib/model/experiment';
import { besides, matrixVerdict } from './verdict';

const one = (over: Partial<ExperimentTry>): ExperimentTry => ({
  probe: 'p',
  outcome: 'ok',
  late: false,
  ended: true,
  bytes: 0,
  elapsedMs: 1,
  sentence: 'x',
  ...over,
});
const [ok, late] = [one({}), one({ late: true })];
const hang = one({ outcome: 'zero-bytes', late: true, ended: false });
const status = (code: number) => one({ outcome: 'rejected', status: code });
const own = (...tries: ExperimentTry[]): ExperimentCell => ({ target: 'a', model: 'm', whose: 'own', tries });
const whole = (...tries: ExperimentTry[]): ExperimentCell => ({ ...own(...tries), stream: false });
const nonsense = (...tries: ExperimentTry[]): ExperimentCell => ({ ...own(...tries), whose: 'nonsense', model: 'n' });

describe('the matrix alone', () => {
  it.each([
    ['every chat answered', [ok, ok], 'ok'],
    ['every chat answered past the deadline', [late, late], 'degraded'],
    ['two silent chats', [hang, hang], 'hanging'],
    ['one silent chat, a suspicion', [hang], 'degraded'],
    ['a name that does not resolve', [one({ outcome: 'dns' })], 'misconfigured'],
    ['a key refused', [status(401)], 'misconfigured'],
    ['turned away', [status(429)], 'degraded'],
    ['a failure of the server', [status(500)], 'down'],
    ['nobody listens', [one({ outcome: 'refused' })], 'down'],
    ['nothing asked', [], 'unknown'],
  ] as const)('takes %s for what it is', (_what, tries, verdict) => {
    expect(matrixVerdict([own(...tries)], 'a').verdict).toBe(verdict);
  });

  it('adds a rate where the same question hung and was answered: two make a hang, one a suspicion', () => {
    expect(besides([own(hang, ok, ok, hang)], 'a')).toMatchObject({ verdict: 'hanging', because: expect.stringContaining('2 of 4') });
    expect(besides([own(hang, ok, ok)], 'a')?.verdict).toBe('degraded');
  });

  it('adds what other ways of asking and other names show, and nothing where all is well', () => {
    expect(besides([own(ok, ok), whole(hang, hang)], 'a')).toMatchObject({ verdict: 'hanging', because: expect.stringContaining('whole answers hang') });
    expect(besides([own(ok, ok), whole(status(503), ok)], 'a')).toMatchObject({ verdict: 'degraded', because: expect.stringContaining('1 of 4 chats failed') });
    expect(besides([own(ok, ok), nonsense(hang)], 'a')?.verdict).toBe('degraded');
    expect(besides([own(ok, ok), nonsense(status(404))], 'a')).toBeUndefined();
  });
});
