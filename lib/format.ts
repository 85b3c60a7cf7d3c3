const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What stands where nothing is known: never 0. */
export const ABSENT = 'n/a';

/** A span for people: "850 ms", "8.0 s", "34 s", "2 m 11 s", "3 h 04 m", "2 d 4 h". */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return ABSENT;
  const span = Math.max(0, ms);
  if (Math.round(span) < SECOND) return `${Math.round(span)} ms`;
  return span < 9_950 ? `${(span / SECOND).toFixed(1)} s` : elapsed(span);
}

/** A span in whole seconds: "0 s", "34 s", "2 m 11 s". */
export function elapsed(ms: number): string {
  if (!Number.isFinite(ms)) return ABSENT;
  const span = Math.max(0, Math.round(ms / SECOND) * SECOND);
  if (span < MINUTE) return `${span / SECOND} s`;
  if (span < HOUR) return `${Math.floor(span / MINUTE)} m ${two((span % MINUTE) / SECOND)} s`;
  if (span < DAY) return `${Math.floor(span / HOUR)} h ${two((span % HOUR) / MINUTE)} m`;
  return `${Math.floor(span / DAY)} d ${Math.floor((span % DAY) / HOUR)} h`;
}

/** A value of unknown size: "n/a" when absent, "0", "0.43", "12.5", "41", "12,345", "12.3 M". */
export function count(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return ABSENT;
  const size = Math.abs(value);
  if (size >= 10_000_000) return `${(value / 1_000_000).toFixed(1)} M`;
  if (Number.isInteger(value) || size >= 1000) return grouped(Math.round(value));
  return size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** "1 probe", "7 probes", "0 probes". */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** "812 B", "1.4 kB", "3.0 MB", "2.0 GB". */
export function bytes(size: number): string {
  if (!Number.isFinite(size)) return ABSENT;
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let rest = Math.max(0, size);
  let unit = 0;
  while (rest >= (unit === 0 ? 1000 : 999.95) && unit < units.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(rest) : rest.toFixed(1)} ${units[unit] ?? ''}`;
}

/** "41 %" of a share in 0..1. What is not all never reads as all, and what is not none never as none. */
export function percent(share: number): string {
  if (!Number.isFinite(share)) return ABSENT;
  const whole = Math.round(share * 100);
  if (share > 0 && whole === 0) return '< 1 %';
  return share < 1 && whole === 100 ? '> 99 %' : `${whole} %`;
}

/** A rate with its number and interval, since 1 of 1 and 64 of 64 are not the same news: "7 of 7 (95 %: 65–100 %)". */
export function rate(of: { failed: number; of: number; low: number; high: number }): string {
  return of.of === 0 ? 'none yet' : `${count(of.failed)} of ${count(of.of)} (95 %: ${Math.round(of.low * 100)}–${Math.round(of.high * 100)} %)`;
}

/** The zone in which moments are read; `utc` is also what the server renders, since it cannot know the reader's. */
export type Zone = 'local' | 'utc';

/** "14:03:22". */
export function clockTime(at: number, zone: Zone): string {
  const [, time] = parts(at, zone) ?? [];
  return time ?? ABSENT;
}

/** "2026-12-01 14:03:22", with " UTC" behind it in that zone. */
export function dateTime(at: number, zone: Zone): string {
  const read = parts(at, zone);
  return read === undefined ? ABSENT : `${read.join(' ')}${zone === 'utc' ? ' UTC' : ''}`;
}

/** Foreign text cut to a length that cannot break a layout. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** "127.0.0.1:30001" of a URL; the text itself when it is none. */
export function hostPort(url: string): string {
  return /^[a-z]+:\/\/([^/?#]+)/i.exec(url)?.[1] ?? url;
}

/** ":30001" where the port tells a target from its neighbours, else its host. */
export function shortAddress(url: string): string {
  const host = hostPort(url);
  return /:\d+$/.exec(host)?.[0] ?? host;
}

function parts(at: number, zone: Zone): [string, string] | undefined {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return undefined;
  const utc = zone === 'utc';
  const day = utc ? [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()] : [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const time = utc ? [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()] : [date.getHours(), date.getMinutes(), date.getSeconds()];
  return [day.map(two).join('-'), time.map(two).join(':')];
}

function two(part: number): string {
  return String(Math.floor(part)).padStart(2, '0');
}

// Not toLocaleString: the server's language and the reader's would disagree at hydration.
function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
