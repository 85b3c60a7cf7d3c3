import { Glyph } from '../ui/glyph';
import { spot } from './fixtures';
import type { Geometry } from './layout';
import type { DrawnEdge } from './paths';

/** All edges: quiet ones thin, the way of a halted request strong, the edge that it did not pass in the colour and pattern of its verdict. */
export function Lines({
  geometry,
  edges,
  back,
  lit,
  isWall,
}: {
  geometry: Geometry;
  edges: readonly DrawnEdge[];
  back?: DrawnEdge;
  /** While some nodes are looked at, their edges alone keep their strength. */
  lit?: ReadonlySet<string>;
  isWall: boolean;
}) {
  const thick = isWall ? 3 : 1;
  const all = back ? [...edges, back] : edges;
  const broken = all.filter((edge) => edge.state === 'stops' && edge.verdict !== 'hanging' && edge.verdict !== 'degraded');
  return (
    <>
      <svg aria-hidden="true" viewBox={`0 0 1000 ${geometry.height}`} preserveAspectRatio="none" className="absolute inset-0 size-full">
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
            strokeOpacity={isLit(edge, lit) ? (edge.state === 'quiet' && !edge.id.startsWith('pair') ? 0.55 : 1) : 0.15}
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

function isLit({ ends }: DrawnEdge, lit: ReadonlySet<string> | undefined): boolean {
  return lit === undefined || (ends.length > 0 && ends.every((end) => lit.has(end)));
}

function pattern(edge: DrawnEdge): string | undefined {
  if (edge.id.startsWith('pair')) return '3 4';
  if (edge.id === 'return' && edge.state === 'quiet') return '2 5';
  if (edge.state !== 'stops') return undefined;
  if (edge.verdict === 'down') return '10 8';
  if (edge.verdict === 'misconfigured') return '2 6';
  return edge.inferred ? '12 4' : undefined;
}
