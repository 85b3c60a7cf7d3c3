import { anEvent, anIncident, aProbe, aSnapshot } from '../examples';
import { openSqlite } from '../sqlite';

/** Run as a process of its own by a test: writes for ever, and says each second that it has made durable. */
const store = openSqlite(process.argv[2] ?? '');
for (let tick = 0; ; tick++) {
  const at = Date.UTC(2026, 10, 5, 14) + tick * 1000;
  store.append('lab.decode', at, [{ name: 'num_queue_reqs', value: tick, source: 'metrics' }]);
  store.putSnapshot(aSnapshot({ at, tick }));
  store.putProbe(aProbe({ id: `p${tick}`, sentAt: at }));
  store.putIncident(anIncident({ id: `i${tick}`, openedAt: at, ack: { by: 'Ada', at } }));
  store.putEvent(anEvent({ id: `n${tick}`, at, kind: 'note', incident: `i${tick}`, by: 'Ada', data: { text: 'seen' } }));
  store.flush();
  // Unlike process.stdout on a pipe, written before the next line runs.
  (await import('node:fs')).writeSync(1, `${tick}\n`);
}
