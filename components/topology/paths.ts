import type { NodeView, StackView } from '@/lib/model/snapshot';
import { takesChats } from '@/lib/model/target';
import type { PlaceKind, Verdict } from '@/lib/model/verdict';
import type { Box, Form, Geometry, LaneKind, Slot } from './layout';

/** A drawn edge between nodes (its `ends`; a lane is none). `walked`: a request came along here and went on; `stops`: it went no further than this edge. */
export type DrawnEdge = {
  id: string;
  ends: string[];
  d: string;
  mid: { x: number; y: number };
  state: 'quiet' | 'walked' | 'stops';
  verdict: Verdict;
  inferred: boolean;
};

/** The dot of a probe: halted (with its verdict) or on its way; `count` when it stands for many at one place. */
export type DrawnDot = {
  count: number;
  target: string;
  name: string;
  probe: string;
  x: number;
  y: number;
  verdict: Verdict;
  moving: boolean;
  inferred: boolean;
};

/** A front-end's request and how far along the lanes it came: 0 network, 1 front-end, 2 its way out, 3 prefill or engine, 4 KV, 5 decode, 6 the way back. */
type Walk = { front: NodeView; verdict: Verdict; reach: number; target?: string; inferred: boolean };

const REACH: Record<PlaceKind, number | undefined> = {
  'dashboard network': 0,
  'front-end': 1,
  'router path': 2,
  prefill: 3,
  engine: 3,
  'kv-transfer': 4,
  decode: 5,
  'response path': 6,
  none: undefined,
};

// Beyond this many lines a lane is entered as a whole (the product of pairs is what kills a map).
const MOST_LINES = 60;

/** Every edge of the map with what it tells. */
export function edges(stack: Pick<StackView, 'nodes' | 'edges'>, geometry: Geometry): DrawnEdge[] {
  const at = boxes(geometry);
  const walks = stack.nodes.flatMap(walk);
  const clients = at.lane('clients');
  const drawn: DrawnEdge[] = [];
  const add = (id: string, from: Box | undefined, to: Box | undefined, step: number, passes: (walk: Walk) => boolean) => {
    if (!from || !to) return;
    const told = tell(
      walks.filter(passes),
      (one) => one.reach === step || (step === 1 && one.reach === 0),
      (one) => one.reach > step,
    );
    drawn.push({ id, ends: id.split(' ').slice(1), ...curve(from, to), ...told });
  };

  for (const front of stack.nodes.filter((node) => node.strip.length > 0 || takesChats(node))) {
    const box = at.node(front.id);
    if (!box || (box.lane !== 'front-ends' && box.lane !== 'engine')) continue;
    add(`in ${front.id}`, rowOf(clients, box), box, 1, (one) => one.front.id === front.id);
  }
  const routes = stack.edges.filter((edge) => edge.kind === 'routes' && at.node(edge.to)?.lane !== 'decode');
  for (const { id, from, to } of factored(routes, at)) {
    const target = typeof to === 'string' ? to : undefined;
    const wayOut = (one: Walk) => one.front.id === from;
    const box = typeof to === 'string' ? at.node(to) : to;
    if (at.node(from) && box) {
      const told = tell(
        walks.filter(wayOut),
        (one) => one.reach === 2 || (one.reach === 3 && (one.target === undefined || target === undefined || one.target === target)),
        (one) => one.reach > 3,
      );
      drawn.push({ id, ends: [from, ...(target === undefined ? [] : [target])], ...curve(at.node(from) ?? box, box), ...told });
    }
  }
  const bus = at.lane('kv');
  for (const node of stack.nodes) {
    const box = at.node(node.id);
    if (node.role === 'prefill' && box) add(`kv ${node.id}`, box, rowOf(bus, box), 4, () => true);
    if (node.role === 'decode' && box)
      add(`kv ${node.id}`, rowOf(bus, box), box, 5, (one) => one.target === undefined || one.target === node.id || one.reach !== 5);
  }
  return oncePerWay(drawn);
}

