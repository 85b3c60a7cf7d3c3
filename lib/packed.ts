/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * A JSON value without its repetitions: key lists told once (`shapes`), strings that occur again told once (`strings`), moments told from `base`.
 * In `body` an object is [index of its shape, ...values] and an array is [-1, ...items]; a string is `~i` for strings[i], `@n` for base + n, `+` and `-` for true and false, else itself
 * (`!` before one that would be mistaken).
 */
export type Packed = { base: number; shapes: string[][]; strings: string[]; body: Json };

const MOMENT = 1e12;
const WORTH = 4;

export function pack(value: Json): Packed {
  const base = firstMoment(value);
  const counts = new Map<string, number>();
  tally(value, counts);
  const strings: string[] = [];
  const indexOf = new Map<string, number>();
  const shapes: string[][] = [];
  const shapeOf = new Map<string, number>();
  return { base, shapes, strings, body: put(value) };

  function put(v: Json): Json {
    if (typeof v === 'string') return text(v);
    if (typeof v === 'number') return Number.isInteger(v) && v >= MOMENT ? `@${v - base}` : v;
    if (typeof v === 'boolean') return v ? '+' : '-';
    if (v === null) return v;
    if (Array.isArray(v)) return [-1, ...v.map(put)];
    const keys = Object.keys(v);
    return [index(JSON.stringify(keys), shapeOf, shapes, keys), ...keys.map((key) => put(v[key] ?? null))];
  }

  function text(v: string): Json {
    if (v.length >= WORTH && (counts.get(v) ?? 0) > 1) return `~${index(v, indexOf, strings, v)}`;
    return /^([~@!]|[+-]$)/.test(v) ? `!${v}` : v;
  }
}

export function unpack({ base, shapes, strings, body }: Packed): Json {
  return take(body);

  function take(v: Json): Json {
    if (typeof v === 'string') return text(v);
    if (!Array.isArray(v)) return v;
    const [kind, ...rest] = v;
    if (kind === -1) return rest.map(take);
    const keys = shapes[kind as number] ?? [];
    return Object.fromEntries(keys.map((key, i) => [key, take(rest[i] ?? null)]));
  }

  function text(v: string): Json {
    if (v[0] === '~') return strings[Number(v.slice(1))] ?? '';
    if (v[0] === '@') return base + Number(v.slice(1));
    if (v === '+' || v === '-') return v === '+';
    return v[0] === '!' ? v.slice(1) : v;
  }
}

function index<T>(key: string, known: Map<string, number>, list: T[], item: T): number {
  const at = known.get(key) ?? list.push(item) - 1;
  known.set(key, at);
  return at;
}

function tally(v: Json, counts: Map<string, number>): void {
  if (typeof v === 'string') counts.set(v, (counts.get(v) ?? 0) + 1);
  else if (v !== null && typeof v === 'object') for (const inner of Object.values(v)) tally(inner, counts);
}

/** The first moment met: the rest of a frame lies near it. */
function firstMoment(v: Json): number {
  if (typeof v === 'number') return Number.isInteger(v) && v >= MOMENT ? v : 0;
  if (v === null || typeof v !== 'object') return 0;
  for (const inner of Object.values(v)) {
    const found = firstMoment(inner);
    if (found > 0) return found;
  }
  return 0;
}
