import { describe, expect, it } from 'vitest';
import type { NodeView } from '@/lib/model/snapshot';
import { type Box, DESK, layout, WALL } from './layout';

type Placed = Pick<NodeView, 'id' | 'role' | 'url'>;
const nodes = (role: NodeView['role'], count: number): Placed[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${role}-${index}`, role, url: `http://10.0.${Math.floor(index / 250)}.${index % 250}:30000` }));
const stack = (fronts: number, prefill: number, decode: number) => [...nodes('router', fronts), ...nodes('prefill', prefill), ...nodes('decode', decode)];

describe('the lanes map', () => {
  it.each([
    [3, stack(1, 1, 1)],
    [13, stack(3, 4, 6)],
    [31, stack(3, 14, 14)],
    [101, stack(5, 46, 50)],
    [301, stack(11, 140, 150)],
  ])('gives each of %d nodes a place of its own inside the picture', (count, all) => {
    for (const metrics of [DESK, WALL]) {
      const { slots, height } = layout(all, metrics);
      expect(slots).toHaveLength(count);
      expect(slots.filter((slot) => slot.x < 0 || slot.x + slot.w > 1_000.001 || slot.y < 0 || slot.y + slot.h > height)).toEqual([]);
      expect(slots.flatMap((a, index) => slots.slice(index + 1).filter((b) => overlap(a, b)))).toEqual([]);
    }
  });

  it('does not move a node for the order in which it was told', () => {
    const all = stack(2, 3, 4);
    expect(layout([...all].reverse()).slots).toEqual(layout(all).slots);
  });

  it('puts front-ends before prefill, the KV transfer between the halves, and decode last', () => {
    expect(layout(stack(1, 1, 1)).lanes.map((lane) => lane.kind)).toEqual(['clients', 'front-ends', 'prefill', 'kv', 'decode']);
  });

  it('has one lane for engines that are not split, and no KV transfer', () => {
    expect(layout([...nodes('router', 1), ...nodes('unified', 2)]).lanes.map((lane) => lane.kind)).toEqual(['clients', 'front-ends', 'engine']);
  });

  it('orders addresses by the value of their numbers', () => {
    const lane = layout(nodes('decode', 12)).slots.map((slot) => slot.id);
    expect(lane).toEqual(nodes('decode', 12).map((node) => node.id));
  });

  it('keeps room above many cells for those that are not well, at the desk only', () => {
    const { promotions, slots } = layout(stack(2, 2, 150));
    expect(promotions.map(({ lane, of }) => [lane, of])).toEqual([['decode', 150]]);
    expect(slots.filter((slot) => slot.lane === 'decode' && promotions.some((room) => overlap(room, slot)))).toEqual([]);
    expect(layout(stack(2, 2, 150), WALL).promotions).toEqual([]);
  });

  it('gives less room to each node as they grow in number', () => {
    const form = (count: number) => layout(nodes('decode', count)).slots[0]?.form;
    expect([form(3), form(8), form(24), form(80), form(150)]).toEqual(['card', 'row', 'line', 'tile', 'cell']);
  });
});

function overlap(a: Box, b: Box): boolean {
  const slack = 0.001;
  return a.x + a.w > b.x + slack && b.x + b.w > a.x + slack && a.y + a.h > b.y + slack && b.y + b.h > a.y + slack;
}
