import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Sample, seriesKey } from '@/lib/model/sample';
import { bucketer, type Summary } from '../bucket';
import type { SeriesRange } from '../store';
import { decodeBlock, encodeBlock, summarise, type TailRow } from './block';
import { bytesOf, type Connection } from './database';

/** Span of a sealed block; a step that is a multiple of it is answered from the summaries. */
export const BLOCK_MS = 300_000;
/** A block is sealed this long after its span has ended, for a slow scrape still to fall into it. */
const LATE_MS = 15_000;
/** Blocks sealed per flush: the collector's thread also times probes. */
const SEALS_PER_FLUSH = 4;

type SeriesRow = { id: number; target: string; key: string; name: string };
type Query = { targets?: string[]; names?: string[]; from: number; to: number; stepMs: number };
type StoredSummary = [id: number, min: number, max: number, last: number, lastAt: number, count: number][];

/** Appends readings to the tail and seals what is old of it. */
export function sampleWriter() {
  const ids = new Map<string, Map<string, number>>();
  return {
    append(target: string, at: number, samples: readonly Sample[]) {
      const read = samples
        .filter((sample) => Number.isFinite(sample.value))
        .map((sample) => ({ key: seriesKey(sample), name: sample.name, value: sample.value }));
      return (connection: Connection) => {
        if (read.length === 0) return;
        const known = ids.get(target) ?? new Map<string, number>();
        ids.set(target, known);
        const pairs: number[] = [];
        for (const { key, name, value } of read) pairs.push(known.get(key) ?? idOf(connection, known, { target, key, name, at }), value);
        connection.run('insert into tail (target, at, pairs) values (?, ?, ?)', target, at, JSON.stringify(pairs));
      };
    },
    seal,
    /** Ids are looked up again: after rows of series went away, or a write failed. */
    restart() {
      ids.clear();
    },
  };
}

/** Series of the range in buckets, from blocks and tail alike. */
export function readRange(connection: Connection, query: Query): SeriesRange[] {
  return connection.atomically('deferred', () =>
    targetsOf(connection, query).flatMap(([target, series]) => {
      const filled = new Map(series.map((row) => [row.id, bucketer(query)]));
      if (isSummaryEnough(query)) fillFromSummaries(connection, target, query, filled);
      else fillFromBlocks(connection, target, query, filled);
      fillFromTail(connection, target, query, filled);
      return series.flatMap(({ id, key, name }) => {
        const buckets = filled.get(id);
        return buckets === undefined || buckets.isEmpty() ? [] : [{ target, key, name, buckets: buckets.list() }];
      });
    }),
  );
}

export function readKeys(connection: Connection): SeriesRow[] {
  return connection.all<SeriesRow>('select id, target, key, name from series order by target, key');
}

type Filled = Map<number, ReturnType<typeof bucketer>>;

function seal(connection: Connection, now: number) {
  const due = connection.all<{ target: string; first: number }>(
    'select target, min(at) as first from tail group by target having min(at) < ? order by first limit ?',
    spanOf(now - LATE_MS),
    SEALS_PER_FLUSH,
  );
  for (const { target, first } of due) sealSpan(connection, target, spanOf(first));
}

function sealSpan(connection: Connection, target: string, from: number) {
  const to = from + BLOCK_MS;
  const rows = connection
    .all<{ at: number; pairs: string }>('select at, pairs from tail where target = ? and at >= ? and at < ? order by at, id', target, from, to)
    .map(readRow);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return;
  const summaries = summarise(rows);
  connection.run(
    'insert into block (target, first, last, rows, summary) values (?, ?, ?, ?, ?)',
    target,
    first.at,
    last.at,
    encodeBlock(rows),
    deflateRawSync(
      JSON.stringify([...summaries].map(([id, { min, max, last, lastAt, count }]) => [id, min, max, last, lastAt, count]) satisfies StoredSummary),
    ),
  );
  for (const [id, { lastAt }] of summaries) connection.run('update series set seen = max(seen, ?) where id = ?', lastAt, id);
  connection.run('delete from tail where target = ? and at >= ? and at < ?', target, from, to);
}

function idOf(connection: Connection, ids: Map<string, number>, series: { target: string; key: string; name: string; at: number }): number {
  connection.run('insert into series (target, key, name, seen) values (?, ?, ?, ?) on conflict do nothing', series.target, series.key, series.name, series.at);
  const id = connection.get<{ id: number }>('select id from series where target = ? and key = ?', series.target, series.key)?.id ?? 0;
  ids.set(series.key, id);
  return id;
}

function targetsOf(connection: Connection, query: Query): [string, SeriesRow[]][] {
  const wanted = readKeys(connection).filter((row) => (query.targets?.includes(row.target) ?? true) && (query.names?.includes(row.name) ?? true));
  const byTarget = new Map<string, SeriesRow[]>();
  for (const row of wanted) byTarget.set(row.target, [...(byTarget.get(row.target) ?? []), row]);
  return [...byTarget];
}

function isSummaryEnough(query: Query): boolean {
  return query.stepMs % BLOCK_MS === 0 && query.from % BLOCK_MS === 0;
}

function fillFromSummaries(connection: Connection, target: string, query: Query, filled: Filled) {
  const rows = connection.all<{ first: number; summary: ArrayBuffer }>(
    'select first, summary from block where target = ? and last >= ? and first < ? order by first',
    target,
    query.from,
    query.to,
  );
  for (const row of rows) {
    const summaries = JSON.parse(inflateRawSync(bytesOf(row.summary)).toString()) as StoredSummary;
    for (const [id, min, max, last, lastAt, count] of summaries) filled.get(id)?.summary(row.first, { min, max, last, lastAt, count } satisfies Summary);
  }
}

function fillFromBlocks(connection: Connection, target: string, query: Query, filled: Filled) {
  const wanted = new Set(filled.keys());
  const rows = connection.all<{ rows: ArrayBuffer }>(
    'select rows from block where target = ? and last >= ? and first < ? order by first',
    target,
    query.from,
    query.to,
  );
  for (const row of rows) {
    for (const column of decodeBlock(bytesOf(row.rows), wanted)) {
      const buckets = filled.get(column.id);
      for (const [slot, value] of column.values.entries()) buckets?.add(column.ats[slot] ?? 0, value);
    }
  }
}

function fillFromTail(connection: Connection, target: string, query: Query, filled: Filled) {
  const rows = connection.all<{ at: number; pairs: string }>(
    'select at, pairs from tail where target = ? and at >= ? and at < ? order by at',
    target,
    query.from,
    query.to,
  );
  for (const { at, pairs } of rows.map(readRow)) {
    for (let slot = 0; slot < pairs.length; slot += 2) filled.get(pairs[slot] ?? 0)?.add(at, pairs[slot + 1] ?? 0);
  }
}

function readRow(row: { at: number; pairs: string }): TailRow {
  return { at: row.at, pairs: JSON.parse(row.pairs) as number[] };
}

function spanOf(at: number): number {
  return Math.floor(at / BLOCK_MS) * BLOCK_MS;
}
