import { describe, expect, test } from 'vitest';
import type { Incident } from '@/lib/model/incident';
import { notifiers } from '.';

const opened: Incident = {
  id: 'lab-1762351402000',
  stack: 'lab',
  openedAt: Date.UTC(2026, 10, 5, 14, 3, 22),
  verdict: 'hanging',
  place: { kind: 'decode', target: 'lab.decode', name: 'decode :30002', inferred: false },
  targets: ['lab.router', 'lab.mini-lb'],
  sentence: 'router :30001 hangs since {2026-11-05T14:03:22.000Z}. /health says 200. Requests stop at decode. 7 of 7 probes.',
  top: { id: 'decode-stuck', claim: 'The decode scheduler stands.', probability: 0.93 },
};
const cleared: Incident = { ...opened, closedAt: opened.openedAt + 95_400 };
const to = { url: 'https://alerts.example.com/hooks/1', headers: { 'X-Source': 'wedgewatch' } };

describe.each(Object.entries(notifiers))('the notifier %s', (_name, notifier) => {
  test('tells opened and cleared with the right address and headers', () => {
    for (const [change, incident] of [
      ['opened', opened],
      ['cleared', cleared],
    ] as const) {
      const spec = notifier.request(change, incident, to);
      expect(spec).toMatchObject({ method: 'POST', url: to.url, headers: to.headers });
      expect(spec.headers['content-type']).toBe('application/json');
      expect(() => JSON.parse(spec.body ?? '')).not.toThrow();
    }
  });

  test('tells opened and cleared by different keys, and the same twice by one', () => {
    const key = (change: 'opened' | 'cleared') => notifier.request(change, cleared, to).headers['idempotency-key'];
    expect(key('opened')).not.toBe(key('cleared'));
    expect(key('opened')).toBe(key('opened'));
  });

  test('bounds what a hostile sentence may make of it', () => {
    const spec = notifier.request('opened', { ...opened, sentence: `"},{"a":"${'x'.repeat(1e6)}` }, to);
    expect(spec.body?.length).toBeLessThan(2_000);
    expect(JSON.parse(spec.body ?? '')).toMatchObject({ event: 'opened' });
  });
});

test('the webhook says it in one message and in facts', () => {
  expect(JSON.parse(notifiers.webhook.request('opened', opened, to).body ?? '')).toEqual({
    event: 'opened',
    text: 'lab is hanging: router :30001 hangs since 2026-11-05T14:03:22.000Z. /health says 200. Requests stop at decode. 7 of 7 probes.',
    incident: {
      id: 'lab-1762351402000',
      stack: 'lab',
      verdict: 'hanging',
      place: 'decode decode :30002',
      targets: ['lab.router', 'lab.mini-lb'],
      openedAt: '2026-11-05T14:03:22.000Z',
      closedAt: null,
      acknowledged: null,
      shelved: null,
      suspicion: { id: 'decode-stuck', claim: 'The decode scheduler stands.', probability: 0.93 },
    },
  });
  expect(JSON.parse(notifiers.webhook.request('cleared', cleared, to).body ?? '')).toMatchObject({
    event: 'cleared',
    text: expect.stringMatching(/^lab has cleared after 95 s\. It was: router :30001 hangs/),
    incident: { closedAt: '2026-11-05T14:04:57.400Z' },
  });
});

test('the webhook says who acknowledged, and who shelved until when and why', () => {
  const ack = { by: 'Ada', at: opened.openedAt + 5_000 };
  const shelf = { by: 'Ben', at: opened.openedAt + 9_000, until: opened.openedAt + 3_609_000, reason: 'vendor is on it' };
  const said = (change: 'acknowledged' | 'shelved' | 'unshelved') => notifiers.webhook.request(change, { ...opened, ack, shelf }, to);
  expect(JSON.parse(said('acknowledged').body ?? '')).toMatchObject({
    event: 'acknowledged',
    text: expect.stringMatching(/^Ada has acknowledged: router :30001 hangs/),
    incident: { acknowledged: { by: 'Ada', at: '2026-11-05T14:03:27.000Z' } },
  });
  expect(JSON.parse(said('shelved').body ?? '')).toMatchObject({
    text: expect.stringMatching(/^Ben has shelved until 2026-11-05T15:03:31\.000Z \(vendor is on it\): router/),
    incident: { shelved: { by: 'Ben', until: '2026-11-05T15:03:31.000Z', reason: 'vendor is on it' } },
  });
  expect(JSON.parse(said('unshelved').body ?? '').text).toMatch(/^No longer shelved: /);
});
