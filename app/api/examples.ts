import type { CommandAnswer } from '@/lib/model/command';
import { DEFAULTS } from '@/lib/model/config';
import type { Snapshot } from '@/lib/model/snapshot';
import type { Runtime, StreamReader } from '@/lib/runtime';
import { withoutSecretsOf } from '@/lib/runtime/secrets';
import { aKept, anEvent, anExperiment, anIncident, aProbe, aSnapshot } from '@/lib/stores/examples';
import { openMemory } from '@/lib/stores/memory';
import type { Store } from '@/lib/stores/store';

/** A runtime that watches the stack of the stores' examples, without a thread; `frame` publishes, `told` are the commands it got. */
export type ExampleRuntime = Runtime & {
  told: Parameters<Runtime['command']>[0][];
  frame(snapshot: Snapshot): void;
  answers: CommandAnswer;
  beat: ReturnType<Runtime['pulse']>;
  past: Store | undefined;
};

/** Put in the place of the one runtime of this process. */
export function watchExamples(now = Date.now()): ExampleRuntime {
  const readers = new Set<StreamReader>();
  let snapshot: Snapshot | undefined = aSnapshot({ at: now - 500, tick: 60 });
  snapshot.startedAt = now - 60_000;
  const example: ExampleRuntime = {
    told: [],
    answers: { ok: true, id: 'x1' },
    beat: { state: 'running', startedAt: now - 60_000, lastFrameAt: now - 500, restarts: 0 },
    past: filled(now),
    snapshot: () => snapshot,
    frame(next) {
      snapshot = next;
      const bytes = new TextEncoder().encode(`data: ${JSON.stringify(next)}\n\n`);
      for (const reader of readers) reader.frame(bytes);
    },
    subscribe(reader) {
      readers.add(reader);
      if (snapshot !== undefined) reader.frame(new TextEncoder().encode(`data: ${JSON.stringify(snapshot)}\n\n`));
      return () => readers.delete(reader);
    },
    readers: () => readers.size,
    async command(command) {
      this.told.push(command);
      return this.answers;
    },
    history() {
      return this.past;
    },
    config: () => ({
      ...structuredClone({ probe: DEFAULTS.probe, scrape: DEFAULTS.scrape, listen: DEFAULTS.listen, retention: DEFAULTS.retention }),
      stacks: [
        {
          id: 'lab',
          name: 'lab',
          targets: [
            { id: 'lab.router', name: 'router', url: 'http://127.0.0.1:30001', headers: { authorization: 'Bearer hush' }, apiKey: { env: 'KEY' }, probe: true },
          ],
        },
      ],
      data: '/nowhere',
      webhook: { url: 'https://hooks.example.com/hush', headers: {} },
      source: 'a test',
      timeScale: 1,
    }),
    withoutSecrets: (value) => withoutSecretsOf(example.config())(value),
    pulse() {
      return this.beat;
    },
    async close() {
      for (const reader of readers) reader.closed();
      readers.clear();
    },
  };
  (globalThis as Record<symbol, unknown>)[Symbol.for('wedgewatch.runtime')] = example;
  return example;
}

function filled(now: number): Store {
  const store = openMemory();
  for (let second = 600; second > 0; second -= 5) {
    const at = now - second * 1_000;
    // A counter that grows by 10 a second and begins anew in the middle.
    const requests = second > 300 ? (600 - second) * 10 : (300 - second) * 10;
    store.append('lab.decode', at, [
      { name: 'num_queue_reqs', value: second === 200 ? 90 : 1, source: 'metrics' },
      { name: 'num_requests_total', value: requests, source: 'metrics' },
    ]);
    store.putSnapshot(aSnapshot({ at, tick: 600 - second }));
  }
  store.putProbe(aProbe({ id: 'p1', sentAt: now - 20_000 }));
  store.putProbe(aProbe({ id: 'p2', sentAt: now - 10_000, outcome: 'zero-bytes', target: 'lab.balancer' }));
  store.putEvent(anEvent({ at: now - 60_000 }));
  store.putIncident(anIncident({ openedAt: now - 60_000, closedAt: now - 30_000 }));
  store.putKept(aKept({ at: now - 60_000 }));
  store.putExperiment(anExperiment({ startedAt: now - 50_000 }));
  return store;
}
