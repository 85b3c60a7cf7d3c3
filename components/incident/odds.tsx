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
        {/* The drawing takes the width there is; its letters and lines keep their size. */}
        <div className="grid grid-cols-[2rem_minmax(0,1fr)] pr-4 text-2xs text-faint">
          <div aria-hidden="true" className="relative">
            {drawn.y.map(({ value, y }) => (
              <span key={value} className="absolute right-2 -translate-y-1/2" style={{ top: share(y, SIZE.height) }}>
                {value}
              </span>
            ))}
          </div>
          <svg role="img" aria-label={inWords(curves)} viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} preserveAspectRatio="none" className="h-40 w-full">
            {drawn.y.map(({ value, y }) => (
              <line key={value} x1={0} x2={SIZE.width} y1={y} y2={y} stroke="var(--hairline)" vectorEffect="non-scaling-stroke" />
            ))}
            {[openedAt, closedAt].map((at) =>
              at === undefined || at < first.at || at > last.at ? null : (
                <line
                  key={at}
                  x1={xOf(at)}
                  x2={xOf(at)}
                  y1={0}
                  y2={SIZE.height}
                  stroke="var(--ink)"
                  strokeWidth={1.5}
                  strokeDasharray="3 3"
                  vectorEffect="non-scaling-stroke"
                />
              ),
            )}
            {drawn.paths.map(({ label, d }, index) => (
              <path
                key={label}
                d={d}
                fill="none"
                stroke={STROKES[index % STROKES.length]}
                strokeDasharray={DASHES[index % DASHES.length]}
                strokeWidth={2}
                vectorEffect="non-scaling-stroke"
              />
            ))}
          </svg>
          <div aria-hidden="true" className="relative col-start-2 h-5">
            {drawn.x.map(({ at, x }) => (
              <span key={at} className="absolute top-1 -translate-x-1/2" style={{ left: share(x, SIZE.width) }}>
                {clockTime(at, zone)}
              </span>
            ))}
          </div>
        </div>
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

function share(part: number, whole: number): string {
  return `${(part / whole) * 100}%`;
}

/** The drawing for those who do not see it. */
function inWords(curves: ReturnType<typeof oddsCurves>): string {
  const told = curves.map(({ label, points }) => {
    const known = points.flatMap((each) => (each.value === null ? [] : [each.value]));
    return `${label} from ${known[0] ?? 'unknown'} to ${known.at(-1) ?? 'unknown'}`;
  });
  return `Log-odds of the suspicions: ${told.join('; ')}`;
}
