import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArgs } from '@/lib/cli/diagnose/args';
import { memoryIn } from '@/lib/cli/diagnose/memory';
import { diagnose } from '@/lib/cli/diagnose/run';
import { realClock } from '@/lib/io/clock';
import type { Observation } from '@/lib/model/observation';
import type { ProbeResult } from '@/lib/model/probe';
import { parseScenario } from '@/lib/scenarios/scenario';
import { type Simulation, startSimulation } from '@/lib/simulator/simulation';
import { freeRun } from '../stack';
import { type Behind, type RealFrontEnd, startGateway, startMiniLb } from './front-ends';
import { type Watch, watch } from './watch';

const FREEZE_AT = 40;
const KILL_DECODE_AT = 30;
const KILL_PREFILL_AT = 75;
const QUIET =
  'id: quiet\ntitle: t\nstory: s\nlasts: 3600\nstack: { pairs: 1, loads: snapshot, model: /models/tiny, frontEnds: [{ name: unused, kind: mini_lb }] }\ntraffic: none\n';

const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

async function simulate(timeline: string): Promise<Simulation> {
  const parsed = parseScenario(`${QUIET}timeline: ${timeline}\ntruth: []\n`, 'real.yaml');
  if ('errors' in parsed) throw new Error(parsed.errors.join('\n'));
  const simulation = await startSimulation(parsed.scenario, { seed: 1, speed: 1 });
  closers.push(() => simulation.stop());
  return simulation;
}

/** The real front-ends before these engines. */
async function frontEnds(engines: Behind) {
  const base = await freeRun(3);
  const [router, miniLb] = await Promise.all([startGateway(engines, base, base + 1), startMiniLb(engines, base + 2)]);
  closers.push(router.stop, miniLb.stop);
  return { router, miniLb };
}

function urlOf(simulation: Simulation, role: 'prefill' | 'decode'): string {
  const url = simulation.targets.find((target) => target.role === role)?.url;
  if (url === undefined) throw new Error(`the simulation has no ${role}`);
  return url;
}

/** Our own eyes on all four. */
function eyes({ router, miniLb }: { router: RealFrontEnd; miniLb: RealFrontEnd }, engines: Behind): Watch {
  const seen = watch({ router, mini_lb: miniLb, prefill: { url: engines.prefill }, decode: { url: engines.decode } });
  closers.push(() => seen.stop());
  return seen;
}

/** What a person at a shell is told of both. */
function diagnosis({ router, miniLb }: { router: RealFrontEnd; miniLb: RealFrontEnd }) {
  const folder = mkdtempSync(join(tmpdir(), 'wedgewatch-real-'));
  closers.push(async () => rmSync(folder, { recursive: true }));
  const read = readArgs(['--timeout', '3', router.url, miniLb.url], { env: {}, cwd: folder });
  if (!('options' in read)) throw new Error('the command line was not understood');
  const clock = realClock();
  return diagnose(read.options, clock, memoryIn(join(folder, 'memory.json'), clock.now), () => {}, new AbortController().signal);
}

const of = <K extends Observation['kind']>(seen: Watch, kind: K) =>
  seen.observations.filter((one): one is Extract<Observation, { kind: K }> => one.kind === kind);
const chats = (seen: Watch, name: string): ProbeResult[] =>
  of(seen, 'probe')
    .map((one) => one.result)
    .filter((one) => one.target === `real.${name}` && one.probe === 'chat');

