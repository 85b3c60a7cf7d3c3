import { connect, type Socket } from 'node:net';
import type { SimTarget } from '@/lib/simulator/simulation';
import { Child } from './child';
import type { FromRelay, ToRelay } from './relay';

/** Enough to fill a queue of one, whatever the kernel adds to it. */
const FILLERS = 4;
export const REFERENCE = 'the reference';

type Way = { child: Child<ToRelay, FromRelay>; ports: number[]; fillers: Socket[] };

/** The network between us and the stacks: each part behind a relay of its own, so that the ways to some of them can be cut. */
export class Network {
  private readonly ways = new Map<string, Way>();

  constructor(private readonly file: string) {}

  /** Puts relays before all of these addresses; what comes back is how to reach them from now on. */
  async behind<T extends { targets: SimTarget[]; referenceUrl: string }>(stacks: readonly T[]): Promise<T[]> {
    const urls = new Map<string, string[]>();
    const note = (name: string, url: string | undefined) => url !== undefined && urls.set(name, [...(urls.get(name) ?? []), url]);
    for (const stack of stacks) {
      note(REFERENCE, stack.referenceUrl);
      for (const target of stack.targets) {
        note(target.name, target.url);
        note(target.name, target.metricsUrl);
      }
    }
    const through = new Map<string, string>();
    await Promise.all([...urls].map(([name, list]) => this.open(name, [...new Set(list.map(portOf))], through)));
    const known = [...through].map(([from, to]): [number, number] => [Number(from), Number(to)]);
    for (const { child } of this.ways.values()) child.send({ kind: 'names', ports: known });
    const way = (url: string) => url.replace(/:\d+/, (text) => `:${through.get(text.slice(1)) ?? text.slice(1)}`);
    return stacks.map((stack) => ({
      ...stack,
      referenceUrl: way(stack.referenceUrl),
      targets: stack.targets.map((one) => ({ ...one, url: way(one.url), ...(one.metricsUrl === undefined ? {} : { metricsUrl: way(one.metricsUrl) }) })),
    }));
  }

  /** Cuts the ways to these parts; without names to everything. Returns how to mend them. */
  cut(names?: readonly string[]): () => void {
    const ways = [...this.ways].filter(([name]) => names === undefined || names.includes(name)).map(([, way]) => way);
    for (const way of ways) {
      way.child.stop();
      way.fillers.push(...way.ports.flatMap((port) => Array.from({ length: FILLERS }, () => filler(port))));
    }
    return () => {
      for (const way of ways) {
        for (const socket of way.fillers.splice(0)) socket.destroy();
        way.child.continue();
      }
    };
  }

  close(): void {
    for (const way of this.ways.values()) {
      for (const socket of way.fillers) socket.destroy();
      way.child.kill();
    }
    this.ways.clear();
  }

  private async open(name: string, ports: number[], through: Map<string, string>) {
    const child = new Child<ToRelay, FromRelay>(this.file);
    await child.next('loaded');
    child.send({ kind: 'relay', ports });
    const ready = await child.next('ready');
    this.ways.set(name, { child, ports: ready.ports, fillers: [] });
    for (const [i, port] of ports.entries()) through.set(String(port), String(ready.ports[i]));
  }
}

function filler(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  return socket;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
