import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '@/lib/model/config';
import type { ProbeResult } from '@/lib/model/probe';
import { firstTokenDeadline } from './deadline';

const good = (ttftMs: number, over: Partial<ProbeResult> = {}) =>
  ({ outcome: 'ok', late: false, purpose: 'steady', reading: { ttftMs }, ...over }) as ProbeResult;

describe('the first-token deadline', () => {
  it('is the configured one, and says so, until three good answers are known', () => {
    expect(firstTokenDeadline([good(400), good(500)], DEFAULTS.probe)).toMatchObject({ firstTokenMs: 8_000, from: 'configured' });
  });

  it('follows a slow front-end up to 20 s and a fast one down to 3 s', () => {
    expect(firstTokenDeadline([good(2_000), good(1_500), good(1_000)], DEFAULTS.probe)).toMatchObject({ firstTokenMs: 8_000, from: 'learned' });
    expect(firstTokenDeadline([good(9_000), good(9_000), good(9_000)], DEFAULTS.probe).firstTokenMs).toBe(20_000);
    expect(firstTokenDeadline([good(100), good(100), good(100)], DEFAULTS.probe).firstTokenMs).toBe(3_000);
  });

  it('does not learn from late answers or experiments', () => {
    expect(firstTokenDeadline([good(100), good(100), good(30_000, { late: true }), good(9_000, { purpose: 'experiment' })], DEFAULTS.probe).from).toBe(
      'configured',
    );
  });
});
