import { statSync } from 'node:fs';
import { join } from 'node:path';
import { explain, isCorruption, storeFailure } from './failure';
import { type Connection, DATABASE_FILE, makeFolder, moveAside, openForReading, openForWriting } from './sqlite/database';
import { frameWriter, readFrame } from './sqlite/frames';
import { claim } from './sqlite/lock';
import { recordReads, recordWrites, type Write } from './sqlite/records';
import { bytesOnDisk, retain } from './sqlite/retention';
import { readKeys, readRange, sampleWriter } from './sqlite/samples';
import type { Store } from './store';

/** Writes kept for the next try while the disk is full; beyond it the oldest go. */
const MOST_PENDING = 20_000;
const SEAL_EVERY_MS = 15_000;

/**
 * The store in one SQLite file in `dir`. For writing, the file is made where absent and a damaged one is moved aside; `put...` and `append`
 * never fail, `flush` does (names in failure.ts) and tries again with the same at its next call. Read-only, it answers with nothing until there is a file.
 */
export function openSqlite(dir: string, options: { readonly?: boolean; now?: () => number } = {}): Store {
  return options.readonly ? openReader(dir) : openWriter(dir, options.now ?? Date.now);
}

type Reads = Pick<
  Store,
  'range' | 'keys' | 'probe' | 'probes' | 'events' | 'incident' | 'incidents' | 'kept' | 'experiment' | 'experiments' | 'snapshotAt' | 'span' | 'size'
>;

function openWriter(dir: string, now: () => number): Store {
  const frames = frameWriter();
  const samples = sampleWriter();
  let pending: Write[] = [];
  let newest = 0;
  let sealedAt = 0;
  const release = claimFolder();
  let connection = openOrReplace();

  return {
    append(target, at, read) {
      newest = Math.max(newest, at);
      pending.push(samples.append(target, at, read));
    },
    putProbe: (result) => void pending.push(recordWrites.probe(result)),
    putEvent: (event) => void pending.push(recordWrites.event(event)),
    putIncident: (incident) => void pending.push(recordWrites.incident(incident)),
    putKept: (kept) => void pending.push(recordWrites.kept(kept)),
    putExperiment: (experiment) => void pending.push(recordWrites.experiment(experiment)),
    putSnapshot: (snapshot) => void pending.push(frames.put(snapshot)),
    ...reads(dir, () => {
      flush();
      return connection;
    }),
    flush,
    retain(at, limits) {
      flush();
      guarded(() => retain(connection, at, limits));
      samples.restart();
    },
    close() {
      try {
        flush();
        // The driver's own closing leaves all in the log (libsql 0.5.29, seen).
        connection.all('pragma wal_checkpoint(truncate)');
      } finally {
        release();
        connection.close();
      }
    },
  };

  function flush() {
    const isSealDue = newest - sealedAt >= SEAL_EVERY_MS;
    if (pending.length === 0 && !isSealDue) return;
    guarded(() =>
      connection.atomically('immediate', () => {
        for (const write of pending) write(connection);
        if (isSealDue) samples.seal(connection, newest);
      }),
    );
    pending = [];
    if (isSealDue) sealedAt = newest;
  }

  function guarded(work: () => void, isSecondTry = false) {
    try {
      work();
    } catch (error) {
      frames.restart();
      samples.restart();
      if (!isCorruption(error) || isSecondTry) throw keepingPending(explain(error, join(dir, DATABASE_FILE)));
      connection.close();
      connection = replace();
      guarded(work, true);
    }
  }

  function keepingPending(failure: Error): Error {
    const isWorthAnotherTry = failure.name === 'StoreFull' || failure.name === 'StoreLocked';
    pending = isWorthAnotherTry ? pending.slice(-MOST_PENDING) : [];
    return failure;
  }

  function openOrReplace(): Connection {
    try {
      return openForWriting(dir);
    } catch (error) {
      if (isCorruption(error)) return replace();
      release();
      throw error;
    }
  }

  function replace(): Connection {
    const at = now();
    const moved = moveAside(dir, at);
    const fresh = openForWriting(dir);
    const sentence = `the database was damaged and has been moved to ${moved}; history begins anew`;
    recordWrites.event({ id: `store-${at}`, at, stack: '', kind: 'worker', sentence })(fresh);
    return fresh;
  }

  function claimFolder() {
    try {
      makeFolder(dir);
      return claim(dir);
    } catch (error) {
      throw explain(error, dir);
    }
  }
}

function openReader(dir: string): Store {
  const path = join(dir, DATABASE_FILE);
  let open: { connection: Connection; inode: number } | undefined;
  const refuse = () => {
    throw storeFailure('StoreFailed', `${path} is open for reading only; write through the collector's thread`);
  };
  return {
    ...reads(dir, current),
    append: refuse,
    putProbe: refuse,
    putEvent: refuse,
    putIncident: refuse,
    putKept: refuse,
    putExperiment: refuse,
    putSnapshot: refuse,
    flush() {},
    retain: refuse,
    close() {
      open?.connection.close();
      open = undefined;
    },
  };

  /** The connection to the file that is there now: a damaged one may have been moved aside under us. */
  function current(): Connection | undefined {
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    if (open !== undefined && open.inode === inode) return open.connection;
    open?.connection.close();
    const connection = openForReading(dir);
    open = connection === undefined || inode === undefined ? undefined : { connection, inode };
    return connection;
  }
}

function reads(dir: string, current: () => Connection | undefined): Reads {
  const read = <T>(otherwise: T, question: (connection: Connection) => T): T => {
    try {
      const connection = current();
      return connection === undefined ? otherwise : question(connection);
    } catch (error) {
      throw explain(error, join(dir, DATABASE_FILE));
    }
  };
  return {
    range: (query) => read([], (connection) => readRange(connection, query)),
    keys: () => read([], (connection) => readKeys(connection).map(({ target, key, name }) => ({ target, key, name }))),
    probe: (id) => read(undefined, (connection) => recordReads(connection).probe(id)),
    probes: (query) => read([], (connection) => recordReads(connection).probes(query)),
    events: (query) => read([], (connection) => recordReads(connection).events(query)),
    incident: (id) => read(undefined, (connection) => recordReads(connection).incident(id)),
    incidents: (query) => read([], (connection) => recordReads(connection).incidents(query)),
    kept: (id) => read(undefined, (connection) => recordReads(connection).kept(id)),
    experiment: (id) => read(undefined, (connection) => recordReads(connection).experiment(id)),
    experiments: (query) => read([], (connection) => recordReads(connection).experiments(query)),
    snapshotAt: (at) => read(undefined, (connection) => readFrame(connection, at)),
    span: () =>
      read(undefined, (connection) => {
        const found = connection.get<{ from: number | null; to: number | null }>('select min(at) as "from", max(at) as "to" from snapshot');
        return typeof found?.from === 'number' && typeof found.to === 'number' ? { from: found.from, to: found.to } : undefined;
      }),
    size: () => bytesOnDisk(dir),
  };
}