/** Of the lines that lie on each other only the one that tells most. */
function oncePerWay(all: readonly DrawnEdge[]): DrawnEdge[] {
  const ways = new Map<string, DrawnEdge>();
  for (const edge of all) {
    const same = ways.get(edge.d);
    const best = same === undefined || TELLS[edge.state] > TELLS[same.state] ? edge : same;
    ways.set(edge.d, same === undefined ? best : { ...best, ends: best.state === 'quiet' ? [] : best.ends });
  }
  return [...ways.values()];
}

const TELLS: Record<DrawnEdge['state'], number> = { quiet: 0, walked: 1, stops: 2 };

/** The pair edges of one node, prefill to decode and over the bus: drawn for a node that is looked at only, their product would hide all else. */
export function pairs(all: StackView['edges'], geometry: Geometry, node: string): DrawnEdge[] {
  const at = boxes(geometry);
  return all.flatMap(({ kind, from, to }) => {
    const [start, end] = [at.node(from), at.node(to)];
    if (kind !== 'kv' || (from !== node && to !== node) || !start || !end) return [];
    return [{ id: `pair ${from} ${to}`, ends: [from, to], ...curve(start, end), state: 'quiet' as const, verdict: 'ok' as const, inferred: false }];
  });
}

/** The return path beneath the lanes, from the last lane back to the front-ends. */
export function returnPath(stack: Pick<StackView, 'nodes'>, geometry: Geometry): DrawnEdge | undefined {
  const first = geometry.lanes.find((lane) => lane.kind === 'front-ends') ?? geometry.lanes[0];
  const last = geometry.lanes.at(-1);
  if (!first || !last || first === last) return undefined;
  const from = last.x + last.w / 2;
  const to = first.x + first.w / 2;
  const lowest = (kind: LaneKind) => Math.max(geometry.top, ...geometry.slots.filter((slot) => slot.lane === kind).map((slot) => slot.y + slot.h));
  const told = tell(
    stack.nodes.flatMap(walk),
    (one) => one.reach === 6,
    () => false,
  );
  const d = `M${from} ${lowest(last.kind)}V${geometry.back}H${to}V${lowest(first.kind) + 2}`;
  return { id: 'return', ends: [], d, mid: { x: (from + to) / 2, y: geometry.back }, ...told };
}

/** Where each probe's dot stands. Dots that share a place stand one below the other. */
export function dots(stack: Pick<StackView, 'nodes' | 'dots'>, geometry: Geometry, spacing = 22): DrawnDot[] {
  const at = boxes(geometry);
  const taken = new Map<string, number>();
  const standing = stack.dots.flatMap((dot) => {
    const node = stack.nodes.find((one) => one.id === dot.target);
    const spot = node && spotOf(dot.place.kind, dot.place.target, at.node(node.id), at, geometry);
    return node && spot ? [{ dot, node, spot }] : [];
  });
  return standing.flatMap(({ dot, node, spot }) => {
    const key = `${Math.round(spot.x)} ${Math.round(spot.y)}`;
    const before = taken.get(key) ?? 0;
    const sharing = standing.filter((other) => `${Math.round(other.spot.x)} ${Math.round(other.spot.y)}` === key).length;
    taken.set(key, before + 1);
    const isMany = sharing > MOST_DOTS;
    if (isMany && before > 0) return [];
    const y = isMany ? spot.y : spot.y + (before - (sharing - 1) / 2) * spacing;
    return [
      {
        count: isMany ? sharing : 1,
        target: dot.target,
        name: node.name,
        probe: dot.probe,
        x: spot.x,
        y,
        verdict: node.judgement.verdict,
        moving: dot.moving,
        inferred: dot.inferred,
      },
    ];
  });
}

/** More dots than this at one place are drawn as one with their number. */
const MOST_DOTS = 4;

/** The lane over which the words "stops here" stand for a place. */
export function laneOfPlace(kind: PlaceKind, geometry: Geometry): LaneKind | undefined {
  const wanted: Partial<Record<PlaceKind, LaneKind>> = {
    'dashboard network': 'clients',
    'front-end': 'front-ends',
    'router path': 'front-ends',
    prefill: 'prefill',
    'kv-transfer': 'kv',
    decode: 'decode',
    engine: 'engine',
  };
  const lane = wanted[kind];
  return geometry.lanes.some((one) => one.kind === lane) ? lane : undefined;
}

