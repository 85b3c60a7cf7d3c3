import type { StackSpec } from '@/lib/scenarios/scenario';

/** Which port each part listens on; 0 lets the system choose. Parts are front-ends and engines by name, `NAME metrics` and `control`. */
export type Ports = { of(part: string): number };

/** `any`: chosen by the system. `default`: the well-known ones of the demo. A number: consecutive from there. */
export function portsFor(stack: StackSpec, wanted: 'any' | 'default' | number): Ports {
  if (wanted === 'any') return { of: () => 0 };
  const table = wanted === 'default' ? wellKnown(stack) : consecutive(stack, wanted);
  return { of: (part) => table.get(part) ?? 0 };
}

function wellKnown(stack: StackSpec): Map<string, number> {
  const table = new Map<string, number>([['control', 29900]]);
  for (let i = 0; i < stack.prefill; i++) table.set(`prefill-${i}`, 30000 + 10 * i);
  for (let i = 0; i < stack.decode; i++) table.set(`decode-${i}`, 30002 + 10 * i);
  for (let i = 0; i < stack.unified; i++) table.set(`unified-${i}`, 30000 + 10 * (i + stack.prefill));
  let gateways = 0;
  let balancers = 0;
  for (const fe of stack.frontEnds) {
    const nth = fe.kind === 'gateway' ? gateways++ : balancers++;
    table.set(fe.name, fe.port ?? (fe.kind === 'gateway' ? 30001 + 10 * nth : 8000 + nth));
    table.set(`${fe.name} metrics`, fe.metricsPort ?? 29000 + nth);
  }
  return table;
}

/** prefill-0, first front-end, decode-0, second front-end, then metrics, control and the rest. */
function consecutive(stack: StackSpec, base: number): Map<string, number> {
  const [first, ...others] = stack.frontEnds.map((fe) => fe.name);
  const [second, ...more] = others;
  const gateways = stack.frontEnds.filter((fe) => fe.kind === 'gateway').map((fe) => `${fe.name} metrics`);
  const rest = (['prefill', 'decode', 'unified'] as const).flatMap((role) => Array.from({ length: stack[role] }, (_, i) => `${role}-${i}`));
  const order = [
    'prefill-0',
    first,
    'decode-0',
    second,
    gateways[0] ?? 'unused',
    'control',
    ...gateways.slice(1),
    ...more,
    ...rest.filter((name) => name !== 'prefill-0' && name !== 'decode-0'),
  ];
  return new Map(order.flatMap((name, i): [string, number][] => (name === undefined ? [] : [[name, base + i]])));
}
