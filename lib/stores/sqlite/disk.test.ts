import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { aKept, anEvent, anIncident, aProbe, aSnapshot } from '../examples';
import { openSqlite } from '../sqlite';
import { DATABASE_FILE, SCHEMA_VERSION } from './database';

const AT = Date.UTC(2026, 10, 5, 14);
const newDir = () => mkdtempSync(join(tmpdir(), 'wedgewatch-disk-'));
const failureOf = (work: () => unknown): Error => {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
};

test('after kill -9 everything that was flushed is there, and writing goes on', async () => {
  const dir = newDir();
  const script = fileURLToPath(new URL('crash-writer.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let told = '';
  for await (const chunk of child.stdout) {
    told += String(chunk);
    if (told.split('\n').length > 400) child.kill('SIGKILL');
  }
  await exited;
  const last = Number(told.slice(0, told.lastIndexOf('\n')).split('\n').at(-1));
  expect(last).toBeGreaterThan(300);
  const store = openSqlite(dir);
  const [series] = store.range({ from: AT, to: AT + (last + 1) * 1000, stepMs: 1000 });
  expect(series?.buckets.map((each) => each.last)).toEqual(Array.from({ length: last + 1 }, (_, tick) => tick));
  expect(store.snapshotAt(AT + last * 1000)).toEqual(aSnapshot({ at: AT + last * 1000, tick: last }));
  expect(store.probe(`p${last}`)).toBeDefined();
  expect(store.incident(`i${last}`)?.ack?.by).toBe('Ada');
  expect(store.events({ kinds: ['note'], incident: `i${last}`, limit: 5 })).toMatchObject([{ by: 'Ada', data: { text: 'seen' } }]);
  store.putSnapshot(aSnapshot({ at: AT + 10_000_000, tick: 7 }));
  store.flush();
  expect(store.snapshotAt(AT + 10_000_001)?.tick).toBe(7);
  store.close();
});

test('a reader sees what the writer flushes, tolerates that there is no file yet, and cannot write', () => {
  const dir = newDir();
  const reader = openSqlite(join(dir, 'later'), { readonly: true });
  expect(reader.snapshotAt(AT)).toBeUndefined();
  expect(reader.probes({ limit: 3 })).toEqual([]);
  expect(reader.span()).toBeUndefined();
  const writer = openSqlite(join(dir, 'later'));
  for (const tick of [1, 2, 3]) {
    writer.putSnapshot(aSnapshot({ at: AT + tick * 1000, tick }));
    expect(reader.snapshotAt(AT + 60_000)?.tick).toBe(tick === 1 ? undefined : tick - 1);
    writer.flush();
    expect(reader.snapshotAt(AT + 60_000)?.tick).toBe(tick);
  }
  expect(failureOf(() => reader.putProbe(aProbe())).message).toContain('open for reading only');
  writer.retain(AT, { ageMs: 1e12, bytes: 1e12 });
  // A reader that rests holds nothing back: the log is emptied.
  expect(statSync(join(dir, 'later', `${DATABASE_FILE}-wal`)).size).toBe(0);
  expect(reader.snapshotAt(AT + 60_000)?.tick).toBe(3);
  writer.close();
  reader.close();
});

test('a file that is no database is moved aside, a new one begun, and an event tells it', () => {
  const dir = newDir();
  writeFileSync(join(dir, DATABASE_FILE), 'nobody has ever seen such a database '.repeat(500));
  const store = openSqlite(dir, { now: () => AT });
  expect(store.events({ limit: 1 })[0]).toMatchObject({
    at: AT,
    kind: 'worker',
    sentence: expect.stringContaining(`${DATABASE_FILE}.corrupt-2026-11-05T14-00-00-000Z`),
  });
  expect(readFileSync(join(dir, `${DATABASE_FILE}.corrupt-2026-11-05T14-00-00-000Z`), 'utf8')).toContain('nobody has ever seen');
  store.close();
});

test('damage that shows while running is moved aside too, nothing pending is lost, and readers follow', () => {
  const dir = newDir();
  const first = openSqlite(dir);
  for (let i = 0; i < 500; i++) first.putProbe(aProbe({ id: `p${i}`, sentAt: AT + i, sentence: `${Math.sin(i)}`.repeat(50) }));
  first.close();
  const path = join(dir, DATABASE_FILE);
  const bytes = readFileSync(path);
  // The pages between the roots of the tables and the youngest rows.
  bytes.fill(0xa5, 4096 * 24, bytes.length - 4096 * 8);
  writeFileSync(path, bytes);
  const store = openSqlite(dir, { now: () => AT });
  const reader = openSqlite(dir, { readonly: true });
  reader.events({ limit: 1 });
  for (let i = 0; i < 500; i++) store.putProbe(aProbe({ id: `p${i}`, sentAt: AT + i }));
  store.flush();
  store.putEvent(anEvent({ id: 'after' }));
  store.flush();
  expect(readdirSync(dir).filter((name) => name.includes('.corrupt-')).length).toBeGreaterThan(0);
  expect(
    reader
      .events({ limit: 9 })
      .map((each) => each.id)
      .sort(),
  ).toEqual(['after', `store-${AT}`]);
  expect(reader.probes({ limit: 1000 })).toHaveLength(500);
  store.close();
  reader.close();
});

test('a database of a newer Wedgewatch is left alone, by name and remedy', () => {
  const dir = newDir();
  const other = new Libsql(join(dir, DATABASE_FILE));
  other.exec(`pragma user_version = ${SCHEMA_VERSION + 1}`);
  other.close();
  for (const readonly of [false, true]) {
    const failure = failureOf(() => openSqlite(dir, { readonly }).keys());
    expect(failure.name).toBe('StoreNewer');
    expect(failure.message).toContain(join(dir, DATABASE_FILE));
    expect(failure.message).toContain('run that version, or set "data"');
  }
});

test('a database of the version before gets what is new, and loses nothing', () => {
  const dir = newDir();
  const first = openSqlite(dir);
  first.putIncident(anIncident({ id: 'old' }));
  first.close();
  const other = new Libsql(join(dir, DATABASE_FILE));
  other.exec('drop table kept; pragma user_version = 1');
  other.close();
  const reader = openSqlite(dir, { readonly: true });
  expect(reader.incident('old')).toBeUndefined();
  const store = openSqlite(dir);
  store.putKept(aKept({ id: 'old' }));
  store.flush();
  expect(reader.incident('old')?.id).toBe('old');
  expect(reader.kept('old')?.id).toBe('old');
  store.close();
  reader.close();
});

test('a folder in use by a living process is refused with its id; one of a dead process is taken', () => {
  const dir = newDir();
  const started = readFileSync(`/proc/${process.ppid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
  writeFileSync(join(dir, 'writer.json'), JSON.stringify({ pid: process.ppid, started }));
  const failure = failureOf(() => openSqlite(dir));
  expect(failure.name).toBe('StoreLocked');
  expect(failure.message).toContain(`process id ${process.ppid}`);
  writeFileSync(join(dir, 'writer.json'), JSON.stringify({ pid: process.ppid, started: '1' }));
  openSqlite(dir).close();
  expect(existsSync(join(dir, 'writer.json'))).toBe(false);
});

test('a transaction of another process that never ends is told, and what waited is written afterwards', () => {
  const dir = newDir();
  const store = openSqlite(dir);
  const other = new Libsql(join(dir, DATABASE_FILE));
  other.exec('begin immediate');
  store.putProbe(aProbe({ id: 'waits' }));
  const failure = failureOf(() => store.flush());
  expect(failure.name).toBe('StoreLocked');
  expect(failure.message).toContain(join(dir, DATABASE_FILE));
  other.exec('rollback');
  store.flush();
  expect(store.probe('waits')?.id).toBe('waits');
  other.close();
  store.close();
});

test('a folder that cannot be written is told with path and remedy', () => {
  const file = join(newDir(), 'a-file');
  writeFileSync(file, '');
  for (const dir of [file, join(file, 'below'), '/proc/wedgewatch']) {
    const failure = failureOf(() => openSqlite(dir));
    expect(failure.name).toBe('StoreUnwritable');
    expect(failure.message).toContain(dir);
    expect(failure.message).toContain('set "data" to another folder');
  }
});

test('old blocks are sealed and the tail stays short', () => {
  const dir = newDir();
  const store = openSqlite(dir);
  for (let second = 0; second < 3600; second += 5) {
    store.append('lab.decode', AT + second * 1000, [{ name: 'num_queue_reqs', value: second, source: 'metrics' }]);
    store.flush();
  }
  store.close();
  const file = new Libsql(join(dir, DATABASE_FILE));
  const count = (table: string) => (file.prepare(`select count(*) as n from ${table}`).get([]) as { n: number }).n;
  expect(count('tail')).toBeLessThanOrEqual(70);
  expect(count('block')).toBeGreaterThanOrEqual(11);
  file.close();
});
