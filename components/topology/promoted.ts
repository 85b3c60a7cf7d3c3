import type { NodeView } from '@/lib/model/snapshot';
import { VERDICTS } from '@/lib/model/verdict';
import type { Geometry, Slot } from './layout';
import { laneOf } from './layout';

/** The cells of a lane that are not well, told with their names above it, and how many more there are. */
export type Promoted = { lane: string; words: string; slots: Slot[]; x: number; y: number };

type Seen = Pick<NodeView, 'id' | 'role' | 'judgement'>;

/** The worst few of each lane of cells, those of one verdict in the order of the cells. They keep their cells too. */
export function promoted(nodes: readonly Seen[], geometry: Geometry): Promoted[] {
  const order = new Map(geometry.slots.map((slot, index) => [slot.id, index]));
  return geometry.promotions.map((room) => {
    const bad = nodes.filter((node) => laneOf(node.role) === room.lane && node.judgement.verdict !== 'ok').sort((a, b) => rank(a) - rank(b) || at(a) - at(b));
    const line = room.h / (LINES + 1);
    const slots = bad
      .slice(0, LINES)
      .map(({ id }, index) => ({ id, lane: room.lane, form: 'line' as const, x: room.x, w: room.w, y: room.y + line * (index + 1), h: line * 0.9 }));
    return { lane: room.lane, words: wordsOf(bad.length, room.of), slots, x: room.x, y: room.y };
  });

  function at(node: Seen): number {
    return order.get(node.id) ?? 0;
  }
}

const LINES = 4;

function wordsOf(bad: number, of: number): string {
  if (bad === 0) return `all ${of} ok`;
  return `${bad} of ${of} abnormal${bad > LINES ? `, the first ${LINES}` : ''}`;
}

function rank(node: Seen): number {
  return VERDICTS.indexOf(node.judgement.verdict);
}
