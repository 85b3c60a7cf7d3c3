import { cut, hostPort } from '@/lib/format';
import type { NodeView, StackView } from '@/lib/model/snapshot';
import { escaped } from './escape';

const CARD = { w: 170, h: 46, gap: 12 } as const;
const LANE = { w: 200, top: 34 } as const;

type Lane = { title: string; places: readonly string[]; nodes: NodeView[] };
type Spot = { x: number; y: number };

/** The stack as a drawing that needs nothing else: lanes, who stands how, and where requests stop. */
export function mapSvg(stack: StackView): string {
  const lanes = lanesOf(stack);
  const spots = new Map(lanes.flatMap((lane, column) => lane.nodes.map((node, row): [string, Spot] => [node.id, spotOf(column, row)])));
  const most = Math.max(1, ...lanes.map((lane) => lane.nodes.length));
  const [width, height] = [lanes.length * LANE.w, LANE.top + most * (CARD.h + CARD.gap)];
  const stop = stack.judgement.verdict === 'ok' ? undefined : stack.judgement.place?.kind;
  return `<svg role="img" aria-label="Map of the stack" viewBox="0 0 ${width} ${height}" class="map" style="max-width:${Math.round(width * 1.25)}px">${[
    ...stack.edges.map((edge) => lineOf(spots.get(edge.from), spots.get(edge.to))),
    ...lanes.map((lane, column) => titleOf(lane, column, stop !== undefined && lane.places.includes(stop))),
    ...lanes.flatMap((lane) => lane.nodes.map((node) => cardOf(node, spots.get(node.id)))),
  ].join('')}</svg>`;
}

function lanesOf({ nodes }: StackView): Lane[] {
  const of = (title: string, places: readonly string[], ...roles: NodeView['role'][]): Lane => ({
    title,
    places,
    nodes: nodes.filter((node) => roles.includes(node.role)),
  });
  const lanes = [
    of('front-ends', ['front-end', 'router path'], 'router', 'balancer'),
    of('prefill', ['prefill', 'kv-transfer'], 'prefill'),
    of('decode', ['decode', 'response path'], 'decode'),
    of('engine', ['engine', 'response path'], 'unified'),
    of('other', [], 'unknown'),
  ];
  return lanes.filter((lane) => lane.nodes.length > 0);
}

function spotOf(column: number, row: number): Spot {
  return { x: column * LANE.w + (LANE.w - CARD.w) / 2, y: LANE.top + row * (CARD.h + CARD.gap) };
}

function lineOf(from: Spot | undefined, to: Spot | undefined): string {
  if (!from || !to || from.x >= to.x) return '';
  const [x1, y1, x2, y2] = [from.x + CARD.w, from.y + CARD.h / 2, to.x, to.y + CARD.h / 2];
  const middle = (x1 + x2) / 2;
  return `<path class="edge" d="M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}"/>`;
}

function titleOf(lane: Lane, column: number, isStop: boolean): string {
  const x = column * LANE.w + LANE.w / 2;
  return `<text class="lane" x="${x}" y="12" text-anchor="middle">${lane.title}</text>${isStop ? `<text class="stop" x="${x}" y="27" text-anchor="middle">requests stop here</text>` : ''}`;
}

function cardOf(node: NodeView, spot: Spot | undefined): string {
  if (!spot) return '';
  const { verdict } = node.judgement;
  const [x, y] = [spot.x, spot.y];
  return `<g class="node ${verdict}"><title>${escaped(`${node.name} ${hostPort(node.url)}: ${verdict}, ${node.judgement.because}`)}</title><rect x="${x}" y="${y}" width="${CARD.w}" height="${CARD.h}" rx="3"/><text class="name" x="${x + 10}" y="${y + 19}">${escaped(cut(node.name, 22))}</text><text class="word" x="${x + 10}" y="${y + 36}">${verdict === 'ok' ? 'ok' : verdict.toUpperCase()}</text></g>`;
}
