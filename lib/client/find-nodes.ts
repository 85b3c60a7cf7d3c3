import type { NodeView, StackView } from '@/lib/model/snapshot';
import type { PlaceKind } from '@/lib/model/verdict';

/** What a map shows: everything, only what is not well, or the way of the last probe. */
export const PRESETS = ['all', 'abnormal', 'probe'] as const;
export type Preset = (typeof PRESETS)[number];

/** The preset that a link names; anything else is everything. */
export function presetOf(text: string | undefined): Preset {
  return PRESETS.find((one) => one === text) ?? 'all';
}

/** The ids that a preset leaves on the map. */
export function shownBy(preset: Preset, stack: Pick<StackView, 'nodes' | 'dots'>): ReadonlySet<string> {
  if (preset === 'abnormal') return new Set(stack.nodes.filter(isAbnormal).map((node) => node.id));
  if (preset === 'probe') return lastPath(stack);
  return new Set(stack.nodes.map((node) => node.id));
}

/** Whether a node is anything but well and freshly seen. */
export function isAbnormal({ judgement }: Pick<NodeView, 'judgement'>): boolean {
  return judgement.verdict !== 'ok' || judgement.freshness !== 'live';
}

/** The ids whose name, address, role, software or verdict has all the typed words; undefined when nothing was typed. */
export function foundBy(text: string, nodes: readonly NodeView[]): ReadonlySet<string> | undefined {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const says = ({ name, url, role, kind, judgement }: NodeView) => [name, url, role, kind, judgement.verdict, judgement.detail].join(' ').toLowerCase();
  return new Set(nodes.filter((node) => words.every((word) => says(node).includes(word))).map((node) => node.id));
}

/** Where the last probe went: its front-end, and of each role on its way the instance where known, else all that it may have been. */
function lastPath({ nodes, dots }: Pick<StackView, 'nodes' | 'dots'>): ReadonlySet<string> {
  const front = [...nodes].filter((node) => node.strip[0]).sort((a, b) => (b.strip[0]?.at ?? 0) - (a.strip[0]?.at ?? 0))[0];
  if (!front) return new Set();
  const place = dots.find((dot) => dot.target === front.id)?.place;
  const depth = DEPTH[place?.kind ?? 'none'];
  const path = new Set([front.id]);
  for (const [index, roles] of WAY.entries()) {
    if (index >= depth) continue;
    const there = nodes.filter((node) => roles.includes(node.role));
    const known = there.filter((node) => node.id === place?.target);
    for (const node of known.length > 0 ? known : there) path.add(node.id);
  }
  return path;
}

const WAY: readonly (readonly NodeView['role'][])[] = [['prefill', 'unified', 'unknown'], ['decode']];

/** How many of the roles behind a front-end a request has come to. */
const DEPTH: Record<PlaceKind, number> = {
  'dashboard network': 0,
  'front-end': 0,
  'router path': 0,
  prefill: 1,
  engine: 1,
  'kv-transfer': 2,
  decode: 2,
  'response path': 2,
  none: 2,
};
