import { expect, test } from 'vitest';
import type { Event } from '@/lib/model/incident';
import { openMemory } from '@/lib/stores/memory';
import { pausesLeft } from './pauses';

const AT = Date.UTC(2026, 10, 5, 14);

function left(...told: [at: number, target: string, data: { isPaused: boolean; until?: number }][]) {
  const store = openMemory();
  for (const [index, [at, target, data]] of told.entries())
    store.putEvent({ id: `${index}`, at: AT + at, stack: 's', kind: 'paused', target, by: 'Ada', sentence: '', data } satisfies Event);
  return pausesLeft(store, AT).take(['a', 'b', 'c']);
}

test('a pause that has not run out is taken up again, under the name of who paused', () => {
  expect(left([-9_000, 'a', { isPaused: true, until: AT + 1_000 }])).toEqual([{ target: 'a', until: AT + 1_000, by: 'Ada' }]);
});

test('one that has run out, was ended, or is of a target that is gone is not', () => {
  expect(
    left(
      [-9_000, 'a', { isPaused: true, until: AT - 1_000 }],
      [-8_000, 'b', { isPaused: true, until: AT + 1_000 }],
      [-7_000, 'b', { isPaused: false }],
      [-7_000, 'gone', { isPaused: true, until: AT + 1_000 }],
    ),
  ).toEqual([]);
});

test('each is given out once', () => {
  const store = openMemory();
  store.putEvent({ id: '1', at: AT - 1, stack: 's', kind: 'paused', target: 'a', sentence: '', data: { isPaused: true, until: AT + 9 } });
  const pauses = pausesLeft(store, AT);
  expect([pauses.take(['a']).length, pauses.take(['a']).length]).toEqual([1, 0]);
});
