import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AROUND_MS, INCIDENT_AGE_MS } from '../store';
import { type Connection, DATABASE_FILE } from './database';

/** Pages given back to the file system at once: a large vacuum would hold up the thread that times probes. */
const VACUUM_PAGES = 2_000;
const ROUNDS = 12;

/** Drop what is too old, then slices of the oldest until the rest fits. */
export function retain(connection: Connection, now: number, limits: { ageMs: number; bytes: number }): void {
  connection.atomically('immediate', () => {
    dropBulk(connection, now - limits.ageMs);
    dropRecords(connection, now - limits.ageMs, now - Math.max(INCIDENT_AGE_MS, limits.ageMs));
  });
  for (let round = 0; round < ROUNDS && usedBytes(connection) > limits.bytes; round++) {
    const oldest = oldestOf(connection);
    if (oldest === undefined || oldest >= now) break;
    const surplus = 1 - (0.95 * limits.bytes) / usedBytes(connection);
    const cut = Math.ceil(oldest + Math.max(1_000, (now - oldest) * surplus));
    // What a person wrote home about, incidents and events, is small and stays until its age.
    connection.atomically('immediate', () => dropBulk(connection, cut));
  }
  connection.all(`pragma incremental_vacuum(${VACUUM_PAGES})`);
  connection.all('pragma wal_checkpoint(truncate)');
}

/** Bytes of the database and its log on disk. */
export function bytesOnDisk(dir: string): number {
  const path = join(dir, DATABASE_FILE);
  return [path, `${path}-wal`].reduce((sum, each) => sum + (existsSync(each) ? statSync(each).size : 0), 0);
}

function dropBulk(connection: Connection, cut: number) {
  connection.run('delete from tail where at < ?', cut);
  connection.run('delete from block where last < ?', cut);
  connection.run('delete from series where seen < ? and target not in (select distinct target from tail)', cut);
  connection.run('delete from probe where at < ?', cut);
  // A difference is of no use without its key frame: whole minutes go.
  connection.run('delete from snapshot where key in (select key from snapshot group by key having max(at) < ?)', cut);
}

function dropRecords(connection: Connection, cut: number, incidentCut: number) {
  connection.run('delete from incident where coalesce(closed, at) < ? and closed is not null', incidentCut);
  connection.run('delete from kept where at < ? and id not in (select id from incident)', incidentCut);
  connection.run(`delete from event where at < ? and not exists (${INCIDENT_OF_EVENT})`, cut);
  connection.run("delete from experiment where at < ? and coalesce(json_extract(body, '$.incident'), '') not in (select id from incident)", cut);
}

/** An event that names its incident, or fell into the time of one. */
const INCIDENT_OF_EVENT = `
  select 1 from incident i where case when json_extract(event.body, '$.incident') is not null then json_extract(event.body, '$.incident') = i.id
  else event.stack in (i.stack, '') and event.at >= i.at - ${AROUND_MS} and event.at < coalesce(i.closed, 9e15) + ${AROUND_MS} end`;

function oldestOf(connection: Connection): number | undefined {
  const found = connection.get<{ at: number | null }>(
    'select min(at) as at from (select min(at) as at from tail union all select min(first) from block union all select min(at) from probe union all select min(at) from snapshot)',
  );
  return found?.at ?? undefined;
}

function usedBytes(connection: Connection): number {
  const pages = connection.get<{ page_count: number }>('pragma page_count')?.page_count ?? 0;
  const free = connection.get<{ freelist_count: number }>('pragma freelist_count')?.freelist_count ?? 0;
  const bytes = connection.get<{ page_size: number }>('pragma page_size')?.page_size ?? 0;
  return (pages - free) * bytes;
}
