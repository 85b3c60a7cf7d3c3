import type { Snapshot } from '@/lib/model/snapshot';
import { isoOf } from './range';
import { parseTyped } from './view';

/** One thing that the search can lead to: a page of ours, or a second. */
export type Find = { key: string; name: string; kind: 'page' | 'stack' | 'node' | 'probe' | 'incident' | 'time'; to: { path: string } | { at: number } };

const PAGES: readonly Find[] = (
  [
    ['Overview', '/'],
    ['Incidents', '/incidents'],
    ['Wall', '/wall'],
  ] as const
).map(([name, path]) => ({ key: path, name, kind: 'page', to: { path } }));
const MOST = 12;

/** What matches the words that were typed, in the order time, page, stack, node, incident, probe; with nothing typed, where one may want to go. */
export function find(text: string, snapshot: Snapshot | undefined, now: number, zone: 'local' | 'utc'): Find[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (one: Find) => words.every((word) => `${one.kind} ${one.name}`.toLowerCase().includes(word));
  return [...times(text, now, zone), ...all(snapshot).filter(matches)].slice(0, MOST);
}

function times(text: string, now: number, zone: 'local' | 'utc'): Find[] {
  const at = parseTyped(text, now, zone);
  return at === undefined || at > now || at < 0 ? [] : [{ key: 'time', name: `Hold ${isoOf(at)}`, kind: 'time', to: { at } }];
}

function all(snapshot: Snapshot | undefined): Find[] {
  const stacks = snapshot?.stacks ?? [];
  return [
    ...PAGES,
    ...stacks.map(
      (stack): Find => ({ key: `stack ${stack.id}`, name: `${stack.name}, ${stack.judgement.verdict}`, kind: 'stack', to: page('stacks', stack.id) }),
    ),
    ...stacks.flatMap((stack) =>
      stack.nodes.map(
        (node): Find => ({
          key: `node ${node.id}`,
          name: `${node.name} ${node.role} ${node.url}, ${node.judgement.verdict}`,
          kind: 'node',
          to: page('targets', node.id),
        }),
      ),
    ),
    ...stacks.flatMap((stack): Find[] =>
      stack.incident
        ? [{ key: `incident ${stack.incident.id}`, name: `open in ${stack.name}`, kind: 'incident', to: page('incidents', stack.incident.id) }]
        : [],
    ),
    ...stacks.flatMap((stack) =>
      stack.nodes.flatMap((node) =>
        node.strip.slice(0, 6).map(
          (dot): Find => ({
            key: `probe ${dot.id}`,
            name: `${dot.id} of ${node.name}, ${dot.ended ? dot.outcome : 'open'}`,
            kind: 'probe',
            to: page('probes', dot.id),
          }),
        ),
      ),
    ),
  ];
}

function page(folder: string, id: string): { path: string } {
  return { path: `/${folder}/${encodeURIComponent(id)}` };
}
