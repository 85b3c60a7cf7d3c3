import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Delta, diff, type Json, patch } from '@/lib/delta';
import type { Snapshot } from '@/lib/model/snapshot';
import { bytesOf, type Connection } from './database';

const KEY_FRAME_MS = 60_000;
/** Deflate looks back this far. */
const WINDOW_BYTES = 32_768;

type Row = { id: number; at: number; key: number; frame: Uint8Array | ArrayBuffer };
type Chain = { key: number; keyAt: number; last: Json; text: Buffer };

/** Writes snapshots as differences from the one before, with a whole one each minute and at the start. */
export function frameWriter() {
  let chain: Chain | undefined;
  return {
    /** Prepared at once, since the snapshot given may change; written when called. */
    put(snapshot: Snapshot) {
      const text = JSON.stringify(snapshot);
      return (connection: Connection) => {
        chain =
          chain !== undefined && isWithin(chain, snapshot.at) ? writeDelta(connection, chain, snapshot.at, text) : writeKey(connection, snapshot.at, text);
      };
    },
    /** The next one is written whole: after a failed write, nothing may lean on what was lost. */
    restart() {
      chain = undefined;
    },
  };
}

/** The last snapshot at or before the moment. */
export function readFrame(connection: Connection, at: number): Snapshot | undefined {
  const wanted = connection.get<Row>('select id, key from snapshot where at <= ? order by at desc, id desc limit 1', Math.floor(at));
  if (wanted === undefined) return undefined;
  const rows = connection.all<Row>('select id, frame from snapshot where key = ? and id between ? and ? order by id', wanted.key, wanted.key, wanted.id);
  const [first, ...rest] = rows;
  if (first === undefined || first.id !== wanted.key) return undefined;
  const text = inflateRawSync(bytesOf(first.frame));
  const whole = rest.reduce<Json>((before, row) => patch(before, readDelta(row, text)), JSON.parse(text.toString()) as Json);
  return whole as unknown as Snapshot;
}

function isWithin(chain: Chain, at: number): boolean {
  return at >= chain.keyAt && at < chain.keyAt + KEY_FRAME_MS;
}

function writeKey(connection: Connection, at: number, json: string): Chain {
  const text = Buffer.from(json);
  const key = 1 + (connection.get<{ id: number }>('select max(id) as id from snapshot')?.id ?? 0);
  connection.run('insert into snapshot (id, at, key, frame) values (?, ?, ?, ?)', key, at, key, deflateRawSync(text, { level: 6 }));
  return { key, keyAt: at, last: JSON.parse(json) as Json, text };
}

function writeDelta(connection: Connection, chain: Chain, at: number, json: string): Chain {
  const last = JSON.parse(json) as Json;
  const delta = JSON.stringify(diff(chain.last, last) ?? {});
  // The key frame's text is the dictionary: a value that moves in an array is then a short reference.
  const frame = deflateRawSync(delta, { level: 6, dictionary: dictionaryOf(chain.text) });
  connection.run('insert into snapshot (at, key, frame) values (?, ?, ?)', at, chain.key, frame);
  return { ...chain, last };
}

function readDelta(row: Row, text: Buffer): Delta {
  return JSON.parse(inflateRawSync(bytesOf(row.frame), { dictionary: dictionaryOf(text) }).toString()) as Delta;
}

function dictionaryOf(text: Buffer): Buffer {
  return text.subarray(-WINDOW_BYTES);
}