function walk(front: NodeView): Walk[] {
  const { verdict, place } = front.judgement;
  const reach = place && REACH[place.kind];
  if (!takesChats(front) || reach === undefined || verdict === 'ok' || verdict === 'unknown') return [];
  return [{ front, verdict, reach, target: place?.target, inferred: place?.inferred ?? false }];
}

function tell(walks: Walk[], stops: (walk: Walk) => boolean, passes: (walk: Walk) => boolean): Pick<DrawnEdge, 'state' | 'verdict' | 'inferred'> {
  const halted = walks.find(stops);
  if (halted) return { state: 'stops', verdict: halted.verdict, inferred: halted.inferred };
  const passed = walks.find(passes);
  return passed ? { state: 'walked', verdict: passed.verdict, inferred: false } : { state: 'quiet', verdict: 'ok', inferred: false };
}

type Boxes = { node(id: string): (Box & { lane: LaneKind }) | undefined; lane(kind: LaneKind): Box | undefined };

/** Many in a lane stand side by side: lines and dots end at the edge of the lane, at their height. */
const ABREAST: ReadonlySet<Form> = new Set<Form>(['tile', 'cell']);

function boxes(geometry: Geometry): Boxes {
  const lanes = new Map(geometry.lanes.map((lane) => [lane.kind, { x: lane.x, w: lane.w, y: geometry.top, h: geometry.bottom - geometry.top }]));
  const inRow = (slot: Slot): Slot => ({ ...slot, ...(ABREAST.has(slot.form) ? rowOf(lanes.get(slot.lane), slot) : {}) });
  const slots = new Map(geometry.slots.map((slot) => [slot.id, inRow(slot)]));
  return { node: (id) => slots.get(id), lane: (kind) => lanes.get(kind) };
}

/** Edges one by one while they are few, else one per front-end into the lane as a whole. */
function factored(routes: StackView['edges'], at: Boxes): { id: string; from: string; to: string | Box }[] {
  if (routes.length <= MOST_LINES) return routes.map((edge) => ({ id: `${edge.from} ${edge.to}`, from: edge.from, to: edge.to }));
  const lane = at.lane('prefill') ?? at.lane('engine');
  return lane ? [...new Set(routes.map((edge) => edge.from))].map((from) => ({ id: `${from} all`, from, to: lane })) : [];
}

function rowOf(lane: Box | undefined, like: Box): Box | undefined {
  return lane && { x: lane.x, w: lane.w, y: like.y, h: like.h };
}

function curve(from: Box, to: Box): { d: string; mid: { x: number; y: number } } {
  const x1 = from.x + from.w;
  const y1 = from.y + from.h / 2;
  const x2 = to.x;
  const y2 = to.y + to.h / 2;
  const bend = (x1 + x2) / 2;
  return { d: `M${r(x1)} ${r(y1)}C${r(bend)} ${r(y1)} ${r(bend)} ${r(y2)} ${r(x2)} ${r(y2)}`, mid: { x: bend, y: (y1 + y2) / 2 } };
}

function spotOf(kind: PlaceKind, target: string | undefined, front: Box | undefined, at: Boxes, geometry: Geometry): { x: number; y: number } | undefined {
  const gap = GAP_BEFORE;
  const entry = (box: Box | undefined) => box && { x: box.x - gap, y: box.y + box.h / 2 };
  switch (kind) {
    case 'dashboard network':
      return front && { x: front.x - gap * 1.7, y: front.y + front.h / 2 };
    case 'front-end':
      return entry(front);
    case 'router path':
      return front && { x: front.x + front.w + gap, y: front.y + front.h / 2 };
    case 'prefill':
    case 'decode':
    case 'engine':
      return entry(target === undefined ? at.lane(kind) : (at.node(target) ?? at.lane(kind)));
    case 'kv-transfer':
      return entry(at.lane('kv'));
    case 'response path':
      return { x: 560, y: geometry.back };
    case 'none':
      return undefined;
  }
}

/** How far before a node its dots stand, in thousandths of the width. */
const GAP_BEFORE = 17;

function r(value: number): number {
  return Math.round(value * 10) / 10;
}
