/** All that a view is made of besides its page; it lives in the URL, so that a copied link shows the same. */
export const VIEW_KEYS = ['from', 'to', 't', 'stack', 'node', 'probe', 'incident', 'find', 'theme'] as const;
export type ViewKey = (typeof VIEW_KEYS)[number];
export type View = Partial<Record<ViewKey, string>>;

/** What goes along when moving to another page: the moment, the range and the theme, not the selection. */
const TRAVELS: readonly ViewKey[] = ['from', 'to', 't', 'theme'];

type Params = { get(key: string): string | null };

/** The view that a query string describes; unknown keys are not part of it. */
export function readView(params: Params): View {
  const view: View = {};
  for (const key of VIEW_KEYS) {
    const value = params.get(key);
    if (value) view[key] = value;
  }
  return view;
}

/** The link to a page that keeps moment, range and theme, with some keys set or (undefined) dropped. */
export function linkTo(path: string, view: View, change: View = {}): string {
  const next: View = {};
  for (const key of TRAVELS) next[key] = view[key];
  return withQuery(path, { ...next, ...change });
}

/** A path with a view as its query string, keys in fixed order, before the place on the page that it may name. */
export function withQuery(path: string, view: View): string {
  const query = new URLSearchParams();
  for (const key of VIEW_KEYS) {
    const value = view[key];
    if (value) query.set(key, value);
  }
  const text = query.toString();
  const [page = path, place] = path.split('#');
  return `${page}${text ? `?${text}` : ''}${place === undefined ? '' : `#${place}`}`;
}

/** A moment as people paste it: ISO time, epoch in s or ms, "now", "now-15m". Undefined when it is none of these. */
export function parseMoment(text: string | undefined, now: number): number | undefined {
  const word = text?.trim();
  if (!word) return undefined;
  const relative = /^now(?:-(\d+)\s*([smhd]))?$/.exec(word);
  if (relative) return now - Number(relative[1] ?? 0) * (UNITS[relative[2] ?? 's'] ?? 0);
  if (/^\d{12,14}$/.test(word)) return Number(word);
  if (/^\d{9,10}(\.\d+)?$/.test(word)) return Math.round(Number(word) * 1_000);
  const iso = Date.parse(word);
  return Number.isNaN(iso) ? undefined : iso;
}

/** A moment as people type it: also a time of today, and what has no zone is read in theirs. */
export function parseTyped(text: string, now: number, zone: 'local' | 'utc'): number | undefined {
  const word = text.trim();
  const at = (day: string, time: string) => Date.parse(`${day}T${time.length < 8 ? `${time}:00` : time}${zone === 'utc' ? 'Z' : ''}`);
  const parts = /^(?:(\d{4}-\d\d-\d\d)[T ])?(\d\d:\d\d(?::\d\d)?)$/.exec(word);
  if (!parts?.[2]) return parseMoment(word, now);
  const found = at(parts[1] ?? dayOf(now, zone), parts[2]);
  return Number.isNaN(found) ? undefined : found;
}

function dayOf(now: number, zone: 'local' | 'utc'): string {
  const shift = zone === 'utc' ? 0 : new Date(now).getTimezoneOffset() * 60_000;
  return new Date(now - shift).toISOString().slice(0, 10);
}

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
