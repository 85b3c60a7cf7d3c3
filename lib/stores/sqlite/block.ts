import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { merge, type Summary } from '../bucket';

/** One scrape in the tail: series id and value in turn. */
export type TailRow = { at: number; pairs: number[] };

/** One series of a block. */
export type Column = { id: number; ats: number[]; values: number[] };

const INTEGERS = 0;
const DECIMALS = 1;
const DOUBLES = 2;
/** Gauges such as token_usage and gen_throughput are printed with few decimals: as ten-thousandths most are exact and short. */
const DECIMAL_SCALE = 10_000;
/** Below this a zigzag-coded difference is still an exact double. */
const LARGEST_INTEGER = 2 ** 50;

/** Rows of one target, oldest first, as deflated columns of differences; about 1-2 bytes a reading where most stand still. */
export function encodeBlock(rows: readonly TailRow[]): Buffer {
  const out = writer();
  out.unsigned(rows.length);
  let before = 0;
  for (const row of rows) {
    out.signed(row.at - before);
    before = row.at;
  }
  const columns = transpose(rows);
  out.unsigned(columns.size);
  for (const [id, cells] of columns) writeColumn(out, id, cells);
  return deflateRawSync(out.bytes(), { level: 4 });
}

/** The columns of a block, all or those wanted. */
export function decodeBlock(block: Uint8Array, wanted?: ReadonlySet<number>): Column[] {
  const input = reader(inflateRawSync(block));
  const ats: number[] = [];
  const rows = input.unsigned();
  for (let row = 0, at = 0; row < rows; row++) {
    at += input.signed();
    ats.push(at);
  }
  const columns: Column[] = [];
  for (let left = input.unsigned(); left > 0; left--) {
    const id = input.unsigned();
    const length = input.unsigned();
    const end = input.at() + length;
    if (wanted === undefined || wanted.has(id)) columns.push(readColumn(input, id, ats));
    input.seek(end);
  }
  return columns;
}

/** What a long range needs of a block, so that a week is read without opening the columns. */
export function summarise(rows: readonly TailRow[]): Map<number, Summary> {
  const summaries = new Map<number, Summary>();
  for (const { at, pairs } of rows) {
    for (let slot = 0; slot < pairs.length; slot += 2) {
      const value = pairs[slot + 1] ?? 0;
      const id = pairs[slot] ?? 0;
      summaries.set(id, merge(summaries.get(id), { min: value, max: value, last: value, lastAt: at, count: 1 }));
    }
  }
  return summaries;
}

function transpose(rows: readonly TailRow[]): Map<number, { row: number; value: number }[]> {
  const columns = new Map<number, { row: number; value: number }[]>();
  rows.forEach(({ pairs }, row) => {
    for (let slot = 0; slot < pairs.length; slot += 2) {
      const id = pairs[slot] ?? 0;
      const cells = columns.get(id) ?? [];
      if (cells.length === 0) columns.set(id, cells);
      // A scrape names a series once; of a duplicate the last counts.
      if (cells.at(-1)?.row === row) cells.pop();
      cells.push({ row, value: pairs[slot + 1] ?? 0 });
    }
  });
  return columns;
}

function writeColumn(out: Writer, id: number, cells: { row: number; value: number }[]) {
  const body = writer();
  body.unsigned(cells.length);
  let before = -1;
  for (const { row } of cells) {
    body.unsigned(row - before - 1);
    before = row;
  }
  writeValues(
    body,
    cells.map((cell) => cell.value),
  );
  const bytes = body.bytes();
  out.unsigned(id);
  out.unsigned(bytes.length);
  out.raw(bytes);
}

function readColumn(input: Reader, id: number, ats: readonly number[]): Column {
  const count = input.unsigned();
  const own: number[] = [];
  for (let left = count, row = -1; left > 0; left--) {
    row += input.unsigned() + 1;
    own.push(ats[row] ?? 0);
  }
  return { id, ats: own, values: readValues(input, count) };
}

function writeValues(out: Writer, values: number[]) {
  const scale = scaleOf(values);
  if (scale === undefined) {
    out.unsigned(DOUBLES);
    out.raw(Buffer.from(new Float64Array(values).buffer));
    return;
  }
  out.unsigned(scale === 1 ? INTEGERS : DECIMALS);
  let before = 0;
  for (const value of values) {
    const whole = Math.round(value * scale);
    out.signed(whole - before);
    before = whole;
  }
}

function readValues(input: Reader, count: number): number[] {
  const kind = input.unsigned();
  if (kind === DOUBLES) return input.doubles(count);
  const scale = kind === DECIMALS ? DECIMAL_SCALE : 1;
  const values: number[] = [];
  for (let whole = 0; values.length < count; ) {
    whole += input.signed();
    values.push(whole / scale);
  }
  return values;
}

function scaleOf(values: number[]): number | undefined {
  const isExact = (scale: number) => (value: number) => Math.abs(value * scale) < LARGEST_INTEGER && Math.round(value * scale) / scale === value;
  return [1, DECIMAL_SCALE].find((scale) => values.every(isExact(scale)));
}

type Writer = ReturnType<typeof writer>;
type Reader = ReturnType<typeof reader>;

function writer() {
  const bytes: number[] = [];
  const unsigned = (value: number) => {
    let rest = value;
    // Arithmetic, since shifts are of 32 bits.
    while (rest >= 128) {
      bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  };
  return {
    unsigned,
    signed: (value: number) => unsigned(value < 0 ? -2 * value - 1 : 2 * value),
    raw(more: Uint8Array) {
      for (const byte of more) bytes.push(byte);
    },
    bytes: () => Uint8Array.from(bytes),
  };
}

function reader(bytes: Buffer) {
  let at = 0;
  const unsigned = () => {
    let value = 0;
    let weight = 1;
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('block ends early');
      value += (byte % 128) * weight;
      if (byte < 128) return value;
      weight *= 128;
    }
  };
  return {
    unsigned,
    signed() {
      const value = unsigned();
      return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    },
    doubles(count: number) {
      return Array.from({ length: count }, (_, slot) => bytes.readDoubleLE(at + 8 * slot));
    },
    at: () => at,
    seek(to: number) {
      at = to;
    },
  };
}
