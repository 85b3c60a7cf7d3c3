import { expect, test } from 'vitest';
import { anIncident, aProbe, aSnapshot } from '@/lib/stores/examples';
import { openMemory } from '@/lib/stores/memory';
import { keeper } from './keep';

const AT = Date.UTC(2026, 10, 5, 14);
const counters = (queue: number, total: number) => [
  { name: 'num_decode_transfer_queue_reqs' as const, value: queue, source: 'metrics' as const },
  { name: 'generation_tokens_total' as const, value: total, source: 'metrics' as const },
];

function wedge() {
  const store = openMemory();
  const keep = keeper(() => store);
  for (let second = -300; second <= 0; second += 5) store.append('lab.decode', AT + second * 1_000, counters(3, 9_000));
  for (let i = 0; i < 9; i++) store.putProbe(aProbe({ id: `hung ${i}`, sentAt: AT - 90_000 + i * 10_000, outcome: 'zero-bytes', late: true }));
  store.putProbe(aProbe({ id: 'last good', sentAt: AT - 95_000 }));
  for (let second = -30; second < 0; second++) keep.seen(aSnapshot({ at: AT + second * 1_000, tick: 20 }));
  const incident = anIncident({ openedAt: AT });
  const snapshot = aSnapshot({ at: AT, tick: 60 });
  for (const stack of snapshot.stacks) stack.incident = incident;
  store.putIncident(incident);
  keep.opened(incident, snapshot);
  return { store, keep, incident, snapshot };
}

test('trap 20: counters and raw probes are taken at the first bad verdict, and neither a restart nor retention takes them away', () => {
  const { store, keep, incident, snapshot } = wedge();
  for (let second = 5; second <= 600; second += 5) store.append('lab.decode', AT + second * 1_000, counters(0, 0));
  store.putProbe(aProbe({ id: 'sibling', target: 'lab.balancer', sentAt: AT + 20_000, outcome: 'headers-only', late: true }));
  keep.closed({ ...incident, closedAt: AT + 600_000 }, { ...snapshot, at: AT + 610_000 });
  store.retain(AT + 30 * 86_400_000, { ageMs: 86_400_000, bytes: 1e12 });
  expect(store.range({ from: AT - 300_000, to: AT, stepMs: 60_000 })).toEqual([]);
  const kept = store.kept(incident.id);
  expect(kept?.readings).toContainEqual({ target: 'lab.decode', key: 'num_decode_transfer_queue_reqs', value: 3, at: AT });
  expect(kept?.probes.map((each) => each.id)).toEqual(['sibling', 'hung 3', 'hung 2', 'hung 1', 'hung 0', 'last good']);
  expect(kept?.probes[0]?.exchange.head).toBeDefined();
  expect(kept?.first.judgement.verdict).toBe('hanging');
  const queue = kept?.series.find((each) => each.key === 'num_decode_transfer_queue_reqs');
  // Buckets begin at whole steps; nothing is told of the time before the first reading.
  expect(queue?.from).toBeGreaterThan(AT - 320_000);
  expect([queue?.max[0], queue?.max.at(-1)]).toEqual([3, 0]);
});

test('an incident that is opened again, also after a restart of ours, keeps its first moment', () => {
  const { store, keep, incident, snapshot } = wedge();
  keep.opened(incident, { ...snapshot, at: AT + 50_000 });
  keeper(() => store).opened(incident, { ...snapshot, at: AT + 60_000 });
  expect(store.kept(incident.id)?.at).toBe(AT);
});

test('the suspicions are followed from before the incident to its end, coarser the longer it lasts', () => {
  const { store, keep, incident, snapshot } = wedge();
  for (let second = 1; second <= 4 * 3_600; second++) keep.seen({ ...snapshot, at: AT + second * 1_000 });
  keep.closed({ ...incident, closedAt: AT + 14_400_000 }, { ...snapshot, at: AT + 14_401_000 });
  const odds = store.kept(incident.id)?.odds ?? [];
  expect(odds[0]?.at).toBeLessThan(AT);
  expect(odds.at(-1)?.at).toBeGreaterThan(AT + 14_390_000);
  expect(odds.length).toBeLessThanOrEqual(240);
  expect(odds.length).toBeGreaterThan(100);
});
