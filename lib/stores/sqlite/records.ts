import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Experiment } from '@/lib/model/experiment';
import type { Event, Incident } from '@/lib/model/incident';
import type { Kept } from '@/lib/model/kept';
import type { ProbeResult } from '@/lib/model/probe';
import type { EventStore } from '../store';
import { bytesOf, type Connection, type Value } from './database';

/** A write made ready now and done at the next flush. */
export type Write = (connection: Connection) => void;

/** The records' writes. Their text is taken at once: what was given may change afterwards. */
export const recordWrites = {
  probe(result: ProbeResult): Write {
    const body = deflateRawSync(JSON.stringify(result), { level: 4 });
    const { id, sentAt, target, outcome, experiment } = result;
    return (connection) =>
      connection.run(
        'insert into probe (id, at, target, outcome, experiment, body) values (?, ?, ?, ?, ?, ?) on conflict (id) do update set at = excluded.at, target = excluded.target, outcome = excluded.outcome, experiment = excluded.experiment, body = excluded.body',
        id,
        sentAt,
        target,
        outcome,
        experiment ?? null,
        body,
      );
  },
  event(event: Event): Write {
    const body = JSON.stringify(event);
    const { id, at, stack } = event;
    return (connection) => connection.run('insert or replace into event (id, at, stack, body) values (?, ?, ?, ?)', id, at, stack, body);
  },
  incident(incident: Incident): Write {
    const body = JSON.stringify(incident);
    const { id, openedAt, closedAt, stack } = incident;
    return (connection) =>
      connection.run('insert or replace into incident (id, at, closed, stack, body) values (?, ?, ?, ?, ?)', id, openedAt, closedAt ?? null, stack, body);
  },
  kept(kept: Kept): Write {
    const body = deflateRawSync(JSON.stringify(kept), { level: 6 });
    const { id, at } = kept;
    return (connection) => connection.run('insert or replace into kept (id, at, body) values (?, ?, ?)', id, at, body);
  },
  experiment(experiment: Experiment): Write {
    const body = JSON.stringify(experiment);
    const { id, startedAt } = experiment;
    return (connection) => connection.run('insert or replace into experiment (id, at, body) values (?, ?, ?)', id, startedAt, body);
  },
};

type Reads = Pick<EventStore, 'probe' | 'probes' | 'events' | 'incident' | 'incidents' | 'kept' | 'experiment' | 'experiments'>;

/** The records' reads, newest first. `undefined` from `connection` = nothing stored yet. */
export function recordReads(connection: Connection): Reads {
  const texts = <T>(sql: string, ...values: Value[]) => connection.all<{ body: string }>(sql, ...values).map((row) => JSON.parse(row.body) as T);
  const blobs = <T>(sql: string, ...values: Value[]) =>
    connection.all<{ body: ArrayBuffer }>(sql, ...values).map((row) => JSON.parse(inflateRawSync(bytesOf(row.body)).toString()) as T);
  return {
    probe: (id) => blobs<ProbeResult>('select body from probe where id = ?', id)[0],
    probes({ target, from, to, limit, outcome, experiment }) {
      const want = where({ 'target = ?': target, 'at >= ?': from, 'at < ?': to, 'outcome = ?': outcome, 'experiment = ?': experiment });
      return blobs<ProbeResult>(`select body from probe${want.sql} order by at desc, rowid desc limit ?`, ...want.values, limit);
    },
    events({ from, to, stack, kinds, incident, limit }) {
      const want = where({
        'at >= ?': from,
        'at < ?': to,
        "stack in (?, '')": stack,
        "json_extract(body, '$.kind') in (select value from json_each(?))": kinds && JSON.stringify(kinds),
        "json_extract(body, '$.incident') = ?": incident,
      });
      return texts<Event>(`select body from event${want.sql} order by at desc, rowid desc limit ?`, ...want.values, limit);
    },
    incident: (id) => texts<Incident>('select body from incident where id = ?', id)[0],
    incidents({ from, to, stack, limit }) {
      const want = where({ 'coalesce(closed, 9e15) >= ?': from, 'at < ?': to, 'stack = ?': stack });
      return texts<Incident>(`select body from incident${want.sql} order by at desc, rowid desc limit ?`, ...want.values, limit);
    },
    kept: (id) => blobs<Kept>('select body from kept where id = ?', id)[0],
    experiment: (id) => texts<Experiment>('select body from experiment where id = ?', id)[0],
    experiments({ limit, incident }) {
      // few there are, and a column of its own would need a new version of the file
      const want = where({ "json_extract(body, '$.incident') = ?": incident });
      return texts<Experiment>(`select body from experiment${want.sql} order by at desc, rowid desc limit ?`, ...want.values, limit);
    },
  };
}

function where(conditions: Record<string, Value | undefined>): { sql: string; values: Value[] } {
  const set = Object.entries(conditions).filter((each): each is [string, Value] => each[1] !== undefined);
  return { sql: set.length === 0 ? '' : ` where ${set.map(([condition]) => condition).join(' and ')}`, values: set.map(([, value]) => value) };
}
