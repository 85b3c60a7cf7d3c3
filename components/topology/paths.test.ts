import { describe, expect, it } from 'vitest';
import type { Snapshot, StackView } from '@/lib/model/snapshot';
import type { PlaceKind } from '@/lib/model/verdict';
import { decode, prefill, router } from '../samples/parts';
import { down, hanging, quiet } from '../samples/snapshots';
import { layout } from './layout';
import { dots, edges, pairs, returnPath } from './paths';

const only = (snapshot: Snapshot): StackView => snapshot.stacks[0]!;
const states = (stack: StackView) => Object.fromEntries(edges(stack, layout(stack.nodes)).map((edge) => [edge.id, edge.state]));

/** The hanging sample with its requests stopping elsewhere. */
function stoppingAt(kind: PlaceKind, target?: string): StackView {
  const stack = only(hanging);
  const place = { kind, ...(target === undefined ? {} : { target }), inferred: false };
  return {
    ...stack,
    nodes: stack.nodes.map((node) =>
      node.id === router ? { ...node, judgement: { ...node.judgement, place } } : { ...node, judgement: only(quiet).judgement },
    ),
    dots: [{ target: router, probe: 'p', place, moving: false, inferred: false }],
  };
}

describe('edges of the map', () => {
  it('are all quiet while all is well', () => expect(new Set(Object.values(states(only(quiet))))).toEqual(new Set(['quiet'])));

  it('show the way of the request as walked and the edge into decode as where it stops', () => {
    expect(states(stoppingAt('decode', decode))).toMatchObject({
      [`in ${router}`]: 'walked',
      [`${router} ${prefill}`]: 'walked',
      [`kv ${prefill}`]: 'walked',
      [`kv ${decode}`]: 'stops',
    });
  });

  it.each([
    ['front-end', `in ${router}`],
    ['router path', `${router} ${prefill}`],
    ['prefill', `${router} ${prefill}`],
    ['kv-transfer', `kv ${prefill}`],
    ['decode', `kv ${decode}`],
  ] as const)('stop at %s on one edge only', (kind, id) => {
    const told = states(stoppingAt(kind));
    expect(Object.keys(told).filter((edge) => told[edge] === 'stops')).toEqual([id]);
  });

  it('stop on the way back when the answer is lost there', () => {
    const stack = stoppingAt('response path');
    expect(returnPath(stack, layout(stack.nodes))?.state).toBe('stops');
  });

  it('of a front-end that is down do not stain its sibling', () => {
    const told = states(only(down));
    expect([told['in main.router'], told['in main.mini-lb']]).toEqual(['stops', 'quiet']);
  });
});

describe('the dot of a probe', () => {
  it('halts just before the node that does not take the request', () => {
    const stack = stoppingAt('decode', decode);
    const geometry = layout(stack.nodes);
    const slot = geometry.slots.find((one) => one.id === decode)!;
    const [dot] = dots(stack, geometry);
    expect(dot!.x).toBeLessThan(slot.x);
    expect(dot!.x).toBeGreaterThan(slot.x - 40);
    expect(dot!.y).toBe(slot.y + slot.h / 2);
  });

  it('stands beside another that halts at the same place, not on it', () => {
    const stack = only(hanging);
    const [a, b] = dots(stack, layout(stack.nodes));
    expect(a!.x).toBe(b!.x);
    expect(Math.abs(a!.y - b!.y)).toBeGreaterThan(12);
  });

  it('is not drawn where nothing stops', () => expect(dots(stoppingAt('none'), layout(only(hanging).nodes))).toEqual([]));
});

describe('pair edges', () => {
  it('are drawn for the node that is looked at only', () => {
    const stack = only(quiet);
    expect(pairs(stack.edges, layout(stack.nodes), prefill).map((edge) => edge.ends)).toEqual([[prefill, decode]]);
    expect(pairs(stack.edges, layout(stack.nodes), router)).toEqual([]);
  });
});

describe('many dots at one place', () => {
  it('are one dot with their number', () => {
    const stack = stoppingAt('decode', decode);
    const fronts = Array.from({ length: 6 }, (_, index) => `front-${index}`);
    const like = stack.nodes.find((node) => node.id === router)!;
    const crowd = {
      ...stack,
      nodes: [...stack.nodes, ...fronts.map((id, index) => ({ ...like, id, url: `http://10.0.0.${index}:1` }))],
      dots: fronts.map((target) => ({ ...stack.dots[0]!, target })),
    };
    expect(dots(crowd, layout(crowd.nodes)).map((dot) => dot.count)).toEqual([6]);
  });
});