describe('the real gateway and the real mini_lb before two engines', () => {
  let seen: Watch;
  let simulation: Simulation;
  let engines: Behind;
  let fronts: Awaited<ReturnType<typeof frontEnds>>;

  beforeAll(async () => {
    simulation = await simulate(`[[${FREEZE_AT}, sched.gauges, { role: decode, values: all 0 }], [${FREEZE_AT}, sched.freeze, { role: decode }]]`);
    engines = { prefill: urlOf(simulation, 'prefill'), decode: urlOf(simulation, 'decode') };
    fronts = await frontEnds(engines);
    seen = eyes(fronts, engines);
  });

  it('are told apart and from the engines, each with its role', async () => {
    const kinds = () => Object.fromEntries(['router', 'mini_lb', 'prefill', 'decode'].map((name) => [name, [seen.node(name)?.kind, seen.node(name)?.role]]));
    const wanted = { router: ['sglang-router', 'router'], mini_lb: ['mini-lb', 'balancer'], prefill: ['sglang', 'prefill'], decode: ['sglang', 'decode'] };
    await seen.comes('the kind of each', () => (JSON.stringify(kinds()) === JSON.stringify(wanted) ? true : undefined)).catch(() => undefined);
    expect(kinds()).toEqual(wanted);
  });

  it('advertise a model each, which our probes then ask for', async () => {
    for (const name of ['router', 'mini_lb']) {
      const models = await seen.comes(`the ids of ${name}`, () => of(seen, 'models').find((one) => one.target === `real.${name}` && one.models.ids.length > 0));
      const chat = await seen.comes(`a probe of ${name}`, () => chats(seen, name)[0]);
      expect(models.models.ids).toContain(chat.model);
    }
  });

  it('carry a chat to its end', async () => {
    for (const name of ['router', 'mini_lb']) {
      const good = await seen.comes(`a good probe through ${name}`, () => chats(seen, name).find((one) => one.outcome === 'ok'));
      expect(good).toMatchObject({ late: false, exchange: { status: 200, ended: true }, reading: { sawDone: true } });
    }
    expect(simulation.seconds()).toBeLessThan(FREEZE_AT);
  });

  it('tell their workers: the gateway by its list, mini_lb by its server info', async () => {
    for (const name of ['router', 'mini_lb']) {
      const listed = await seen.comes(`the workers of ${name}`, () =>
        of(seen, 'workers').find((one) => one.target === `real.${name}` && one.workers.length === 2),
      );
      expect(new Set(listed.workers.map((worker) => worker.role))).toEqual(new Set(['prefill', 'decode']));
    }
    const edges = await seen.comes('the way from the router to both engines', () =>
      of(seen, 'topology')
        .map((one) => one.edges)
        .find((all) => all.filter((edge) => edge.from === 'real.router' && edge.kind === 'routes').length === 2),
    );
    expect(edges).toContainEqual(expect.objectContaining({ from: 'real.prefill', to: 'real.decode', kind: 'kv' }));
  });

  it("give the gateway's own metrics, with the health of each worker", async () => {
    const page = await seen.comes("the gateway's page", () =>
      of(seen, 'scrape').find((one) => one.target === 'real.router' && one.outcome === 'ok' && one.samples.some(({ name }) => name === 'router_worker_health')),
    );
    const health = page.samples.filter(({ name }) => name === 'router_worker_health');
    expect(Object.fromEntries(health.map((sample) => [sample.by, sample.value]))).toEqual({ [engines.prefill]: 1, [engines.decode]: 1 });
  });

  it('hang when the decode scheduler stops: the gateway without a byte, mini_lb after its headers, both late', async () => {
    const late = (name: string) => seen.comes(`a late probe through ${name}`, () => chats(seen, name).find((one) => one.late), 120_000);
    expect((await late('router')).outcome).toBe('zero-bytes');
    expect((await late('mini_lb')).outcome).toBe('headers-only');
    expect(simulation.seconds()).toBeGreaterThanOrEqual(FREEZE_AT);
  });

  it('are found to hang at decode by a diagnosis from a shell too, within its budget', async () => {
    const found = await diagnosis(fronts);
    expect(found).toMatchObject({ verdict: 'hanging', exitCode: 20, conclusion: { kind: 'systemic' } });
    for (const front of found.fronts) expect(front).toMatchObject({ verdict: 'hanging', place: { kind: 'decode', inferred: false } });
    for (const cell of found.experiment?.cells ?? []) expect(cell.tries.length).toBeLessThanOrEqual(2);
  });

  it('are then said to hang at decode, while their health says 200', async () => {
    for (const name of ['router', 'mini_lb']) {
      const node = await seen.comes(
        `the verdict on ${name}`,
        () => (seen.node(name)?.judgement.place?.kind === 'decode' ? seen.node(name) : undefined),
        60_000,
      );
      expect(node.judgement.verdict).toBe('hanging');
      expect(node.health).toMatchObject({ status: 200, says: 'up' });
    }
  });
});

describe('the real front-ends whose engines are gone', () => {
  let seen: Watch;

  beforeAll(async () => {
    const simulation = await simulate(`[[${KILL_DECODE_AT}, proc.kill, { role: decode }], [${KILL_PREFILL_AT}, proc.kill, { role: prefill }]]`);
    const engines = { prefill: urlOf(simulation, 'prefill'), decode: urlOf(simulation, 'decode') };
    seen = eyes(await frontEnds(engines), engines);
    for (const name of ['router', 'mini_lb']) await seen.comes(`a good probe through ${name}`, () => chats(seen, name).find((one) => one.outcome === 'ok'));
    expect(simulation.seconds()).toBeLessThan(KILL_DECODE_AT);
  });

  // The gateway waits for its prefill, which waits for the decode: so did the real pair (sglang-router 0.3.2 before SGLang 0.5.23, seen running).
  it('are down at decode when it refuses, though the gateway then hangs and mini_lb resets after its 200', async () => {
    const reset = await seen.comes('a reset through mini_lb', () => chats(seen, 'mini_lb').find((one) => one.outcome === 'reset'));
    expect(reset).toMatchObject({ late: false, exchange: { status: 200 } });
    const hung = await seen.comes('a late probe through router', () => chats(seen, 'router').find((one) => one.late));
    expect(hung.outcome).toBe('zero-bytes');
    for (const name of ['router', 'mini_lb']) {
      const down = await seen.comes(`${name} down at decode`, () => downAtDecode(seen, name));
      expect(down.place?.kind).toBe('decode');
    }
    expect(seen.node('decode')?.judgement.verdict).toBe('down');
  });

  it('refuse new requests at once when prefill is gone too: the gateway with a 5xx of its own', async () => {
    const refused = await seen.comes('a refusal by router', () => chats(seen, 'router').find((one) => one.outcome === 'rejected' && !one.late), 120_000);
    expect([500, 502, 503]).toContain(refused.exchange.status);
    expect(seen.node('router')?.judgement.verdict).toBe('down');
  });
});

function downAtDecode(seen: Watch, name: string) {
  const judgement = seen.node(name)?.judgement;
  return judgement?.verdict === 'down' && judgement.place?.kind === 'decode' ? judgement : undefined;
}
