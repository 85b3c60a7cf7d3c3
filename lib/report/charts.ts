import type { Kept, KeptSeries } from '@/lib/model/kept';
import { utc } from './bundle';
import { escaped } from './escape';
import { type Curve, oddsCurves, plot, seriesCurve } from './plot';
import { nameOf } from './timeline';

const SIZE = { width: 560, height: 110 };
const MOST_TARGETS = 8;

/** The kept series and suspicions as drawings that need nothing else. */
export function chartsHtml(kept: Kept, marks: readonly number[]): string {
  const { odds } = kept;
  const [first, last] = [odds[0], odds.at(-1)];
  const suspicions =
    first && last && odds.length > 1
      ? [figure('Suspicions over time (log-odds)', oddsCurves(odds, 5), { from: first.at, to: last.at, low: -6, high: 6 }, [-4, 0, 4], marks)]
      : [];
  return [...suspicions, ...targetsOf(kept).flatMap((target) => ofTarget(kept, target, marks))].join('');
}

function targetsOf({ series }: Kept): string[] {
  return [...new Set(series.map((each) => each.target))].slice(0, MOST_TARGETS);
}

function ofTarget(kept: Kept, target: string, marks: readonly number[]): string[] {
  const mine = kept.series.filter((each) => each.target === target);
  const queues = mine.filter((each) => each.name.endsWith('_reqs')).map((each) => seriesCurve(each, short(each.key)));
  const tokens = mine.filter((each) => each.name.endsWith('_tokens_total')).map((each) => rate(each));
  const drawings = [
    { title: `Queues of ${nameOf(kept, target)} (requests)`, curves: queues },
    { title: `Progress of ${nameOf(kept, target)} (tokens per second)`, curves: tokens },
  ];
  return drawings.filter(({ curves }) => curves.length > 0).map(({ title, curves }) => overTime(title, curves, mine[0], marks));
}

function overTime(title: string, curves: Curve[], series: KeptSeries | undefined, marks: readonly number[]): string {
  const values = curves.flatMap((each) => each.points.flatMap((point) => point.value ?? []));
  const high = Math.max(4, ...values);
  const from = series?.from ?? 0;
  return figure(title, curves, { from, to: from + (series?.stepMs ?? 0) * (series?.max.length ?? 0), low: 0, high }, [0, Math.round(high)], marks);
}

/** A counter as what it gained each second; a reset is a gap. */
function rate(series: KeptSeries): Curve {
  const points = series.max.map((value, index) => {
    const before = series.max[index - 1];
    const gained = value === null || before === null || before === undefined || value < before ? null : ((value - before) / series.stepMs) * 1_000;
    return { at: series.from + index * series.stepMs, value: gained };
  });
  return { label: short(series.key), points };
}

function short(key: string): string {
  return key.replace(/^num_/, '').replace(/_reqs\b/, '');
}

function figure(
  title: string,
  curves: readonly Curve[],
  range: { from: number; to: number; low: number; high: number },
  yMarks: readonly number[],
  marks: readonly number[],
): string {
  const drawn = plot(curves, { ...SIZE, ...range }, yMarks);
  const xOf = (at: number) => Math.round(((at - range.from) / Math.max(1, range.to - range.from)) * SIZE.width);
  const inside = marks.filter((at) => at > range.from && at < range.to);
  const parts = [
    ...drawn.y.map(
      ({ value, y }) => `<line class="grid" x1="0" x2="${SIZE.width}" y1="${y}" y2="${y}"/><text x="-6" y="${y + 4}" text-anchor="end">${value}</text>`,
    ),
    ...drawn.x.map(({ at, x }) => `<text x="${x}" y="${SIZE.height + 16}" text-anchor="middle">${utc(at)}</text>`),
    ...inside.map((at) => `<line class="mark" x1="${xOf(at)}" x2="${xOf(at)}" y1="0" y2="${SIZE.height}"/>`),
    ...drawn.paths.map(({ d }, index) => `<path class="line l${index % 5}" d="${d}"/>`),
  ];
  const legend = drawn.paths.map(({ label }, index) => `<span class="key k${index % 5}">${escaped(label)}</span>`).join('');
  return `<figure><figcaption>${escaped(title)}</figcaption><svg role="img" aria-label="${escaped(title)}" viewBox="-44 -8 ${SIZE.width + 70} ${SIZE.height + 30}">${parts.join('')}</svg><p class="legend">${legend}</p></figure>`;
}
