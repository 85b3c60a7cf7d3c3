import type { StackView } from '@/lib/model/snapshot';
import { Bus, Dot, LaneHeads } from '../../topology/fixtures';
import { Lines } from '../../topology/lines';
import type { Drawing } from './drawing';

/** What lies beneath the nodes: names of lanes, edges, clients and KV bus. */
export function Under({ drawn, kv, lit }: { drawn: Drawing; kv: StackView['kv']; lit: ReadonlySet<string> | undefined }) {
  const { geometry } = drawn;
  return (
    <>
      <LaneHeads geometry={geometry} stops={drawn.stops} isWall={false} />
      <Lines geometry={geometry} edges={drawn.edges} back={drawn.back} lit={lit} isWall={false} />
      <Bus geometry={geometry} kv={kv} isWall={false} />
      {drawn.promoted.map(({ lane, words, x, y }) => (
        <div key={lane} className="absolute text-2xs text-soft" style={{ left: `${x / 10}%`, top: y }}>
          {words}
        </div>
      ))}
    </>
  );
}

/** The dots of the probes, above all. */
export function Dots({ drawn }: { drawn: Drawing }) {
  return drawn.dots.map((dot) => <Dot key={dot.target} dot={dot} isWall={false} />);
}
