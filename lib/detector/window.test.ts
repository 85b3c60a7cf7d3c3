import { describe, expect, it } from 'vitest';
import type { ProbeResult } from '@/lib/model/probe';
import { Facts } from './window';

const MINUTE = 60_000;

function facts() {
  const all = new Facts(() => undefined);
  all.absorb({
    kind: 'topology',
    at: 0,
    stack: 's',
    targets: [{ id: 'e', stack: 's', name: 'e', url: 'http://127.0.0.1:1', kind: 'sglang', role: 'decode', known: ['config'], probed: false }],
    edges: [],
  });
  const read = (at: number, by: string) =>
    all.absorb({
      kind: 'scrape',
      at,
      target: 'e',
      source: 'metrics',
      outcome: 'ok',
      tookMs: 1,
      samples: [{ name: 'http_requests_total', by, value: at, source: 'metrics' }],
    });
  return {
    all,
    read,
    keys: () =>
      all
        .view('s')
        .series('e')
        .map((s) => s.by),
  };
}

describe('what is remembered of an engine', () => {
  it('loses a series that no page has held for an hour, and only that', () => {
    const { all, read, keys } = facts();
    read(1_000, 'chat');
    for (let at = 2 * MINUTE; at <= 59 * MINUTE; at += MINUTE) read(at, 'health');
    expect(keys()).toEqual(['chat', 'health']);
    read(62 * MINUTE, 'health');
    expect(keys()).toEqual(['health']);
    expect(all.view('s').moved('e', 'http_requests_total', 0, undefined, { by: 'chat' })).toBeUndefined();
  });

  it('stays bounded, whatever label values come and go', () => {
    const { read, keys } = facts();
    for (let hour = 0; hour < 5; hour++) for (let i = 0; i < 50; i++) read(hour * 60 * MINUTE + (i + 1) * MINUTE, `value-${hour}-${i}`);
    expect(keys().length).toBeLessThan(150);
  });
});

describe('a wall clock that is set back', () => {
  const report = (clockStepMs: number) => ({ tick: 1, lagMs: 0, gapMs: 0, clockStepMs, loops: [], budget: [] });
  const chat = (sentAt: number, outcome: 'ok' | 'zero-bytes') =>
    ({
      id: `p${sentAt}`,
      target: 'e',
      proves: 'service',
      purpose: 'steady',
      outcome,
      sentAt,
      late: outcome !== 'ok',
      deadlineMs: 3_000,
      lagMs: 0,
      exchange: { ended: true, elapsedMs: 10 },
    }) as unknown as ProbeResult;

  it('leaves nothing behind that is dated after now and would outrank what comes', () => {
    const { all } = facts();
    const late = 90 * MINUTE;
    all.absorb({ kind: 'probe', at: late, result: chat(late, 'ok') });
    const now = 30 * MINUTE;
    all.absorb({ kind: 'self', at: now, self: report(-60 * MINUTE) });
    all.absorb({ kind: 'probe', at: now + 5_000, result: chat(now + 2_000, 'zero-bytes') });
    // one that was out over the step ends now, and is dated after it
    all.absorb({ kind: 'probe', at: now + 6_000, result: chat(late, 'ok') });
    const view = all.view('s');
    expect(view.probes('e').map((p) => p.outcome)).toEqual(['zero-bytes']);
    expect(view.at).toBe(now + 6_000);
    expect(view.blind.at(-1)?.why).toBe('our clock was set back by 60 min');
  });

  it('by less than a step, or moved on by one, costs no history', () => {
    const { all } = facts();
    all.absorb({ kind: 'probe', at: MINUTE, result: chat(MINUTE, 'ok') });
    all.absorb({ kind: 'self', at: MINUTE + 500, self: report(-1_500) });
    expect(all.view('s').blind).toEqual([]);
    all.absorb({ kind: 'self', at: 20 * MINUTE, self: report(18 * MINUTE) });
    expect(all.view('s').probes('e')).toHaveLength(1);
    expect(all.view('s').blind.at(-1)?.why).toBe('our clock was set forward by 18 min');
  });
});
