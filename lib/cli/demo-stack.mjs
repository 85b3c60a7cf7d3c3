import { isFree } from './ports.mjs';
import { problem, say } from './say.mjs';

/** The usual ports of the simulated stack, those of the incident behind this project. */
const USUAL = { router: 30001, metrics: 29000, minilb: 8000, prefill: 30000, decode: 30002, control: 29900 };

/** The ports for the simulated stack: as asked, else the usual ones, else the next that are free. `base` is absent with the usual ones. */
export async function demoPorts(asked) {
  if (asked !== undefined) {
    const ports = portsFrom(Number(asked));
    const taken = await takenOf(ports);
    if (taken.length > 0) throw problem(`Port ${taken.join(', ')} is taken; name another first port with --base-port P.`);
    return ports;
  }
  const taken = await takenOf(USUAL);
  if (taken.length === 0) return USUAL;
  for (let base = 31_000; base < 60_000; base += 100) {
    if ((await takenOf(portsFrom(base))).length > 0) continue;
    say(`Port ${taken.join(', ')} is taken; the simulated stack takes the ports from ${base}.`);
    return portsFrom(base);
  }
  throw problem('No ports are free for the simulated stack; name the first of them with --base-port P.');
}

/** In the simulator's own order of ports. */
export function portsFrom(base) {
  return { base, prefill: base, router: base + 1, decode: base + 2, minilb: base + 3, metrics: base + 4, control: base + 5 };
}

async function takenOf({ base: _, ...ports }) {
  const free = await Promise.all(Object.values(ports).map((port) => isFree(port)));
  return Object.values(ports).filter((_port, index) => !free[index]);
}

/** The configuration under which the app watches the simulated stack. */
export function demoConfig(ports, { data, listen }) {
  return `# Made by npm run demo, again at each start.
stacks:
  - name: demo
    targets:
      - { name: router, url: "http://127.0.0.1:${ports.router}", metricsUrl: "http://127.0.0.1:${ports.metrics}/metrics" }
      - { name: mini_lb, url: "http://127.0.0.1:${ports.minilb}" }
      - { name: prefill, url: "http://127.0.0.1:${ports.prefill}" }
      - { name: decode, url: "http://127.0.0.1:${ports.decode}" }
listen: ${listen}
data: ${JSON.stringify(data)}
`;
}
