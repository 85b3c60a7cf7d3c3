import { median } from '@/lib/stats';
import type { Run } from './run';
import type { Score } from './score';

/** The printed table: one line a scenario, then the totals. */
export function table(scores: readonly Score[], runs: readonly Run[]): string {
  const ids = [...new Set(scores.map((s) => s.id))];
  const rows = ids.map((id) =>
    row(
      id,
      scores.filter((s) => s.id === id),
      runs.filter((r) => r.scenario.id === id),
    ),
  );
  rows.push(row('total', scores, runs));
  const head = [
    'scenario',
    'verdict',
    'place',
    's to verdict (median, worst)',
    's after the first hung chat',
    'no wrong alarm',
    'cleared',
    'harmless',
    'most out / in 10 s / aborts / control',
  ];
  const widths = head.map((h, i) => Math.max(h.length, ...rows.map((r) => (r[i] ?? '').length)));
  const line = (cells: readonly string[]) => `| ${cells.map((c, i) => c.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head), `|${widths.map((w) => '-'.repeat(w + 2)).join('|')}|`, ...rows.map(line)].join('\n');
}

function row(id: string, scores: readonly Score[], runs: readonly Run[]): string[] {
  const n = scores.length;
  const of = (good: (s: Score) => boolean) => `${scores.filter(good).length}/${n}`;
  const healing = scores.filter((s) => s.cleared !== undefined);
  const most = (pick: (r: Run) => number) => Math.max(0, ...runs.map(pick));
  return [
    id,
    of((s) => s.verdict),
    of((s) => s.place),
    pair(scores.flatMap((s) => s.seconds)),
    pair(scores.flatMap((s) => s.afterFirstHung)),
    of((s) => s.noWrongAlarm),
    healing.length === 0 ? '-' : `${healing.filter((s) => s.cleared).length}/${healing.length}`,
    of((s) => s.harmless),
    `${most((r) => r.harm.unfinished)} / ${most((r) => r.harm.perTenSeconds)} / ${most((r) => r.harm.abortsPerTenMinutes)} / ${most((r) => r.harm.controlCallsAtOnce)}`,
  ];
}

function pair(values: readonly number[]): string {
  const middle = median(values);
  if (middle === undefined) return '-';
  const told = (v: number) => (Number.isFinite(v) ? v.toFixed(0) : 'never');
  return `${told(middle)}, ${told(Math.max(...values))}`;
}
