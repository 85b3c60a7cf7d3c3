'use client';

import { Area, ComposedChart, Line as Curve, ReferenceArea, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { type Line, rows, topOf } from '@/lib/client/series';
import { clockTime, count, dateTime, type Zone } from '@/lib/format';
import type { Verdict } from '@/lib/model/verdict';
import { DASHES, PLOT, STROKES } from './strokes';
import { useZone } from './time';

/** A span of a verdict that is drawn behind the lines. */
export type Band = { from: number; to: number; verdict: Verdict };

/** Lines over time as they were read: steps, gaps and the spread within a bucket, nothing smoothed. */
export function Chart({
  lines,
  from,
  to,
  bands,
  height,
  label,
}: {
  lines: readonly Line[];
  from: number;
  to: number;
  bands: readonly Band[];
  height: number;
  label: string;
}) {
  const zone = useZone();
  const data = rows(lines);
  const top = topOf(lines);
  return (
    <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 320, height }}>
      <ComposedChart data={data} margin={{ top: 6, right: PLOT.right, bottom: 0, left: 0 }} title={label} accessibilityLayer={false}>
        <XAxis
          dataKey="at"
          type="number"
          domain={[from, to]}
          allowDataOverflow
          ticks={ticks(from, to, zone)}
          tickFormatter={(at: number) => (to - from > 86_400_000 ? dateTime(at, zone).slice(5, 16) : clockTime(at, zone).slice(0, 5))}
          interval="preserveStartEnd"
          tickLine={false}
          axisLine={{ stroke: 'var(--hairline)' }}
          tick={TEXT}
          height={18}
        />
        <YAxis
          width={PLOT.left}
          domain={[0, top]}
          ticks={[0, top / 2, top]}
          allowDataOverflow
          tickFormatter={(value: number) => count(value)}
          tickLine={false}
          axisLine={false}
          tick={TEXT}
        />
        {bands.map((band) => (
          <ReferenceArea
            key={`${band.from} ${band.verdict}`}
            x1={Math.max(from, band.from)}
            x2={Math.min(to, band.to)}
            fill={`var(--verdict-${band.verdict === 'misconfigured' ? 'down' : band.verdict})`}
            fillOpacity={0.14}
            strokeOpacity={0}
          />
        ))}
        {lines.map((line, index) => (
          <Area
            key={`${line.id} band`}
            dataKey={`${line.id}:band`}
            type="step"
            stroke="none"
            fill={STROKES[index % STROKES.length]}
            fillOpacity={0.22}
            isAnimationActive={false}
            activeDot={false}
          />
        ))}
        {lines.map((line, index) => (
          <Curve
            key={line.id}
            dataKey={line.id}
            type="linear"
            stroke={STROKES[index % STROKES.length]}
            strokeWidth={1.6}
            strokeDasharray={DASHES[index % DASHES.length]}
            dot={false}
            activeDot={false}
            connectNulls={false}
            isAnimationActive={false}
          />
        ))}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

const TEXT = { fill: 'var(--ink-faint)', fontSize: 11 };

/** Round moments of the reader's clock, three to six over the range. */
function ticks(from: number, to: number, zone: Zone): number[] {
  const minutes = [1, 2, 5, 10, 30, 60, 180, 360, 720, 1_440, 2_880, 10_080].find((step) => (to - from) / (step * 60_000) <= 5) ?? 10_080;
  const step = minutes * 60_000;
  const shift = zone === 'utc' ? 0 : new Date(from).getTimezoneOffset() * 60_000;
  const found: number[] = [];
  for (let at = Math.ceil((from - shift) / step) * step + shift; at <= to; at += step) found.push(at);
  return found;
}
