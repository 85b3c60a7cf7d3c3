import { Glyph } from '../ui/glyph';
import { spot } from './fixtures';
import type { Geometry } from './layout';
import type { DrawnEdge } from './paths';

/** All edges: quiet ones thin, the way of a halted request strong, the edge that it did not pass in the colour and pattern of its verdict. */
export function Lines({
  geometry,
  edges,
  back,
  isDim,
  isWall,
}: {
  geometry: Geometry;
  edges: readonly DrawnEdge[];
  back?: DrawnEdge;
  isDim: boolean;
  isWall: boolean;
}) {
  const thick = isWall ? 3 : 1;
  const all = back ? [...edges, back] : edges;
  const broken = all.filter((edge) => edge.state === 'stops' && edge.verdict !== 'hanging' && edge.verdict !== 'degraded');
  return (
    <>
      <svg
        aria-hidden="true"
        viewBox={`0 0 1000 ${geometry.height}`}
        preserveAspectRatio="none"
        className={`absolute inset-0 size-full motion-safe:transition-opacity motion-safe:delay-100 ${isDim ? 'opacity-40' : ''}`}
      >
        {all.map((edge) => (
          <path
            key={edge.id}
            d={edge.d}
            data-verdict={edge.verdict}
            fill="none"
            vectorEffect="non-scaling-stroke"
            className={edge.state === 'stops' ? 'stroke-state' : edge.state === 'walked' ? 'stroke-soft' : 'stroke-line'}
            strokeWidth={(edge.state === 'stops' ? 4 : edge.state === 'walked' ? 2.5 : 1) * thick}
            strokeDasharray={pattern(edge)}
            strokeOpacity={edge.state === 'quiet' ? 0.55 : 1}
          />
        ))}
      </svg>
      {broken.map((edge) => (
        <span key={edge.id} className="absolute -translate-1/2" style={spot(edge.mid)}>
          <Glyph verdict={edge.verdict} hollow={edge.inferred} className={isWall ? 'size-[calc(56*var(--u))]' : 'size-4'} />
        </span>
      ))}
    </>
  );
}

function pattern(edge: DrawnEdge): string | undefined {
  if (edge.id === 'return' && edge.state === 'quiet') return '2 5';
  if (edge.state !== 'stops') return undefined;
  if (edge.verdict === 'down') return '10 8';
  if (edge.verdict === 'misconfigured') return '2 6';
  return edge.inferred ? '12 4' : undefined;
}
