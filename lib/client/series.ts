/** One bucket as `/api/series` answers it: `at` its start; null where nothing was read in it. */
export type Bucket = { at: number; min: number | null; max: number | null; last: number | null; count: number };

/** One series of one target over a range, as `/api/series` answers it. */
export type SeriesRange = { target: string; key: string; name: string; buckets: Bucket[] };

/** One line of a chart: values per bucket, null where there is a gap. */
export type Line = { id: string; label: string; points: { at: number; value: number | null; low: number | null; high: number | null }[] };

/** Sum of series as one line (ranks of one target, or targets of one role); a bucket is a gap when none of them was read. */
export function summed(id: string, label: string, series: readonly SeriesRange[]): Line {
  const byTime = new Map<number, { value: number | null; low: number | null; high: number | null }>();
  for (const one of series) {
    for (const bucket of one.buckets) {
      const sum = byTime.get(bucket.at) ?? { value: null, low: null, high: null };
      byTime.set(bucket.at, { value: plus(sum.value, bucket.last), low: plus(sum.low, bucket.min), high: plus(sum.high, bucket.max) });
    }
  }
  const points = [...byTime.entries()].sort(([a], [b]) => a - b).map(([at, sum]) => ({ at, ...sum }));
  return { id, label, points };
}

/** Per-second rates of counters; a reset starts over, and a gap stays a gap for the bucket after it too. */
export function rates(series: SeriesRange): SeriesRange {
  let before: Bucket | undefined;
  const buckets = series.buckets.map((bucket) => {
    const last = before;
    // Buckets without a reading are skipped, not breaks: a page read each 5 s leaves holes in 2 s buckets.
    if (bucket.last === null) return { ...bucket, min: null, max: null, last: null };
    before = bucket;
    if (!last || last.last === null || bucket.last < last.last) return { ...bucket, min: null, max: null, last: null };
    const rate = (bucket.last - last.last) / ((bucket.at - last.at) / 1_000);
    return { ...bucket, min: rate, max: rate, last: rate };
  });
  return { ...series, buckets };
}

/** The last value of a range, whenever in it that was read. */
export function latest(series: SeriesRange): number | undefined {
  return series.buckets.findLast((bucket) => bucket.last !== null)?.last ?? undefined;
}

/** The rows that a chart library wants: one per moment, one column per line and a [low, high] pair where they differ. */
export function rows(lines: readonly Line[]): Record<string, number | null | [number, number]>[] {
  const byTime = new Map<number, Record<string, number | null | [number, number]>>();
  for (const line of lines) {
    for (const point of line.points) {
      const row = byTime.get(point.at) ?? { at: point.at };
      row[line.id] = point.value;
      if (point.low !== null && point.high !== null && point.high > point.low) row[`${line.id}:band`] = [point.low, point.high];
      byTime.set(point.at, row);
    }
  }
  return [...byTime.values()].sort((a, b) => Number(a.at) - Number(b.at));
}

/** The top of a chart's scale: at least 4, an even and round number, so that its half can be written too. */
export function topOf(lines: readonly Line[]): number {
  const most = lines.reduce((top, line) => line.points.reduce((high, point) => Math.max(high, point.high ?? 0, point.value ?? 0), top), 0);
  if (most <= 4) return 4;
  const unit = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 3, 4, 6, 8, 10].find((one) => one * unit >= most && (one * unit) % 2 === 0) ?? 10;
  return step * unit;
}

/** The reading of a line at or just before a moment, not older than `reach` ms. */
export function reading(line: Line, at: number, reach: number): number | null {
  let found: number | null = null;
  for (const point of line.points) {
    if (point.at > at) break;
    if (point.value !== null && at - point.at <= reach) found = point.value;
  }
  return found;
}

/** A line in words, for those who do not see it: "queue rose from 0 to 41, highest 44, now 41". */
export function inWords(line: Line): string {
  const values = line.points.flatMap((point) => (point.value === null ? [] : [point.value]));
  const first = values[0];
  const last = values.at(-1);
  if (first === undefined || last === undefined) return `${line.label}: no readings`;
  const way =
    last > first ? `rose from ${short(first)} to ${short(last)}` : last < first ? `fell from ${short(first)} to ${short(last)}` : `stands at ${short(last)}`;
  return `${line.label} ${way}, highest ${short(Math.max(...values))}`;
}

function plus(a: number | null, b: number | null): number | null {
  if (b === null) return a;
  return (a ?? 0) + b;
}

function short(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
