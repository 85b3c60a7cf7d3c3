import { useMemo } from 'react';
import type { StackView } from '@/lib/model/snapshot';
import { DESK, type Geometry, layout } from '../../topology/layout';
import { type DrawnDot, type DrawnEdge, dots, edges, pairs, returnPath } from '../../topology/paths';
import { type Promoted, promoted } from '../../topology/promoted';
import { stops } from '../../topology/stops';

/** All that is drawn of a stack besides its nodes. */
export type Drawing = { geometry: Geometry; edges: DrawnEdge[]; back?: DrawnEdge; dots: DrawnDot[]; stops: ReturnType<typeof stops>; promoted: Promoted[] };

/** Geometry depends on who is there, not on how they are: as text it is the same value until someone comes or goes. */
export function useGeometry(nodes: StackView['nodes']): Geometry {
  const present = JSON.stringify(nodes.map(({ id, role, url }) => ({ id, role, url })));
  return useMemo(() => layout(JSON.parse(present) as Parameters<typeof layout>[0], DESK), [present]);
}

/** The drawing of the nodes that are shown; the pairs of the one that is looked at come on top. */
export function drawing(stack: StackView, geometry: Geometry, shown: ReadonlySet<string>, looked: string | undefined): Drawing {
  const isShown = ({ ends }: DrawnEdge) => ends.every((end) => shown.has(end));
  const paired = looked === undefined ? [] : pairs(stack.edges, geometry, looked);
  return {
    geometry,
    edges: [...edges(stack, geometry), ...paired].filter(isShown),
    back: returnPath(stack, geometry),
    dots: dots(stack, geometry, DESK.dot).filter((dot) => shown.has(dot.target)),
    stops: stops(stack, geometry),
    promoted: promoted(stack.nodes, geometry),
  };
}
