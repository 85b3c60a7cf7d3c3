import type { NodeView, Snapshot, StackView } from '@/lib/model/snapshot';
import { takesChats } from '@/lib/model/target';
import { isoOf } from './range';
import { parseTyped } from './view';

/** Something that the search can do at once. */
export type Act =
  | { do: 'experiment'; stack: string; targets: string[] }
  | { do: 'acknowledge'; incident: string }
  | { do: 'curl'; probe: string }
  | { do: 'number'; text: string }
  | { do: 'link' | 'theme' | 'hold' | 'live' };

/** One thing that the search can lead to: a page of ours, a second, or a deed. */
export type Find = {
  key: string;
  name: string;
  kind: 'page' | 'stack' | 'node' | 'probe' | 'incident' | 'time' | 'do';
  to: { path: string } | { at: number } | Act;
};

const PAGES: readonly Find[] = (
  [
    ['Overview', '/'],
    ['Incidents', '/incidents'],
    ['Wall', '/wall'],
  ] as const
).map(([name, path]) => ({ key: path, name, kind: 'page', to: { path } }));
const MOST = 12;

/** What matches the words that were typed, in the order time, page, stack, node, incident, deed, probe; with nothing typed, where one may want to go. A past second allows no deed to the stack. */
export function find(text: string, snapshot: Snapshot | undefined, now: number, zone: 'local' | 'utc', isPast = false): Find[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (one: Find) => words.every((word) => `${one.kind} ${one.name}`.toLowerCase().includes(word));
  return [...times(text, now, zone), ...all(snapshot, isPast).filter(matches)].slice(0, MOST);
}

function times(text: string, now: number, zone: 'local' | 'utc'): Find[] {
  const at = parseTyped(text, now, zone);
  return at === undefined || at > now || at < 0 ? [] : [{ key: 'time', name: `Hold ${isoOf(at)}`, kind: 'time', to: { at } }];
}

function all(snapshot: Snapshot | undefined, isPast: boolean): Find[] {
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
    ...(isPast ? [] : stacks.flatMap((stack) => deeds(stack))),
    ...here(isPast),
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
    ...stacks.flatMap((stack) => stack.nodes.flatMap(numbers)),
  ];
}

/** The numbers of a node, each to be copied. */
function numbers(node: NodeView): Find[] {
  return node.values.flatMap(({ key, source, v }) =>
    v === null
      ? []
      : [
          {
            key: `number ${node.id} ${source} ${key}`,
            name: `Copy ${v}: ${key} of ${node.name}`,
            kind: 'do' as const,
            to: { do: 'number' as const, text: String(v) },
          },
        ],
  );
}

/** What can be done to a stack. */
function deeds(stack: StackView): Find[] {
  const targets = stack.nodes.filter(takesChats).map((node) => node.id);
  const { incident } = stack;
  return [
    ...(targets.length > 0 ? [deed(`Run the experiment on all front-ends of ${stack.name}`, { do: 'experiment', stack: stack.id, targets })] : []),
    ...(incident && !incident.ack ? [deed(`Acknowledge the incident in ${stack.name}`, { do: 'acknowledge', incident: incident.id })] : []),
    ...stack.nodes
      .filter(takesChats)
      .map((node) =>
        deed(`Run the experiment on ${node.name}`, { do: 'experiment', stack: stack.id, targets: [node.id, ...targets.filter((id) => id !== node.id)] }),
      ),
    ...stack.nodes.flatMap((node) => (node.strip[0] ? [deed(`Copy the last chat of ${node.name} as curl`, { do: 'curl', probe: node.strip[0].id })] : [])),
  ];
}

/** What can be done to the view. */
function here(isPast: boolean): Find[] {
  return [
    deed('Copy a link to this second', { do: 'link' }),
    isPast ? deed('Back to live', { do: 'live' }) : deed('Pause: hold this second', { do: 'hold' }),
    deed('Switch between light and dark', { do: 'theme' }),
  ];
}

function deed(name: string, to: Act): Find {
  return { key: `do ${name}`, name, kind: 'do', to };
}

function page(folder: string, id: string): { path: string } {
  return { path: `/${folder}/${encodeURIComponent(id)}` };
}
