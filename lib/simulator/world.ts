import type { FrontEndSpec, Scenario } from '@/lib/scenarios/scenario';
import type { SimClock } from './clock';
import { DecodeRank } from './engine/decode';
import { Engine, type EngineRole } from './engine/engine';
import { serve } from './engine/http';
import { KvPath } from './engine/kv';
import { PrefillRank } from './engine/prefill';
import type { Tuning } from './engine/rank';
import { TOKEN_SECONDS } from './engine/speed';
import { UnifiedRank } from './engine/unified';
import { Dispatch } from './front-end/dispatch';
import { FrontEnd, type Worker } from './front-end/front-end';
import { Gateway } from './front-end/gateway';
import { GatewayPage } from './front-end/gateway-page';
import { MiniLb } from './front-end/mini-lb';
import { Pool } from './front-end/pool';
import { Listener } from './listener';
import type { Ports } from './ports';
import type { Prng } from './prng';
import { noTraits, type Traits } from './traits';
import { Users } from './users';

/** Everything that is simulated: what actions act on. */
export type World = {
  clock: SimClock;
  engines: Engine[];
  workers: Worker[];
  frontEnds: FrontEnd[];
  kv: KvPath;
  traits: Traits;
  users: Users;
  /** Engines of a selector: a role or one name. */
  enginesOf(selector: string): Engine[];
  frontEnd(name: string): FrontEnd;
};

/** What a play varies of a scenario. */
export type WorldOptions = { speed: number; ports: Ports; model(id: string): string };

export function buildWorld(scenario: Scenario, clock: SimClock, dice: Prng, options: WorldOptions): World {
  const traits = noTraits();
  const kv = new KvPath(dice.split('kv'));
  const engines = (['prefill', 'decode', 'unified'] as const).flatMap((role) =>
    Array.from({ length: scenario.stack[role] }, (_, index) => makeEngine(scenario, role, index, clock, dice, kv, traits, options)),
  );
  const workers = engines.map(workerOf);
  const frontEnds = scenario.stack.frontEnds.map((spec) => {
    const mine = workers.filter((worker) => spec.pairs === undefined || spec.pairs.includes(worker.pair));
    const fe = new FrontEnd(spec.name, spec.kind, spec.models?.map(options.model), spec.key, mine, clock, dice.split(spec.name), traits);
    if (spec.kind === 'gateway') listenAsGateway(fe, spec, options.ports);
    else {
      const balancer = new MiniLb(fe);
      fe.listener = new Listener(options.ports.of(spec.name), (req, res) => balancer.serve(req, res), spec.name);
    }
    return fe;
  });
  const capacity = () =>
    (engines.filter((one) => one.spec.role !== 'prefill').length * scenario.stack.dp * scenario.stack.maxRunning) / (200 * TOKEN_SECONDS * options.speed);
  const doors = () => frontEnds.map((fe) => ({ url: fe.url, model: fe.models()[0] ?? 'default', key: fe.state.key }));
  return {
    clock,
    engines,
    workers,
    frontEnds,
    kv,
    traits,
    users: new Users(clock, dice.split('users'), doors, capacity),
    enginesOf: (selector) => engines.filter((one) => one.spec.name === selector || one.spec.role === selector),
    frontEnd: (name) => {
      const found = frontEnds.find((one) => one.name === name);
      if (found === undefined) throw new Error(`no front-end is called ${name}; there are ${frontEnds.map((one) => one.name).join(', ')}`);
      return found;
    },
  };
}

/** Listeners of all parts, in the order in which they open. */
export function listenersOf(world: World): Listener[] {
  const all = [...world.engines.map((one) => one.listener), ...world.frontEnds.flatMap((one) => [one.listener, one.metricsListener])];
  return all.filter((one) => one !== undefined);
}

function makeEngine(
  scenario: Scenario,
  role: EngineRole,
  index: number,
  clock: SimClock,
  dice: Prng,
  kv: KvPath,
  traits: Traits,
  options: WorldOptions,
): Engine {
  const { stack } = scenario;
  const name = `${role}-${index}`;
  const own = dice.split(name);
  const tuning: Tuning = {
    speed: options.speed,
    slots: stack.slots,
    maxRunning: stack.maxRunning,
    kvTokens: role === 'prefill' ? 4_000_000 : stack.kvTokens,
    compiles: [],
    holds: [],
    warmUntil: 0,
    stopAfter: Number.POSITIVE_INFINITY,
  };
  const bootstrapPort = role === 'prefill' ? 8998 + index : undefined;
  if (bootstrapPort !== undefined) kv.register(name, bootstrapPort);
  const makeRanks = () => {
    const now = clock.now();
    if (role === 'prefill') return [new PrefillRank(0, tuning, own, now, kv)];
    const numbers = Array.from({ length: stack.dp }, (_, i) => i);
    return numbers.map((number) => (role === 'decode' ? new DecodeRank(number, tuning, own, now, kv, name) : new UnifiedRank(number, tuning, own, now)));
  };
  const model = options.model(role === 'decode' ? (stack.decodeModel ?? stack.model) : stack.model);
  const spec = { name, role, index, model, bootstrapPort, loads: stack.loads, freshLoadsSilent: stack.freshLoadsSilent };
  const engine = new Engine(spec, clock, own, kv, traits, tuning, makeRanks);
  engine.listener = new Listener(options.ports.of(name), (req, res) => serve(engine, req, res), name);
  return engine;
}

function workerOf(engine: Engine): Worker {
  const { name, role, index, model, bootstrapPort } = engine.spec;
  return {
    name,
    role,
    pair: index,
    model,
    bootstrapPort,
    isDeleted: false,
    get url() {
      return engine.url;
    },
  };
}

function listenAsGateway(fe: FrontEnd, spec: FrontEndSpec, ports: Ports): void {
  const pool = new Pool(fe, { failures: 10, windowSeconds: 120, openSeconds: 60, successes: 3, ...spec.circuit });
  const page = new GatewayPage(fe, pool);
  const gateway = new Gateway(fe, pool, page, new Dispatch(fe, pool, page, { attempts: spec.attempts ?? 5, cancelsDecode: spec.cancelsDecode ?? false }));
  fe.listener = new Listener(ports.of(fe.name), (req, res) => gateway.serve(req, res), fe.name);
  fe.metricsListener = new Listener(
    ports.of(`${fe.name} metrics`),
    (req, res) => {
      req.resume();
      const isPage = (req.url ?? '').startsWith('/metrics') && !fe.metricsOff;
      res.writeHead(isPage ? 200 : 404, { 'content-type': 'text/plain' });
      res.end(isPage ? page.text() : '');
    },
    `${fe.name} metrics`,
  );
  pool.watch();
  fe.clock.every(20, () => page.sampleAges());
}
