'use client';

import { clockTime } from '@/lib/format';
import type { Odds } from '@/lib/model/kept';
import { oddsCurves, plot } from '@/lib/report/plot';
import { Panel } from '../ui/panel';
import { DASHES, STROKES } from '../ui/strokes';
import { useZone } from '../ui/time';

const MOST = 5;
const SIZE = { width: 600, height: 140 };
const RANGE = { low: -6, high: 6 };
const MARKS = [-4, 0, 4];

/** How the suspicions moved against each other: log-odds over the incident's time, with where it opened and closed. */
export function OddsPanel({ odds, openedAt, closedAt }: { odds: readonly Odds[]; openedAt: number; closedAt?: number }) {
  const zone = useZone();
  const [first, last] = [odds[0], odds.at(-1)];
  if (!first || !last || odds.length < 2)
    return <Panel title="Suspicions over time" state={{ kind: 'empty', why: 'Nothing to draw yet: they are weighed each second and kept each 5 s.' }} />;
  const scale = { ...SIZE, ...RANGE, from: first.at, to: last.at };
  const curves = oddsCurves(odds, MOST);
  const drawn = plot(curves, scale, MARKS);
  const xOf = (at: number) => ((at - first.at) / Math.max(1, last.at - first.at)) * SIZE.width;
  return (
    <Panel title="Suspicions over time" aside="log-odds; 0 is even, 4 is 98 %, -4 is 2 %">
      <figure>
        <svg role="img" aria-label={inWords(curves)} viewBox={`-30 -8 ${SIZE.width + 40} ${SIZE.height + 30}`} className="w-full">
          {drawn.y.map(({ value, y }) => (
            <g key={value}>
              <line x1={0} x2={SIZE.width} y1={y} y2={y} stroke="var(--hairline)" />
              <text x={-6} y={y + 4} textAnchor="end" {...TEXT}>
                {value}
              </text>
            </g>
          ))}
          {drawn.x.map(({ at, x }) => (
            <text key={at} x={x} y={SIZE.height + 16} textAnchor="middle" {...TEXT}>
              {clockTime(at, zone)}
            </text>
          ))}
          {[openedAt, closedAt].map((at) =>
            at === undefined || at < first.at || at > last.at ? null : (
              <line key={at} x1={xOf(at)} x2={xOf(at)} y1={0} y2={SIZE.height} stroke="var(--ink)" strokeWidth={1.5} strokeDasharray="3 3" />
            ),
          )}
          {drawn.paths.map(({ label, d }, index) => (
            <path key={label} d={d} fill="none" stroke={STROKES[index % STROKES.length]} strokeDasharray={DASHES[index % DASHES.length]} strokeWidth={2} />
          ))}
        </svg>
        <figcaption className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-2xs">
          {drawn.paths.map(({ label }, index) => (
            <span key={label} className="flex items-center gap-1.5">
              <svg aria-hidden="true" viewBox="0 0 24 4" className="h-1 w-6">
                <line x1={0} x2={24} y1={2} y2={2} stroke={STROKES[index % STROKES.length]} strokeDasharray={DASHES[index % DASHES.length]} strokeWidth={3} />
              </svg>
              {label}
            </span>
          ))}
        </figcaption>
      </figure>
    </Panel>
  );
}

const TEXT = { fill: 'var(--ink-faint)', fontSize: 12 };

/** The drawing for those who do not see it. */
function inWords(curves: ReturnType<typeof oddsCurves>): string {
  const told = curves.map(({ label, points }) => {
    const known = points.flatMap((each) => (each.value === null ? [] : [each.value]));
    return `${label} from ${known[0] ?? 'unknown'} to ${known.at(-1) ?? 'unknown'}`;
  });
  return `Log-odds of the suspicions: ${told.join('; ')}`;
}
