import { describe, expect, it } from 'vitest';
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
