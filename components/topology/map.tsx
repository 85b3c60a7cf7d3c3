'use client';

import { type KeyboardEvent, useMemo, useState } from 'react';
import type { StackView } from '@/lib/model/snapshot';
import { cardFacts } from './facts';
import { Bus, Dot, LaneHeads, placeBox } from './fixtures';
import { DESK, layout, WALL } from './layout';
import { Lines } from './lines';
import { NodeCard } from './node-card';
import { dots, edges, returnPath } from './paths';
import { stops } from './stops';
import { neighbours, nextSlot } from './walk';

/** The stack as lanes, with each probe's dot halting where its request halts. The table beneath the charts says the same in words. */
export function TopologyMap({ stack, now, isWall = false }: { stack: StackView; now: number; isWall?: boolean }) {
  const metrics = isWall ? WALL : DESK;
  const [focus, setFocus] = useState<string>();
  // Geometry depends on who is there, not on how they are: as text it is the same value until someone comes or goes.
  const present = JSON.stringify(stack.nodes.map(({ id, role, url }) => ({ id, role, url })));
  const geometry = useMemo(() => layout(JSON.parse(present) as Parameters<typeof layout>[0], metrics), [present, metrics]);
  const drawnDots = dots(stack, geometry, metrics.dot);
  const near = useMemo(() => neighbours(stack.edges, focus), [stack.edges, focus]);

  const move = (event: KeyboardEvent<HTMLElement>) => {
    const here = geometry.slots.find((slot) => slot.id === focus);
    const next = here && nextSlot(geometry.slots, here, event.key);
    if (!next) return;
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>(`[data-slot="${CSS.escape(next.id)}"]`)?.focus();
  };

  return (
    <section aria-label="Topology map" className="relative" style={{ height: `calc(${geometry.height} * var(--u))` }}>
      <LaneHeads geometry={geometry} stops={stops(stack, geometry)} isWall={isWall} />
      <Lines
        geometry={geometry}
        edges={edges(stack, geometry)}
        back={returnPath(stack, geometry)}
        lit={focus === undefined ? undefined : near}
        isWall={isWall}
      />
      <Bus geometry={geometry} kv={stack.kv} isWall={isWall} />
      <ul aria-label="Nodes; arrow keys walk the lanes" onKeyDown={move} onPointerLeave={() => setFocus(undefined)} onBlur={() => setFocus(undefined)}>
        {geometry.slots.map((slot, index) => {
          const node = stack.nodes.find((one) => one.id === slot.id);
          return node ? (
            <li key={slot.id} className="absolute" style={placeBox(slot)} onPointerEnter={() => setFocus(slot.id)} onFocus={() => setFocus(slot.id)}>
              <NodeCard
                {...cardFacts(node, now)}
                form={slot.form}
                isWall={isWall}
                isFirst={focus ? focus === slot.id : index === 0}
                isDim={focus !== undefined && !near.has(slot.id)}
              />
            </li>
          ) : null;
        })}
      </ul>
      {drawnDots.map((dot) => (
        <Dot key={dot.target} dot={dot} isWall={isWall} />
      ))}
    </section>
  );
}
