import { describe, expect, test } from 'vitest';
import { anEvent, anIncident } from '@/lib/stores/examples';
import { figures } from './figures';

const DAY = 86_400_000;
const TO = Date.UTC(2026, 10, 5, 14);
const span = { from: TO - DAY, to: TO, now: TO };
const opened = (...minutesAgo: number[]) => minutesAgo.map((each, index) => anEvent({ id: `${index}`, kind: 'incident-opened', at: TO - each * 60_000 }));

describe('the figures of the alarms', () => {
  test('tell how many opened, in all and in their densest ten minutes', () => {
    const told = figures({ incidents: [], events: opened(600, 599, 595, 589, 30) }, span);
    expect([told.alarms, told.perTenMinutes.most, told.perTenMinutes.mostAt]).toEqual([5, 3, TO - 600 * 60_000]);
    expect(told.perTenMinutes.mean).toBeCloseTo(5 / 144);
  });

  test('call more than ten within ten minutes a flood, and ten not', () => {
    const each = (count: number) => Array.from({ length: count }, (_, index) => 300 - index * 0.5);
    expect(figures({ incidents: [], events: opened(...each(10)) }, span).floods).toEqual([]);
    expect(figures({ incidents: [], events: opened(...each(15)) }, span).floods).toEqual([{ from: TO - 300 * 60_000, to: TO - 293 * 60_000, alarms: 15 }]);
  });

  test('name what has been open for more than a day, and how long people took', () => {
    const at = TO - 2 * DAY;
    const told = figures(
      {
        incidents: [
          anIncident({ id: 'stale', openedAt: at }),
          anIncident({ id: 'young', openedAt: TO - 1_000, ack: { by: 'Ada', at: TO } }),
          anIncident({ id: 'old', openedAt: at, closedAt: at + 1, ack: { by: 'Ada', at: at + 60_000 } }),
        ],
        events: [],
      },
      span,
    );
    expect([told.stale.map((each) => each.id), told.acknowledgedAfterMs, told.unacknowledged]).toEqual([['stale'], 60_000, 1]);
  });

  test('list who changed most, and say who chatters; a first judgement after a start is no change', () => {
    const verdict = (id: string, target: string, at: number, from = 'ok') => anEvent({ id, target, at, data: { from, to: 'hanging' } });
    const events = [
      ...[0, 10, 20].map((second) => verdict(`a${second}`, 'lab.router', TO - second * 1_000)),
      ...[0, 100, 200, 300].map((second) => verdict(`b${second}`, 'lab.balancer', TO - second * 1_000)),
      verdict('c', 'lab.decode', TO, 'unknown'),
    ];
    expect(figures({ incidents: [], events }, span).changes).toEqual([
      { target: 'lab.balancer', changes: 4, mostPerMinute: 1, chatters: false },
      { target: 'lab.router', changes: 3, mostPerMinute: 3, chatters: true },
    ]);
  });
});
