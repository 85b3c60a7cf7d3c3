import type { Event, Incident } from '@/lib/model/incident';
import { isFirstJudgement } from './timeline';

const TEN_MINUTES_MS = 600_000;
/** More in ten minutes than a person can follow (ISA-18.2). */
const FLOOD = 10;
const STALE_MS = 86_400_000;
const MOST_CHATTERERS = 10;

/** How well the alarms behave over a span, after ISA-18.2. Moments in wall-clock ms. */
export type Figures = {
  from: number;
  to: number;
  /** Alarms that opened. */
  alarms: number;
  perTenMinutes: { mean: number; most: number; mostAt?: number };
  /** Spans in which more than 10 opened within 10 minutes. */
  floods: { from: number; to: number; alarms: number }[];
  /** Open for more than a day. */
  stale: Incident[];
  /** Median time until somebody acknowledged; absent when none was. */
  acknowledgedAfterMs?: number;
  unacknowledged: number;
  /** What changed its verdict most often; `chatters`: three times in one minute. */
  changes: { target: string; changes: number; mostPerMinute: number; chatters: boolean }[];
};

/** The figures of the alarms that opened in the span. */
export function figures(of: { incidents: readonly Incident[]; events: readonly Event[] }, span: { from: number; to: number; now: number }): Figures {
  const { from, to, now } = span;
  const opened = of.events.flatMap((each) => (each.kind === 'incident-opened' ? [each.at] : [])).sort((a, b) => a - b);
  const dense = densest(opened, TEN_MINUTES_MS);
  const waits = of.incidents.flatMap((each) => (each.ack ? [each.ack.at - each.openedAt] : [])).sort((a, b) => a - b);
  const median = waits[Math.floor(waits.length / 2)];
  return {
    from,
    to,
    alarms: opened.length,
    perTenMinutes: {
      mean: opened.length / Math.max(1, (to - from) / TEN_MINUTES_MS),
      most: dense.count,
      ...(dense.at === undefined ? {} : { mostAt: dense.at }),
    },
    floods: floodsIn(opened),
    stale: of.incidents.filter((each) => each.closedAt === undefined && now - each.openedAt > STALE_MS),
    ...(median === undefined ? {} : { acknowledgedAfterMs: median }),
    unacknowledged: of.incidents.filter((each) => !each.ack).length,
    changes: changesOf(of.events),
  };
}

/** The most moments within one window, and where it begins. */
function densest(sorted: readonly number[], windowMs: number): { count: number; at?: number } {
  let best: { count: number; at?: number } = { count: 0 };
  let first = 0;
  sorted.forEach((at, index) => {
    while (at - (sorted[first] ?? at) >= windowMs) first += 1;
    const count = index - first + 1;
    if (count > best.count) best = { count, at: sorted[first] };
  });
  return best;
}

function floodsIn(sorted: readonly number[]): Figures['floods'] {
  const floods: Figures['floods'] = [];
  sorted.forEach((at, index) => {
    const start = sorted[index - FLOOD];
    if (start === undefined || at - start >= TEN_MINUTES_MS) return;
    const last = floods.at(-1);
    if (last && start <= last.to) last.to = at;
    else floods.push({ from: start, to: at, alarms: 0 });
  });
  return floods.map((flood) => ({ ...flood, alarms: sorted.filter((at) => at >= flood.from && at <= flood.to).length }));
}

function changesOf(events: readonly Event[]): Figures['changes'] {
  const byTarget = new Map<string, number[]>();
  for (const { kind, target, at, data } of events)
    if (kind === 'verdict' && target !== undefined && !isFirstJudgement({ data })) byTarget.set(target, [...(byTarget.get(target) ?? []), at]);
  return [...byTarget]
    .map(([target, moments]) => {
      const mostPerMinute = densest(
        moments.sort((a, b) => a - b),
        60_000,
      ).count;
      return { target, changes: moments.length, mostPerMinute, chatters: mostPerMinute >= 3 };
    })
    .sort((a, b) => b.changes - a.changes)
    .slice(0, MOST_CHATTERERS);
}
