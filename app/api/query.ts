import { quoted, refusal } from './answer';
import { momentOf, spanOf, spanText } from './moment';

const MOMENT_FORMS = 'write ISO time with its zone (2026-11-05T14:03:22Z), epoch milliseconds, "now" or "now-15m"';
const MOST_REPEATS = 200;
const LONGEST_VALUE = 300;

/** The query of a request, read against the names that the route knows; what is wrong is refused with 400 and one sentence. */
export function queryOf(request: Request, names: readonly string[]) {
  const given = new URL(request.url).searchParams;
  for (const [name, value] of given) {
    if (!names.includes(name))
      throw refusal(400, `${quoted(name)} is no parameter of this route; ${names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`}.`);
    if (value.length > LONGEST_VALUE) throw refusal(400, `${name}: ${quoted(value)} is longer than ${LONGEST_VALUE} characters; shorten it.`);
  }
  return {
    text: (name: string) => only(given, name),
    texts: (name: string) => repeated(given, name),
    moment(name: string, now: number) {
      const value = only(given, name);
      return value === undefined ? undefined : moment(name, value, now);
    },
    span(name: string, limits: { least: number; most: number }) {
      const value = only(given, name);
      return value === undefined ? undefined : span(name, value, limits);
    },
    whole(name: string, limits: { least: number; most: number; otherwise: number }) {
      const value = only(given, name);
      return value === undefined ? limits.otherwise : whole(name, value, limits);
    },
    choice<T extends string>(name: string, among: readonly T[]): T | undefined {
      const value = only(given, name);
      if (value === undefined) return undefined;
      const found = among.find((each) => each === value);
      if (found === undefined) throw refusal(400, `${name}: ${quoted(value)} is not known; write one of ${among.join(', ')}.`);
      return found;
    },
    /** `from` and `to`, both optional, in their order. */
    range(now: number) {
      const from = this.moment('from', now);
      const to = this.moment('to', now);
      if (from !== undefined && to !== undefined && from >= to) throw refusal(400, `from: ${quoted(given.get('from') ?? '')} is not before to; swap them.`);
      return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    },
  };
}

function only(given: URLSearchParams, name: string): string | undefined {
  const values = given.getAll(name);
  if (values.length > 1) throw refusal(400, `${name}: given ${values.length} times; give it once.`);
  if (values[0] === '') throw refusal(400, `${name}: "" is empty; give it a value or leave it out.`);
  return values[0];
}

function repeated(given: URLSearchParams, name: string): string[] | undefined {
  const values = given.getAll(name);
  if (values.includes('')) throw refusal(400, `${name}: "" is empty; give it a value or leave it out.`);
  if (values.length > MOST_REPEATS) throw refusal(400, `${name}: given ${values.length} times; give at most ${MOST_REPEATS}.`);
  return values.length === 0 ? undefined : values;
}

function moment(name: string, value: string, now: number): number {
  const at = momentOf(value, now);
  if (at === undefined) throw refusal(400, `${name}: ${quoted(value)} is no moment; ${MOMENT_FORMS}.`);
  return at;
}

function span(name: string, value: string, { least, most }: { least: number; most: number }): number {
  const ms = /^\d+$/.test(value) ? Number(value) : spanOf(value);
  if (ms === undefined) throw refusal(400, `${name}: ${quoted(value)} is no duration; write 10s, 15m, 1h30m or a number of milliseconds.`);
  if (ms < least || ms > most) throw refusal(400, `${name}: ${quoted(value)} is out of range; write one from ${spanText(least)} to ${spanText(most)}.`);
  return ms;
}

function whole(name: string, value: string, { least, most }: { least: number; most: number }): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= least && number <= most)) throw refusal(400, `${name}: ${quoted(value)} is no whole number from ${least} to ${most}; write one.`);
  return number;
}
