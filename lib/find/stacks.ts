import type { Config, TargetConfig } from '@/lib/model/config';
import { addressKey, type Node } from './node';

/** Front-ends and the workers they name form one stack; PD engines that nobody names belong together; the rest stand alone. */
export function stacksOf(nodes: readonly Node[]): Config['stacks'] {
  const groups = grouped(nodes);
  return groups.map((group, index) => {
    const id = groups.length === 1 ? 'local' : `local-${index + 1}`;
    const names = namesOf(group);
    return { id, name: id, targets: group.map((node, at) => targetOf(id, names[at] ?? `target-${at + 1}`, node)) };
  });
}

function grouped(nodes: readonly Node[]): Node[][] {
  const group = new Map<Node, number>(nodes.map((node, index) => [node, index]));
  const join = (a: Node, b: Node) => {
    const from = group.get(b);
    const to = group.get(a) ?? 0;
    for (const [node, number] of group) if (number === from) group.set(node, to);
  };
  for (const node of nodes)
    for (const worker of node.workers) for (const other of nodes.filter((one) => addressKey(one.url) === addressKey(worker.url))) join(node, other);
  const isFrontEnd = (node: Node) => node.role === 'router' || node.role === 'balancer';
  const isHalf = (node: Node) => node.role === 'prefill' || node.role === 'decode';
  const isNamed = (node: Node) => nodes.some((one) => one !== node && group.get(one) === group.get(node));
  const halves = nodes.filter((node) => isHalf(node) && !isNamed(node));
  for (const half of halves.slice(1)) join(halves[0] ?? half, half);
  // A front-end that does not tell its workers belongs to the engines there are, when those form one group only.
  const mute = nodes.filter((node) => isFrontEnd(node) && node.workers.length === 0);
  for (const node of mute) {
    const housemate = nodes.find((one) => one.pid !== undefined && one.pid === node.pid && !mute.includes(one));
    if (housemate !== undefined) join(housemate, node);
  }
  const homes = new Set(nodes.filter((node) => !mute.includes(node)).map((node) => group.get(node)));
  const home = nodes.find((node) => !mute.includes(node));
  if (homes.size === 1 && home !== undefined) for (const node of mute) join(home, node);
  const order = ['router', 'balancer', 'prefill', 'decode', 'unified', 'unknown'];
  return [...new Set(group.values())].map((number) =>
    nodes.filter((node) => group.get(node) === number).sort((a, b) => order.indexOf(a.role) - order.indexOf(b.role)),
  );
}

/** `router`, `mini-lb`, `prefill-1`, `prefill-2`: what it is, numbered where there are several. */
function namesOf(group: readonly Node[]): string[] {
  const base = group.map((node) => (node.role === 'balancer' ? 'mini-lb' : node.role === 'unified' || node.role === 'unknown' ? 'engine' : node.role));
  return base.map((name, index) =>
    base.indexOf(name) === base.lastIndexOf(name) ? name : `${name}-${base.slice(0, index + 1).filter((other) => other === name).length}`,
  );
}

function targetOf(stack: string, name: string, node: Node): TargetConfig {
  const { workers: _workers, version: _version, ...known } = node;
  return { ...known, id: `${stack}.${name}`, name, headers: {}, probe: true };
}
