import { parseMoment, type View } from './view';

/** What the charts span, and the second that is pinned; `isLive` when both follow the clock. */
export type Range = { from: number; to: number; at?: number; isLive: boolean };

const DEFAULT_MS = 15 * 60_000;
const LEAST_MS = 60_000;
const MOST_MS = 31 * 86_400_000;

/** Ranges that people ask for, as they are written in the URL. */
export const RELATIVE = ['5m', '15m', '1h', '6h', '24h', '7d'] as const;

/** The range that a view asks for. A lone second lies inside its range, whose edges move in steps, so that scrubbing does not redraw all. */
export function rangeOf(view: View, now: number): Range {
  const at = parseMoment(view.t, now);
  const pin = at === undefined ? {} : { at };
  const from = parseMoment(view.from, now);
  const to = parseMoment(view.to, now);
  if (from !== undefined && from < (to ?? now)) {
    const end = to ?? now;
    const isOpen = view.to === undefined || view.to === 'now';
    return { from: Math.max(from, end - MOST_MS), to: end, ...pin, isLive: at === undefined && isOpen && isRelative(view.from) };
  }
  if (to !== undefined && view.to !== 'now') return { from: to - DEFAULT_MS, to, ...pin, isLive: false };
  if (at === undefined) return { from: now - DEFAULT_MS, to: now, isLive: true };
  const edge = DEFAULT_MS / 5;
  const end = Math.min(Math.ceil((at + edge) / edge) * edge, Math.max(at, Math.ceil(now / edge) * edge));
  return { from: end - DEFAULT_MS, to: end, at, isLive: false };
}

/** The part of the URL for a fixed range; whole seconds, least a minute and most a month. */
export function fixed(from: number, to: number): View {
  const span = Math.min(MOST_MS, Math.max(LEAST_MS, to - from));
  const middle = (from + to) / 2;
  return { from: isoOf(middle - span / 2), to: isoOf(middle + span / 2) };
}

/** Twice as long around the same middle, not past now. */
export function zoomedOut({ from, to }: Range, now: number): View {
  const span = Math.min(MOST_MS, (to - from) * 2);
  const end = Math.min(now, (from + to) / 2 + span / 2);
  return fixed(end - span, end);
}

/** The same span, moved by a share of itself, not past now. */
export function shifted({ from, to }: Range, share: number, now: number): View {
  const by = Math.min((to - from) * share, now - to);
  return fixed(from + by, to + by);
}

/** A view that shows the same second and span whenever it is opened: a live one is held at `now`, a relative one written out. */
export function absolute(view: View, now: number): View {
  const range = rangeOf(view, now);
  const hasRange = view.from !== undefined || view.to !== undefined;
  return { ...view, t: isoOf(range.at ?? now), ...(hasRange ? fixed(range.from, range.to) : {}) };
}

/** A moment in the URL: whole seconds, UTC. */
export function isoOf(at: number): string {
  return new Date(Math.floor(at / 1_000) * 1_000).toISOString().replace('.000Z', 'Z');
}

function isRelative(text: string | undefined): boolean {
  return text?.startsWith('now') === true;
}
