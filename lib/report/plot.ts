import type { KeptSeries, Odds } from '@/lib/model/kept';

/** A line over time; null where nothing is known. */
export type Curve = { label: string; points: { at: number; value: number | null }[] };

/** A drawing in its own units: paths, and the marks of both axes. */
export type Plot = { width: number; height: number; paths: { label: string; d: string }[]; x: { at: number; x: number }[]; y: { value: number; y: number }[] };

export type Scale = { from: number; to: number; low: number; high: number; width: number; height: number };

/** Lines as steps, gaps as gaps, values beyond the scale at its edge. */
export function plot(curves: readonly Curve[], scale: Scale, yMarks: readonly number[]): Plot {
  const { from, to, low, high, width, height } = scale;
  const x = (at: number) => round(((at - from) / Math.max(1, to - from)) * width);
  const y = (value: number) => round(height - ((Math.min(high, Math.max(low, value)) - low) / (high - low || 1)) * height);
  return {
    width,
    height,
    paths: curves.map(({ label, points }) => ({ label, d: steps(points, x, y) })),
    x: xMarks(from, to).map((at) => ({ at, x: x(at) })),
    y: yMarks.map((value) => ({ value, y: y(value) })),
  };
}

/** The suspicions whose log-odds are or were highest, highest first. */
export function oddsCurves(odds: readonly Odds[], most: number): Curve[] {
  const ids = [...new Set(odds.flatMap((each) => Object.keys(each.odds)))];
  const peak = (id: string) => Math.max(...odds.map((each) => each.odds[id] ?? -Infinity));
  return ids
    .sort((a, b) => peak(b) - peak(a))
    .slice(0, most)
    .map((label) => ({ label, points: odds.map(({ at, odds: each }) => ({ at, value: each[label] ?? null })) }));
}

/** A kept series as a line of its highest values, so that no spike is lost. */
export function seriesCurve(series: KeptSeries, label: string): Curve {
  return { label, points: series.max.map((value, index) => ({ at: series.from + index * series.stepMs, value })) };
}

function steps(points: Curve['points'], x: (at: number) => number, y: (value: number) => number): string {
  let d = '';
  let isDrawing = false;
  for (const { at, value } of points) {
    if (value !== null) d += isDrawing ? `H${x(at)}V${y(value)}` : `M${x(at)} ${y(value)}`;
    isDrawing = value !== null;
  }
  return d;
}

const ROUND_S = [10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400];

/** Three to five round moments. */
function xMarks(from: number, to: number): number[] {
  const stepMs = (ROUND_S.find((each) => (to - from) / (each * 1_000) <= 5) ?? 604_800) * 1_000;
  const marks: number[] = [];
  for (let at = Math.ceil(from / stepMs) * stepMs; at <= to; at += stepMs) marks.push(at);
  return marks;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
