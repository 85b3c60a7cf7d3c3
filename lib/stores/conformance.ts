import { expect, test } from 'vitest';
import type { Event, Incident } from '@/lib/model/incident';
import type { ProbeResult } from '@/lib/model/probe';
import type { Sample } from '@/lib/model/sample';
import { aKept, anEvent, anExperiment, anIncident, aProbe, aSnapshot } from './examples';
import type { Store } from './store';

const AT = Date.UTC(2026, 10, 5, 14, 0, 0);
const queue = (value: number): Sample[] => [{ name: 'num_queue_reqs', value, source: 'metrics' }];

/** What every store must do; run by a test of each. `open` gives an empty one. */
export function conformance(open: () => Store): void {
  const filled = (fill: (store: Store) => void): Store => {
    const store = open();
    fill(store);
    store.flush();
    return store;
  };

  test('a spike between two quiet readings survives in the maximum of its bucket', () => {
    const store = filled((each) => {
      for (let second = 0; second < 600; second += 5) each.append('lab.decode', AT + second * 1000, queue(second === 305 ? 90 : 1));
    });
    const [series] = store.range({ from: AT, to: AT + 600_000, stepMs: 60_000 });
    expect(series?.buckets.map((each) => each.max)).toEqual([1, 1, 1, 1, 1, 90, 1, 1, 1, 1]);
    expect(series?.buckets.map((each) => each.last)).toEqual(new Array(10).fill(1));
    expect(series?.buckets.map((each) => each.count)).toEqual(new Array(10).fill(12));
  });

  test('a time without readings is a gap of null, not zero', () => {
    const store = filled((each) => {
      each.append('lab.decode', AT, queue(0));
      each.append('lab.decode', AT + 40_000, queue(7));
    });
    expect(store.range({ from: AT, to: AT + 50_000, stepMs: 10_000 })[0]?.buckets.map((each) => each.last)).toEqual([0, null, null, null, 7]);
  });

  test('buckets are aligned to multiples of the step and the range leaves out its end', () => {
    const store = filled((each) => {
      for (const second of [0, 9, 10, 20]) each.append('lab.decode', AT + second * 1000, queue(second));
    });
    const [series] = store.range({ from: AT + 5_000, to: AT + 20_000, stepMs: 10_000 });
    expect(series?.buckets).toEqual([
      { at: AT, min: 9, max: 9, last: 9, count: 1 },
      { at: AT + 10_000, min: 10, max: 10, last: 10, count: 1 },
    ]);
  });

  test('hours of readings of two pages, whole, decimal, large and odd, come back as they were', () => {
    const values = (i: number) => ({ whole: i % 7, decimal: (i % 100) / 8, large: 1e15 + i, odd: Math.PI * i });
    const store = filled((each) => {
      for (let i = 0; i < 1440; i++) {
        const { whole, decimal, large, odd } = values(i);
        each.append('lab.decode', AT + i * 5_000, [
          { name: 'num_queue_reqs', value: whole, source: 'metrics' },
          { name: 'token_usage', value: decimal, source: 'metrics', rank: '0' },
          { name: 'token_usage', value: odd, source: 'metrics', rank: '1' },
        ]);
        each.append('lab.decode', AT + i * 5_000 + 700, [{ name: 'num_requests_total', value: large, source: 'loads' }]);
        if (i % 60 === 59) each.flush();
      }
    });
    const read = store.range({ from: AT, to: AT + 7_200_000, stepMs: 5_000 });
    const of = (key: string) => read.find((series) => series.key === key)?.buckets.map((each) => each.last);
    const all = Array.from({ length: 1440 }, (_, i) => values(i));
    expect(of('num_queue_reqs')).toEqual(all.map((each) => each.whole));
    expect(of('token_usage{rank=0}')).toEqual(all.map((each) => each.decimal));
    expect(of('token_usage{rank=1}')).toEqual(all.map((each) => each.odd));
    expect(of('num_requests_total@loads')).toEqual(all.map((each) => each.large));
    const wide = store.range({ names: ['num_queue_reqs'], from: AT, to: AT + 7_200_000, stepMs: 600_000 })[0]?.buckets;
    expect(wide?.map((each) => [each.min, each.max, each.count])).toEqual(new Array(12).fill([0, 6, 120]));
  });

  test('series are chosen by target and by name', () => {
    const store = filled((each) => {
      for (const target of ['lab.decode', 'lab.prefill']) each.append(target, AT, [...queue(1), { name: 'num_running_reqs', value: 2, source: 'metrics' }]);
    });
    const range = { from: AT, to: AT + 1000, stepMs: 1000 };
    expect(store.range({ ...range, targets: ['lab.prefill'], names: ['num_running_reqs'] }).map((each) => [each.target, each.key])).toEqual([
      ['lab.prefill', 'num_running_reqs'],
    ]);
    expect(store.range(range)).toHaveLength(4);
    expect(store.range({ ...range, from: AT - 5000, to: AT })).toEqual([]);
    expect(store.keys()).toContainEqual({ target: 'lab.decode', key: 'num_queue_reqs', name: 'num_queue_reqs' });
  });

  test('a probe told three times is one record that says the last', () => {
    const store = filled((each) => {
      for (const outcome of ['pending', 'zero-bytes', 'ok'] as const) each.putProbe(aProbe({ id: 'p1', sentAt: AT, outcome }));
    });
    expect(store.probes({ limit: 10 })).toEqual([aProbe({ id: 'p1', sentAt: AT, outcome: 'ok' })]);
    expect(store.probe('p1')?.outcome).toBe('ok');
    expect(store.probe('p2')).toBeUndefined();
  });

  test('probes come newest first and are chosen by target, time, outcome and experiment', () => {
    const all: ProbeResult[] = [
      aProbe({ id: 'a', sentAt: AT }),
      aProbe({ id: 'b', sentAt: AT + 1000, target: 'lab.balancer', outcome: 'zero-bytes' }),
      aProbe({ id: 'c', sentAt: AT + 2000, experiment: 'x1' }),
    ];
    const store = filled((each) => {
      for (const probe of all) each.putProbe(probe);
    });
    const ids = (query: Partial<Parameters<Store['probes']>[0]>) => store.probes({ limit: 10, ...query }).map((each) => each.id);
    expect(ids({})).toEqual(['c', 'b', 'a']);
    expect(ids({ limit: 1 })).toEqual(['c']);
    expect(ids({ target: 'lab.balancer' })).toEqual(['b']);
    expect(ids({ from: AT, to: AT + 2000 })).toEqual(['b', 'a']);
    expect(ids({ outcome: 'zero-bytes' })).toEqual(['b']);
    expect(ids({ experiment: 'x1' })).toEqual(['c']);
  });

  test('an event of no stack concerns every stack', () => {
    const events: Event[] = [
      anEvent({ id: '1', at: AT, stack: 'lab' }),
      anEvent({ id: '2', at: AT + 1, stack: '' }),
      anEvent({ id: '3', at: AT + 2, stack: 'other' }),
    ];
    const store = filled((each) => {
      for (const event of events) each.putEvent(event);
    });
    expect(store.events({ stack: 'lab', limit: 5 }).map((each) => each.id)).toEqual(['2', '1']);
    expect(store.events({ from: AT + 1, to: AT + 2, limit: 5 }).map((each) => each.id)).toEqual(['2']);
  });

  test('events are chosen by kind and by incident', () => {
    const store = filled((each) => {
      each.putEvent(anEvent({ id: '1', at: AT }));
      each.putEvent(anEvent({ id: '2', at: AT + 1, kind: 'note', incident: "i'1", by: 'Ada', data: { text: '**x**' } }));
      each.putEvent(anEvent({ id: '3', at: AT + 2, kind: 'acknowledged', incident: 'i2' }));
    });
    const ids = (query: Partial<Parameters<Store['events']>[0]>) => store.events({ limit: 5, ...query }).map((each) => each.id);
    expect(ids({ kinds: ['note', 'acknowledged'] })).toEqual(['3', '2']);
    expect(ids({ kinds: ['note'], incident: 'i2' })).toEqual([]);
    expect(ids({ incident: "i'1" })).toEqual(['2']);
    expect(ids({ kinds: [] })).toEqual([]);
    expect(store.events({ kinds: ['note'], limit: 1 })[0]).toMatchObject({ by: 'Ada', data: { text: '**x**' } });
  });

  test('what is kept with an incident comes back whole, and the last put counts', () => {
    const store = filled((each) => {
      each.putKept(aKept({ id: 'i1', odds: [] }));
      each.putKept(aKept({ id: 'i1' }));
    });
    expect(store.kept('i1')).toEqual(aKept({ id: 'i1' }));
    expect(store.kept('i2')).toBeUndefined();
  });

  test('an incident, what is kept with it, the events around it and its experiments outlive the rest by far, and go at last', () => {
    const day = 86_400_000;
    const store = filled((each) => {
      each.putIncident(anIncident({ id: 'i1', openedAt: AT, closedAt: AT + 60_000, ack: { by: 'Ada', at: AT + 1 } }));
      each.putKept(aKept({ id: 'i1', at: AT }));
      each.putEvent(anEvent({ id: 'before', at: AT - 100_000 }));
      each.putEvent(anEvent({ id: 'during', at: AT + 30_000, stack: '' }));
      each.putEvent(anEvent({ id: 'after', at: AT + 170_000 }));
      each.putEvent(anEvent({ id: 'later note', at: AT + day, kind: 'note', incident: 'i1' }));
      each.putEvent(anEvent({ id: 'of another', at: AT + 30_000, incident: 'gone' }));
      each.putEvent(anEvent({ id: 'of another stack', at: AT + 30_000, stack: 'other' }));
      each.putEvent(anEvent({ id: 'too late', at: AT + 300_000 }));
      each.putExperiment(anExperiment({ id: 'its own', startedAt: AT + 10_000, incident: 'i1' }));
      each.putExperiment(anExperiment({ id: 'of nobody', startedAt: AT + 10_000 }));
    });
    const left = () => [
      store.incidents({ limit: 9 }).map((each) => each.id),
      store.kept('i1')?.id,
      store.events({ limit: 9 }).map((each) => each.id),
      store.experiments({ limit: 9 }).map((each) => each.id),
    ];
    store.retain(AT + 30 * day, { ageMs: day, bytes: 1e12 });
    expect(left()).toEqual([['i1'], 'i1', ['later note', 'after', 'during', 'before'], ['its own']]);
    expect(store.incident('i1')?.ack).toEqual({ by: 'Ada', at: AT + 1 });
    store.retain(AT + 500 * day, { ageMs: day, bytes: 1e12 });
    expect(left()).toEqual([[], undefined, [], []]);
  });

  test('an incident belongs to every range that it touches', () => {
    const open: Incident = anIncident({ id: 'open', openedAt: AT + 5000 });
    const store = filled((each) => {
      each.putIncident(anIncident({ id: 'shut', openedAt: AT }));
      each.putIncident(anIncident({ id: 'shut', openedAt: AT, closedAt: AT + 1000 }));
      each.putIncident(open);
    });
    const ids = (from: number, to: number) => store.incidents({ from, to, limit: 5 }).map((each) => each.id);
    expect(ids(AT, AT + 9000)).toEqual(['open', 'shut']);
    expect(ids(AT + 500, AT + 600)).toEqual(['shut']);
    expect(ids(AT + 9_000, AT + 10_000)).toEqual(['open']);
    expect(store.incident('open')).toEqual(open);
    expect(store.incidents({ stack: 'other', limit: 5 })).toEqual([]);
  });

  test('an experiment is found by id and in the list', () => {
    const store = filled((each) => each.putExperiment(anExperiment({ id: 'x1', startedAt: AT })));
    expect(store.experiment('x1')).toEqual(anExperiment({ id: 'x1', startedAt: AT }));
    expect(store.experiments({ limit: 3 }).map((each) => each.id)).toEqual(['x1']);
    expect(store.experiment('x2')).toBeUndefined();
  });

  test('experiments are chosen by the incident with which they are kept', () => {
    const store = filled((each) => {
      each.putExperiment(anExperiment({ id: 'x1', startedAt: AT, incident: 'i1' }));
      each.putExperiment(anExperiment({ id: 'x2', startedAt: AT + 1 }));
      each.putExperiment(anExperiment({ id: 'x3', startedAt: AT + 2, incident: "i'2" }));
    });
    const ids = (incident?: string) => store.experiments({ limit: 5, ...(incident === undefined ? {} : { incident }) }).map((each) => each.id);
    expect([ids(), ids('i1'), ids("i'2"), ids('i3')]).toEqual([['x3', 'x2', 'x1'], ['x1'], ['x3'], []]);
  });

  test('time travel gives the snapshot last published at or before the moment, exactly', () => {
    const shown = Array.from({ length: 150 }, (_, tick) => aSnapshot({ at: AT + tick * 1000, tick }));
    const store = filled((each) => {
      for (const snapshot of shown) each.putSnapshot(snapshot);
    });
    for (const tick of [0, 1, 59, 60, 61, 149]) expect(store.snapshotAt(AT + tick * 1000 + 999)).toEqual(shown[tick]);
    expect(store.snapshotAt(AT - 1)).toBeUndefined();
    expect(store.span()).toEqual({ from: AT, to: AT + 149_000 });
  });

  test('a clock that was put back does not spoil what was shown before', () => {
    const first = aSnapshot({ at: AT + 5000, tick: 1 });
    const second = aSnapshot({ at: AT, tick: 2 });
    const store = filled((each) => {
      each.putSnapshot(first);
      each.putSnapshot(second);
    });
    expect(store.snapshotAt(AT + 1000)).toEqual(second);
    expect(store.snapshotAt(AT + 6000)).toEqual(first);
  });

  test('what was put does not change with the object that was given', () => {
    const incident = anIncident({ id: 'i', openedAt: AT });
    const store = open();
    store.putIncident(incident);
    incident.sentence = 'changed afterwards';
    store.flush();
    expect(store.incident('i')?.sentence).toBe(anIncident({ id: 'i', openedAt: AT }).sentence);
  });

  test('hostile text comes back as it was', () => {
    const sentence = `'; drop table probe; -- \u0000 <script> "\ud83d\ude80" ${'x'.repeat(5000)}`;
    const store = filled((each) => each.putProbe(aProbe({ id: "p'1", sentAt: AT, sentence })));
    expect(store.probe("p'1")?.sentence).toBe(sentence);
  });

  test('what is older than the age goes, what is younger and the incidents stay', () => {
    const hour = 3_600_000;
    const store = filled((each) => {
      for (let i = 0; i < 120; i++) {
        each.append('lab.decode', AT + i * 60_000, queue(i));
        each.putSnapshot(aSnapshot({ at: AT + i * 60_000, tick: i }));
        each.putProbe(aProbe({ id: `p${i}`, sentAt: AT + i * 60_000 }));
        each.putEvent(anEvent({ id: `e${i}`, at: AT + i * 60_000, stack: 'calm' }));
        if (i % 10 === 9) each.flush();
      }
      each.putIncident(anIncident({ id: 'open', openedAt: AT }));
      each.putIncident(anIncident({ id: 'shut', openedAt: AT, closedAt: AT + 1 }));
    });
    store.retain(AT + 2 * hour, { ageMs: hour, bytes: 1e12 });
    const [series] = store.range({ from: AT, to: AT + 2 * hour, stepMs: 60_000 });
    expect(series?.buckets.slice(0, 55).every((each) => each.last === null)).toBe(true);
    expect(series?.buckets.slice(60).every((each, i) => each.last === 60 + i)).toBe(true);
    expect(store.snapshotAt(AT + 30 * 60_000)).toBeUndefined();
    expect(store.snapshotAt(AT + 90 * 60_000)?.tick).toBe(90);
    expect(store.probes({ limit: 200 })).toHaveLength(60);
    expect(store.events({ limit: 200 })).toHaveLength(60);
    expect(
      store
        .incidents({ limit: 5 })
        .map((each) => each.id)
        .sort(),
    ).toEqual(['open', 'shut']);
    // A new reading of a series that was known before is found again.
    store.append('lab.decode', AT + 2 * hour, queue(1));
    store.flush();
    expect(store.range({ from: AT + 2 * hour, to: AT + 2 * hour + 1000, stepMs: 1000 })[0]?.buckets[0]?.last).toBe(1);
  });

  test('what exceeds the bytes goes, oldest first', () => {
    const store = filled((each) => {
      for (let i = 0; i < 400; i++) {
        each.append(
          'lab.decode',
          AT + i * 30_000,
          [queue(Math.sin(i) * 1e6), { name: 'gen_throughput' as const, value: Math.cos(i), source: 'metrics' as const }].flat(),
        );
        each.putSnapshot(aSnapshot({ at: AT + i * 30_000, tick: i, text: String(Math.sin(i)).repeat(100) }));
      }
    });
    const before = store.size();
    store.retain(AT + 400 * 30_000, { ageMs: 1e12, bytes: Math.floor(before / 2) });
    expect(store.size()).toBeLessThan(before * 0.7);
    expect(store.snapshotAt(AT)).toBeUndefined();
    expect(store.snapshotAt(AT + 399 * 30_000)?.tick).toBe(399);
  });
}
