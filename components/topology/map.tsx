'use client';

import { type KeyboardEvent, useMemo, useState } from 'react';
import { cut } from '@/lib/format';
import type { StackView } from '@/lib/model/snapshot';
import { cardFacts, whereWords } from './facts';
import { Bus, Dot, LaneHeads, placeBox } from './fixtures';
import { DESK, layout, type Slot, WALL } from './layout';
import { Lines } from './lines';
import { NodeCard } from './node-card';
import { dots, edges, laneOfPlace, returnPath } from './paths';

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
      <Lines geometry={geometry} edges={edges(stack, geometry)} back={returnPath(stack, geometry)} isDim={focus !== undefined} isWall={isWall} />
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

/** "router, mini_lb stop here" over the lane where they do. */
function stops(stack: StackView, geometry: ReturnType<typeof layout>) {
  const byLane = new Map<string, { names: string[]; inferred: boolean; verdict: StackView['judgement']['verdict']; place: string }>();
  for (const dot of stack.dots) {
    const node = stack.nodes.find((one) => one.id === dot.target);
    const lane = laneOfPlace(dot.place.kind, geometry);
    if (!node || !lane || dot.moving || node.judgement.verdict === 'ok') continue;
    const before = byLane.get(lane);
    byLane.set(lane, {
      names: [...(before?.names ?? []), cut(node.name, 24)],
      inferred: (before?.inferred ?? true) && dot.inferred,
      verdict: before?.verdict ?? node.judgement.verdict,
      place: whereWords(dot.place),
    });
  }
  return byLane;
}

function neighbours(all: StackView['edges'], focus: string | undefined): Set<string> {
  const near = new Set(focus === undefined ? [] : [focus]);
  for (const edge of all) {
    if (edge.from === focus) near.add(edge.to);
    if (edge.to === focus) near.add(edge.from);
  }
  return near;
}

function nextSlot(slots: readonly Slot[], here: Slot, key: string): Slot | undefined {
  const lane = slots.filter((slot) => slot.lane === here.lane);
  if (key === 'ArrowDown') return lane[lane.indexOf(here) + 1];
  if (key === 'ArrowUp') return lane[lane.indexOf(here) - 1];
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return undefined;
  const side = slots.filter((slot) => slot.lane !== here.lane && (key === 'ArrowRight' ? slot.x > here.x : slot.x < here.x));
  const middle = here.y + here.h / 2;
  return side.sort((a, b) => Math.abs(a.x - here.x) - Math.abs(b.x - here.x) || Math.abs(a.y + a.h / 2 - middle) - Math.abs(b.y + b.h / 2 - middle))[0];
}
