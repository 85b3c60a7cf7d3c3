import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Libsql from 'libsql';
import { explain, storeFailure } from '../failure';

export const DATABASE_FILE = 'wedgewatch.db';

/** Counts up when the tables change; a file with a higher number is left alone. */
export const SCHEMA_VERSION = 2;

const SCHEMA = `
create table series (id integer primary key, target text not null, key text not null, name text not null, seen integer not null, unique (target, key));
create table tail (id integer primary key, target text not null, at integer not null, pairs text not null);
create index tail_target on tail (target, at);
create table block (id integer primary key, target text not null, first integer not null, last integer not null, rows blob not null, summary blob not null);
create index block_target on block (target, last);
create table snapshot (id integer primary key, at integer not null, key integer not null, frame blob not null);
create index snapshot_at on snapshot (at);
create table probe (id text primary key, at integer not null, target text not null, outcome text not null, experiment text, body blob not null);
create index probe_at on probe (at);
create index probe_target on probe (target, at);
create table event (id text primary key, at integer not null, stack text not null, body text not null);
create index event_at on event (at);
create table incident (id text primary key, at integer not null, closed integer, stack text not null, body text not null);
create index incident_at on incident (at);
create table experiment (id text primary key, at integer not null, body text not null);
create index experiment_at on experiment (at);
`;

/** What each later version adds to the tables of the one before. */
const STEPS: Readonly<Record<number, string>> = {
  2: 'create table kept (id text primary key, at integer not null, body blob not null);',
};

export type Value = string | number | Uint8Array | null;

/** The driver behind four words, with each statement prepared once. */
export type Connection = {
  run(sql: string, ...values: Value[]): void;
  get<Row>(sql: string, ...values: Value[]): Row | undefined;
  all<Row>(sql: string, ...values: Value[]): Row[];
  exec(sql: string): void;
  /** All of `work` or nothing; for reads, one moment of the database. */
  atomically<T>(mode: 'immediate' | 'deferred', work: () => T): T;
  close(): void;
};

/** Open for the collector's thread: the file and its tables are made where absent, in a folder that is there, a newer file is refused. A damaged one throws `StoreCorrupt`. */
export function openForWriting(dir: string): Connection {
  const path = join(dir, DATABASE_FILE);
  let connection: Connection | undefined;
  try {
    connection = connect(path);
    connection.exec('pragma auto_vacuum = 2; pragma journal_mode = wal; pragma synchronous = normal; pragma journal_size_limit = 8388608;');
    bring(connection, path);
    return connection;
  } catch (error) {
    connection?.close();
    throw explain(error, path);
  }
}

/** Open for reading what another connection writes; undefined while there is no file, or no table in it yet. */
export function openForReading(dir: string): Connection | undefined {
  const path = join(dir, DATABASE_FILE);
  // The driver makes a file where there is none.
  if (!existsSync(path) || statSync(path).size === 0) return undefined;
  const connection = connect(path);
  try {
    connection.exec('pragma query_only = 1');
    const version = versionOf(connection);
    if (version === SCHEMA_VERSION) return connection;
    connection.close();
    if (version > SCHEMA_VERSION) throw newer(path, version);
    return undefined;
  } catch (error) {
    connection.close();
    throw explain(error, path);
  }
}

/** Move a damaged database out of the way, with its companions; the new name. */
export function moveAside(dir: string, at: number): string {
  const from = join(dir, DATABASE_FILE);
  const to = `${from}.corrupt-${new Date(at).toISOString().replace(/[:.]/g, '-')}`;
  for (const suffix of ['', '-wal', '-shm']) {
    // Else the bundler takes every file of the project for one that may be meant.
    if (existsSync(/* turbopackIgnore: true */ from + suffix)) renameSync(/* turbopackIgnore: true */ from + suffix, to + suffix);
  }
  return to;
}

/** Blobs come as Buffer from one row and as ArrayBuffer from many (libsql 0.5.29, seen). */
export function bytesOf(blob: Uint8Array | ArrayBuffer): Buffer {
  return blob instanceof ArrayBuffer ? Buffer.from(blob) : Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength);
}

/** One level at a time: mkdir's own recursion never ends where the system answers ENOENT below an existing folder, as /proc does (Node 20.20, seen). */
export function makeFolder(dir: string) {
  if (existsSync(dir) || dirname(dir) === dir) return;
  makeFolder(dirname(dir));
  mkdirSync(dir);
}

function bring(connection: Connection, path: string) {
  const version = versionOf(connection);
  if (version > SCHEMA_VERSION) throw newer(path, version);
  const missing = Array.from({ length: SCHEMA_VERSION - version }, (_, step) => STEPS[version + 1 + step] ?? SCHEMA);
  if (missing.length > 0) connection.atomically('immediate', () => connection.exec(`${missing.join('\n')} pragma user_version = ${SCHEMA_VERSION};`));
  // Damage shows in what is read first: the roots of all tables and their youngest rows.
  for (const table of ['series', 'tail', 'block', 'snapshot', 'probe', 'event', 'incident', 'kept', 'experiment'])
    connection.get(`select * from ${table} order by rowid desc limit 1`);
}

function newer(path: string, version: number) {
  return storeFailure(
    'StoreNewer',
    `${path} was written by a newer Wedgewatch (tables of version ${version}, this one knows ${SCHEMA_VERSION}); run that version, or set "data" to another folder`,
  );
}

function versionOf(connection: Connection): number {
  return connection.get<{ user_version: number }>('pragma user_version')?.user_version ?? 0;
}

/** A connection to the file at `path`, as it is. */
export function connect(path: string): Connection {
  const database = new Libsql(path, { timeout: 2_000 });
  const prepared = new Map<string, ReturnType<typeof database.prepare>>();
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const exec = (sql: string) => void database.exec(sql);
  // Values go as one array: a lone Buffer would be taken for named parameters (libsql 0.5.29, seen).
  return {
    run: (sql, ...values) => void statement(sql).run(values),
    get: <Row>(sql: string, ...values: Value[]) => statement(sql).get(values) as Row | undefined,
    all: <Row>(sql: string, ...values: Value[]) => statement(sql).all(values) as Row[],
    exec,
    atomically(mode, work) {
      exec(`begin ${mode}`);
      try {
        const result = work();
        exec('commit');
        return result;
      } catch (error) {
        // A full disk has ended the transaction already.
        if (database.inTransaction) exec('rollback');
        throw error;
      }
    },
    close() {
      prepared.clear();
      if (database.open) database.close();
    },
  };
}
