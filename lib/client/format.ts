const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A span for people: "640 ms", "8.0 s", "34 s", "2 m 11 s", "3 h 05 m", "2 d 4 h". */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return 'n/a';
  const span = Math.max(0, ms);
  if (span < SECOND) return `${Math.round(span)} ms`;
  if (span < 9_950) return `${(span / SECOND).toFixed(1)} s`;
  return elapsed(span);
}

/** A span in whole seconds, for what counts up on the screen: "0 s", "34 s", "2 m 11 s". */
export function elapsed(ms: number): string {
  const span = Math.max(0, Math.round(ms / SECOND) * SECOND);
  if (span < MINUTE) return `${span / SECOND} s`;
  if (span < HOUR) return `${Math.floor(span / MINUTE)} m ${two((span % MINUTE) / SECOND)} s`;
  if (span < DAY) return `${Math.floor(span / HOUR)} h ${two((span % HOUR) / MINUTE)} m`;
  return `${Math.floor(span / DAY)} d ${Math.floor((span % DAY) / HOUR)} h`;
}

/** A value of unknown size: "n/a" when absent, "0", "0.43", "12.5", "41", "12,345", "1.2 M". */
export function count(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return 'n/a';
  const size = Math.abs(value);
  if (size >= 10_000_000) return `${(value / 1_000_000).toFixed(1)} M`;
  if (Number.isInteger(value) || size >= 1_000) return grouped(Math.round(value));
  if (size >= 10) return value.toFixed(1);
  return value.toFixed(2);
}

/** "41 %" of a share in 0..1. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** "812 B", "1.4 kB", "3.0 MB". */
export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  return size < 1_000_000 ? `${(size / 1_000).toFixed(1)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}

/** The zone in which moments are read; `utc` is also what the server renders, since it cannot know the reader's. */
export type Zone = 'local' | 'utc';

/** "14:03:22". */
export function clockTime(at: number, zone: Zone): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'n/a';
  return zone === 'utc'
    ? `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
    : `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** "2026-12-01 14:03:22". */
export function dateTime(at: number, zone: Zone): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'n/a';
  const day =
    zone === 'utc'
      ? `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
      : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${clockTime(at, zone)}`;
}

/** "2026-12-01 14:03:22 UTC", the unmistakable form. */
export function utcTitle(at: number): string {
  return `${dateTime(at, 'utc')} UTC`;
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

function two(part: number): string {
  return String(Math.floor(part)).padStart(2, '0');
}

// Not toLocaleString: the server's language and the reader's would disagree at hydration.
function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
