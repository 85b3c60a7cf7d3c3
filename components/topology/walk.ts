import type { StackView } from '@/lib/model/snapshot';
import type { Slot } from './layout';

/** A node and those that it shares an edge with. */
export function neighbours(all: StackView['edges'], focus: string | undefined): Set<string> {
  const near = new Set(focus === undefined ? [] : [focus]);
  for (const edge of all) {
    if (edge.from === focus) near.add(edge.to);
    if (edge.to === focus) near.add(edge.from);
  }
  return near;
}

/** Where an arrow key leads: along the lane, or to the nearest of the next lane. */
export function nextSlot(slots: readonly Slot[], here: Slot, key: string): Slot | undefined {
  const lane = slots.filter((slot) => slot.lane === here.lane);
  if (key === 'ArrowDown') return lane[lane.indexOf(here) + 1];
  if (key === 'ArrowUp') return lane[lane.indexOf(here) - 1];
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return undefined;
  const side = slots.filter((slot) => slot.lane !== here.lane && (key === 'ArrowRight' ? slot.x > here.x : slot.x < here.x));
  const middle = here.y + here.h / 2;
  return side.sort((a, b) => Math.abs(a.x - here.x) - Math.abs(b.x - here.x) || Math.abs(a.y + a.h / 2 - middle) - Math.abs(b.y + b.h / 2 - middle))[0];
}
