'use client';

import { createContext, useContext } from 'react';
import type { NodeView } from '@/lib/model/snapshot';
import { cardFacts } from '../../topology/facts';
import type { Form } from '../../topology/layout';
import { NodeCard } from '../../topology/node-card';

/** What the cards of one map share. Kept beside the geometry, so that a state never moves a box. */
export type CardState = {
  nodes: ReadonlyMap<string, NodeView>;
  now: number;
  /** The one that Tab reaches; arrows go on from it. */
  first: string | undefined;
  pinned: string | undefined;
  lit: ReadonlySet<string> | undefined;
  onPin: (id: string) => boolean;
};

export const CardContext = createContext<CardState | undefined>(undefined);

/** The node of one slot. */
export function SlotCard({ id, form }: { id: string; form: Form }) {
  const state = useContext(CardContext);
  const node = state?.nodes.get(id);
  if (!state || !node) return null;
  const { now, first, pinned, lit, onPin } = state;
  return (
    <NodeCard
      {...cardFacts(node, now)}
      form={form}
      isWall={false}
      isFirst={first === id}
      isDim={lit !== undefined && !lit.has(id)}
      isPinned={pinned === id}
      onPin={onPin}
    />
  );
}
