import type { NodeView } from '@/lib/model/snapshot';

/** The lanes, left to right; the return path lies beneath all of them. Engines that are not split share one lane. */
export type LaneKind = 'clients' | 'front-ends' | 'prefill' | 'kv' | 'decode' | 'engine';

/** How much of a node there is room for, by how many share its lane. */
export type Form = 'card' | 'row' | 'line' | 'tile' | 'cell';

/** A rectangle: x and w in thousandths of the map's width, y and h in map units. */
export type Box = { x: number; y: number; w: number; h: number };
export type Slot = Box & { id: string; lane: LaneKind; form: Form };
export type Lane = { kind: LaneKind; x: number; w: number; count: number };
/** Room above a lane's cells, for the few of them that are not well. */
export type Promotion = Box & { lane: LaneKind; of: number };
export type Geometry = { height: number; top: number; bottom: number; back: number; lanes: Lane[]; slots: Slot[]; promotions: Promotion[] };

/** Sizes in map units, up to how many nodes a lane still gives each form, and how many lines stand above a lane of cells; the wall's are those of its letters. */
export type Metrics = {
  head: number;
  back: number;
  gap: number;
  dot: number;
  heights: Record<Form, number>;
  most: Record<Exclude<Form, 'cell'>, number>;
  promoted: number;
};

export const DESK: Metrics = {
  head: 34,
  back: 32,
  gap: 12,
  dot: 22,
  heights: { card: 116, row: 56, line: 28, tile: 24, cell: 24 },
  most: { card: 3, row: 8, line: 24, tile: 80 },
  promoted: 4,
};
export const WALL: Metrics = {
  head: 70,
  back: 40,
  gap: 24,
  dot: 64,
  heights: { card: 156, row: 84, line: 70, tile: 70, cell: 48 },
  most: { card: 2, row: 4, line: 5, tile: 10 },
  promoted: 0,
};

const WEIGHTS: Record<LaneKind, number> = { clients: 6.5, 'front-ends': 26, prefill: 21, kv: 7, decode: 22, engine: 30 };
const LANE_GAP = 4.5;

type Placed = Pick<NodeView, 'id' | 'role' | 'url'>;

/** Where everything stands. Pure, and blind to state: a verdict never moves a node. */
export function layout(nodes: readonly Placed[], metrics: Metrics = DESK): Geometry {
  const members = byLane(nodes);
  const lanes = laneBoxes(members);
  const columns = lanes.map((lane) => ({ lane, nodes: members.get(lane.kind) ?? [] }));
  const heights = columns.map(({ nodes: inLane }) => stackHeight(inLane.length, metrics));
  const body = Math.max(metrics.heights.card, ...heights);
  const slots = columns.flatMap(({ lane, nodes: inLane }, index) => place(inLane, lane, metrics, metrics.head + (body - (heights[index] ?? 0)) / 2));
  const bottom = metrics.head + body;
  const promotions = columns.flatMap(({ lane, nodes: inLane }, index) => promotionOf(inLane, lane, metrics, metrics.head + (body - (heights[index] ?? 0)) / 2));
  return { height: bottom + metrics.back, top: metrics.head, bottom, back: bottom + metrics.back * 0.6, lanes, slots, promotions };
}

export function laneOf(role: NodeView['role']): LaneKind {
  switch (role) {
    case 'router':
    case 'balancer':
      return 'front-ends';
    case 'prefill':
    case 'decode':
      return role;
    case 'unified':
    case 'unknown':
      return 'engine';
  }
}

/** The order of nodes on every list: along the lanes, then by address. It never follows their state. */
export function inOrder<T extends Placed>(nodes: readonly T[]): T[] {
  return [...nodes].sort((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role) || compare(a.url, b.url) || compare(a.id, b.id));
}

export const ROLES: NodeView['role'][] = ['router', 'balancer', 'prefill', 'decode', 'unified', 'unknown'];

function byLane(nodes: readonly Placed[]): Map<LaneKind, Placed[]> {
  const sorted = inOrder(nodes);
  const members = new Map<LaneKind, Placed[]>();
  for (const node of sorted) {
    const lane = laneOf(node.role);
    members.set(lane, [...(members.get(lane) ?? []), node]);
  }
  return members;
}

function laneBoxes(members: Map<LaneKind, Placed[]>): Lane[] {
  const isSplit = members.has('prefill') || members.has('decode');
  const kinds: LaneKind[] = ['clients'];
  if (members.has('front-ends')) kinds.push('front-ends');
  if (isSplit) kinds.push('prefill', 'kv', 'decode');
  if (members.has('engine')) kinds.push('engine');
  const total = kinds.reduce((sum, kind) => sum + WEIGHTS[kind], 0) + LANE_GAP * (kinds.length - 1);
  let x = 0;
  return kinds.map((kind) => {
    const w = (WEIGHTS[kind] / total) * 1_000;
    const lane = { kind, x, w, count: members.get(kind)?.length ?? 0 };
    x += w + (LANE_GAP / total) * 1_000;
    return lane;
  });
}

function place(nodes: readonly Placed[], lane: Lane, metrics: Metrics, top: number): Slot[] {
  const form = formFor(nodes.length, metrics);
  const columns = COLUMNS[form];
  const below = top + promotedHeight(nodes.length, metrics);
  const gap = gapFor(form, metrics);
  const w = lane.w / columns;
  return nodes.map((node, index) => ({
    id: node.id,
    lane: lane.kind,
    form,
    x: lane.x + (index % columns) * w,
    w: columns === 1 ? w : w * 0.96,
    y: below + Math.floor(index / columns) * (metrics.heights[form] + gap),
    h: metrics.heights[form],
  }));
}

function promotionOf(nodes: readonly Placed[], lane: Lane, metrics: Metrics, top: number): Promotion[] {
  const h = promotedHeight(nodes.length, metrics);
  return h === 0 ? [] : [{ lane: lane.kind, of: nodes.length, x: lane.x, w: lane.w * 0.96, y: top, h }];
}

// The room is kept also while all are well: a verdict moves no node.
function promotedHeight(count: number, metrics: Metrics): number {
  if (formFor(count, metrics) !== 'cell' || metrics.promoted === 0) return 0;
  return (metrics.promoted + 1) * (metrics.heights.line + gapFor('line', metrics));
}

const COLUMNS: Record<Form, number> = { card: 1, row: 1, line: 1, tile: 2, cell: 8 };

function formFor(count: number, { most }: Metrics): Form {
  if (count <= most.card) return 'card';
  if (count <= most.row) return 'row';
  if (count <= most.line) return 'line';
  return count <= most.tile ? 'tile' : 'cell';
}

function gapFor(form: Form, metrics: Metrics): number {
  return form === 'card' || form === 'row' ? metrics.gap : metrics.gap / 4;
}

function stackHeight(count: number, metrics: Metrics): number {
  if (count === 0) return 0;
  const form = formFor(count, metrics);
  const rows = Math.ceil(count / COLUMNS[form]);
  return promotedHeight(count, metrics) + rows * metrics.heights[form] + (rows - 1) * gapFor(form, metrics);
}

// Numbers by their value, the rest by code point: the reader's locale must not move a node.
function compare(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)];
  for (const [index, part] of one.entries()) {
    const like = other[index];
    if (like === undefined) return 1;
    const byValue = index % 2 === 1 ? Number(part) - Number(like) : 0;
    if (byValue !== 0) return byValue;
    if (part !== like) return part < like ? -1 : 1;
  }
  return one.length - other.length;
}

/** "10.0.0.2" as text and numbers in turn. */
function partsOf(text: string): string[] {
  return text.split(/(\d+)/);
}
