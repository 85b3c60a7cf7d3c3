import type { Kind, Role } from '@/lib/model/target';
import { forSeed, type Scenario } from '@/lib/scenarios/scenario';
import { type SimClock, simClock } from './clock';
import { controlHandler } from './control';
import { Listener, type Tap } from './listener';
import { type Change, Play } from './play';
import { portsFor } from './ports';
import { prng } from './prng';
import { buildWorld, listenersOf, type World } from './world';

/** A part of the running stack that a dashboard may watch. `known` is its name in the scenario file, `name` after renaming. */
export type SimTarget = { name: string; known: string; kind: Kind; role: Role; url: string; metricsUrl?: string; model: string };

/** How a scenario is played. */
export type SimulationOptions = {
  seed: number;
  /** Baseline factor: 0.5, 1 or 4; 1 = 0.4 s median to the first token. */
  speed: number;
  /** Consecutive ports from here; absent: chosen by the system, or with `ports: 'default'` the well-known ones. */
  basePort?: number;
  ports?: 'any' | 'default';
  /** Told seconds per real second, 1 by default. */
  timeScale?: number;
  /** Replaces the scenario's kind of /v1/loads. */
  loads?: 'ask' | 'snapshot';
  /** New names of front-ends and of model ids. */
  names?: { frontEnds?: Record<string, string>; models?: Record<string, string> };
  /** From the start again when the timeline is over. */
  loop?: boolean;
  /** Whose time it is told by; absent: a clock of its own at `timeScale`. */
  clock?: SimClock;
  /** Sees each request as it comes, with the name of the part in the scenario file. */
  tap?(part: string, ...seen: Parameters<Tap>): void;
};

/** A scenario being played on real sockets. */
export type Simulation = {
  scenario: Scenario;
  targets: SimTarget[];
  /** Answers 200 as long as the simulator lives. */
  referenceUrl: string;
  controlUrl: string;
  timeline(): Change[];
  seconds(): number;
  /** Called with every change from now on; returns how to leave. */
  on(listener: (change: Change) => void): () => void;
  /** Settles when the timeline is over, or at `stop`. The stack goes on until `stop`. */
  done: Promise<void>;
  stop(): Promise<void>;
};

/** Builds the stack of a scenario, opens its ports and plays its timeline. Rejects with one sentence when a port is taken. */
export async function startSimulation(given: Scenario, options: SimulationOptions): Promise<Simulation> {
  if (given.standing !== undefined) throw new Error(`${given.id}: names a stack that exists (standing); npm run bench:detect -- --allow-exec runs it`);
  const scenario = withLoads(forSeed(given, options.seed), options.loads);
  const clock = options.clock ?? simClock(options.timeScale ?? 1);
  const dice = prng(options.seed);
  const ports = portsFor(scenario.stack, options.basePort ?? options.ports ?? 'any');
  const models = options.names?.models ?? {};
  const world = buildWorld(scenario, clock, dice, { speed: options.speed, ports, model: (id) => models[id] ?? id });
  const listeners = new Set<(change: Change) => void>();
  let settle = () => {};
  const done = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const tell = (change: Change) => {
    for (const listener of listeners) listener(change);
  };
  const play = new Play(world, scenario, dice.split('play'), tell, options.loop === true, () => settle());
  const control = new Listener(ports.of('control'), controlHandler(scenario, play, clock), 'the control port');
  const all = [...listenersOf(world), control];
  const { tap } = options;
  if (tap !== undefined) for (const listener of all) listener.tap = (req, res) => tap(listener.what, req, res);
  const stop = async () => {
    clock.stop();
    world.users.stop();
    for (const engine of world.engines) engine.kill();
    for (const listener of all) listener.kill();
    settle();
  };
  try {
    for (const listener of all) await listener.open();
  } catch (error) {
    await stop();
    throw error;
  }
  clock.zero();
  turn(world);
  clock.after(0, () => play.start());
  return {
    scenario,
    targets: targetsOf(world, options.names?.frontEnds ?? {}),
    referenceUrl: `${control.url}/reference`,
    controlUrl: control.url,
    timeline: () => [...play.changes],
    seconds: () => clock.now(),
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    done,
    stop,
  };
}

/** The schedulers' loops: decode before prefill and again after it, so that a hand-over takes one tick and not three. */
function turn(world: World): void {
  const { clock } = world;
  const realMs = Math.min(20, Math.max(4, 50 / clock.scale));
  let last = clock.now();
  const decodes = world.engines.filter((one) => one.spec.role === 'decode');
  const others = world.engines.filter((one) => one.spec.role !== 'decode');
  clock.every((realMs * clock.scale) / 1000, () => {
    const now = clock.now();
    const dt = now - last;
    last = now;
    for (const engine of decodes) engine.turn(now, dt);
    for (const engine of others) engine.turn(now, dt);
    for (const engine of decodes) engine.turn(now, 0);
  });
  clock.every(60, () => world.kv.forget(clock.now()));
}

function targetsOf(world: World, names: Record<string, string>): SimTarget[] {
  const frontEnds = world.frontEnds.map((fe): SimTarget => {
    const isGateway = fe.kind === 'gateway';
    return {
      name: names[fe.name] ?? fe.name,
      known: fe.name,
      kind: isGateway ? 'sglang-router' : 'mini-lb',
      role: isGateway ? 'router' : 'balancer',
      url: fe.url,
      ...(fe.metricsListener === undefined ? {} : { metricsUrl: `${fe.metricsListener.url}/metrics` }),
      model: fe.models()[0] ?? '',
    };
  });
  const engines = world.engines.map(
    (one): SimTarget => ({
      name: one.spec.name,
      known: one.spec.name,
      kind: 'sglang',
      role: one.spec.role,
      url: one.url,
      metricsUrl: `${one.url}/metrics`,
      model: one.spec.model,
    }),
  );
  return [...frontEnds, ...engines];
}

function withLoads(scenario: Scenario, loads: 'ask' | 'snapshot' | undefined): Scenario {
  return loads === undefined ? scenario : { ...scenario, stack: { ...scenario.stack, loads } };
}
