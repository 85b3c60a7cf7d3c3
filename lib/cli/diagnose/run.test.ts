import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { realClock } from '@/lib/io/clock';
import { parseScenario } from '@/lib/scenarios/scenario';
import { type Simulation, startSimulation } from '@/lib/simulator/simulation';
import type { Options } from './args';
import type { Diagnosis } from './diagnosis';
import { type Memory, memoryIn } from './memory';
import { diagnose, type Progress } from './run';
import { written } from './words';

/** Told time runs this much faster than the test. */
const SCALE = 20;
const folder = mkdtempSync(join(tmpdir(), 'wedgewatch-diagnose-'));
let serial = 0;
afterAll(() => rmSync(folder, { recursive: true }));
const clock = realClock(SCALE);
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

async function simulate(traits: string): Promise<Simulation> {
  const text = `id: x\ntitle: t\nstory: s\nlasts: 3600\nstack: { pairs: 1, loads: snapshot, model: /models/tiny, frontEnds: [{ name: router, kind: gateway, models: [tiny] }, { name: mini_lb, kind: mini_lb }] }\ntraffic: none\ntraits: ${traits}\ntimeline: []\ntruth: []\n`;
  const parsed = parseScenario(text, 'diagnose.yaml');
  if ('errors' in parsed) throw new Error(parsed.errors.join('\n'));
  const simulation = await startSimulation(parsed.scenario, { seed: 1, speed: 1, timeScale: SCALE });
  cleanups.push(() => simulation.stop());
  return simulation;
}

const urlOf = (simulation: Simulation, known: string) => simulation.targets.find((target) => target.known === known)?.url ?? '';

function run(
  simulation: Simulation,
  options: Partial<Options> & { only?: string } = {},
  told: (progress: Progress, stop: AbortController) => void = () => {},
  memory: Memory = memoryIn(join(folder, `${serial++}.json`), clock.now),
): Promise<Diagnosis> {
  const { only, ...rest } = options;
  const urls = (only === undefined ? ['router', 'mini_lb'] : [only]).map((name) => urlOf(simulation, name));
  const stop = new AbortController();
  return diagnose(
    { urls, engines: [], headers: {}, timeoutMs: 10_000, tries: 2, whole: true, long: false, again: false, form: 'text', ...rest },
    clock,
    memory,
    (progress) => told(progress, stop),
    stop.signal,
  );
}

const FROZEN = '[[0, sched.gauges, { role: decode, values: all 0 }], [0, sched.freeze, { role: decode }]]';
const verdicts = (diagnosis: Diagnosis) => diagnosis.fronts.map((front) => front.verdict);
/** Each question and what came of it. */
const shown = (diagnosis: Diagnosis) =>
  diagnosis.experiment?.cells.map((cell) => `${cell.whose}${cell.stream === false ? ' whole' : ''} ${cell.tries.map((one) => one.outcome)}`);

describe('a diagnosis of a simulated stack', () => {
  it('finds nothing wrong where nothing is, having asked everything', async () => {
    const found = await run(await simulate('[]'));
    expect(found).toMatchObject({ verdict: 'ok', exitCode: 0, conclusion: { kind: 'none-hangs', confidence: 'high' }, unknown: [] });
    expect(shown(found)).toEqual([
      'own ok,ok',
      'sibling ok,ok',
      'nonsense ok',
      'own whole ok,ok',
      'own ok,ok',
      'sibling ok,ok',
      'nonsense ok',
      'own whole ok,ok',
    ]);
    expect(found.engines.map((engine) => engine.verdict)).toEqual(['ok', 'ok']);
  });

  it('says hanging at decode, systemic, by two chats for each front-end and no more, when decode stands still', async () => {
    const found = await run(await simulate(FROZEN));
    expect(found).toMatchObject({ verdict: 'hanging', exitCode: 20, conclusion: { kind: 'systemic', confidence: 'high' } });
    for (const front of found.fronts) expect(front).toMatchObject({ verdict: 'hanging', place: { kind: 'decode', inferred: false } });
    for (const { id = '' } of found.experiment?.targets ?? []) {
      const tries = found.experiment?.cells.filter((cell) => cell.target === id).flatMap((cell) => cell.tries);
      expect(tries?.map((one) => one.late)).toEqual([true, true]);
    }
    expect(found.unknown.join()).toMatch(/what comes of a nonsense id, a whole answer: not asked/);
    const decode = found.engines.find((engine) => engine.counters.some((line) => line.words === 'scheduler last spoke, s' && (line.end ?? 0) > 10));
    expect(decode).toMatchObject({ verdict: 'hanging' });
  });

  it('names the one front-end that does not forward', async () => {
    const found = await run(await simulate('[[0, fe.hang, router]]'));
    expect(verdicts(found)).toEqual(['hanging', 'ok']);
    expect(found).toMatchObject({ exitCode: 20, conclusion: { kind: 'one-front-end' }, fronts: [{ place: { kind: 'front-end' } }, {}] });
  });

  it('takes a second chat with the own id for the second witness, where there is one front-end alone', async () => {
    const found = await run(await simulate('[[0, fe.hang, router]]'), { only: 'router' });
    expect(found).toMatchObject({ verdict: 'hanging', conclusion: { kind: 'alone' } });
    expect(shown(found)).toEqual(['own zero-bytes,zero-bytes', 'nonsense ', 'own whole ']);
  });

  it('finds the name where foreign names are refused, and asks for each but once', async () => {
    const found = await run(await simulate('[[0, fe.unknown_model, { fe: router, answer: 404 }]]'));
    expect(found).toMatchObject({ verdict: 'ok', exitCode: 0, conclusion: { kind: 'name' } });
    expect(shown(found)).toContain('sibling rejected');
  });

  it('trap 05: finds a front-end that hangs on names it does not know', async () => {
    const found = await run(await simulate('[[0, fe.unknown_model, { fe: router, answer: hang }]]'));
    expect(verdicts(found)).toEqual(['degraded', 'ok']);
    expect(found).toMatchObject({ exitCode: 10, conclusion: { kind: 'hangs-on-unknown-names' } });
  });

  it('finds a missing key, and asks no more than that takes', async () => {
    const found = await run(await simulate('[[0, fe.key, { fe: router, required: true }]]'));
    expect(verdicts(found)).toEqual(['misconfigured', 'ok']);
    expect(found).toMatchObject({ exitCode: 40, fronts: [{ detail: 'key' }, {}], conclusion: { kind: 'fails', sentence: expect.stringContaining('401') } });
  });

  it('finds that the decode engine is gone, whatever its front-ends do then', async () => {
    const found = await run(await simulate('[[0, proc.kill, { role: decode }]]'));
    expect(found).toMatchObject({ verdict: 'down', exitCode: 30, fronts: [{ place: { kind: 'decode' } }, { place: { kind: 'decode' } }] });
  });

  it('reads an engine that is named although no list tells it', async () => {
    const simulation = await simulate('[[0, fe.key, { fe: router, required: true }]]');
    const found = await run(simulation, { only: 'router', engines: [urlOf(simulation, 'decode-0')] });
    expect(found.engines.map((engine) => engine.url)).toContain(urlOf(simulation, 'decode-0'));
  });

  it('sends no chat to an engine of a pair that was given as a front-end, and says what to name', async () => {
    const found = await run(await simulate('[]'), { only: 'prefill-0' });
    expect(found).toMatchObject({ verdict: 'unknown', exitCode: 50, fronts: [{ because: expect.stringContaining('name a front-end') }] });
    expect(found.experiment).toBeUndefined();
  });

  it('counts what an earlier run sent: after two had to be broken off none is sent, and until when is told', async () => {
    const simulation = await simulate(FROZEN);
    const file = join(folder, 'twice.json');
    await run(simulation, { only: 'router' }, undefined, memoryIn(file, clock.now));
    const again = await run(simulation, { only: 'router' }, undefined, memoryIn(file, clock.now));
    expect(again).toMatchObject({ verdict: 'unknown', exitCode: 50, conclusion: { kind: 'untried' } });
    expect(again.unknown.join()).toMatch(/an earlier run had to break off two; allowed again at 20/);
    const anyway = await run(simulation, { only: 'router' }, undefined, memoryIn(file, clock.now, true));
    expect(anyway.verdict).toBe('hanging');
  });

  it('can be ended early, with what is known by then', async () => {
    const found = await run(await simulate('[]'), {}, (progress, stop) => {
      if (progress.kind === 'experiment' && progress.experiment.progress.done >= 2) stop.abort();
    });
    expect(found).toMatchObject({ isCancelled: true, verdict: 'ok', experiment: { state: 'cancelled' }, conclusion: { kind: 'none-hangs' } });
  });
});

describe('the words of a diagnosis', () => {
  it('fit 80 columns without colour, the verdict last', async () => {
    const found = await run(await simulate(FROZEN));
    const lines = written(found, 'text', { isColoured: false }).split('\n');
    expect(lines.filter((line) => line.length > 79)).toEqual([]);
    expect(lines.join('')).not.toContain('\x1b');
    expect(lines.at(-1)).toMatch(/^HANGING at decode .* \(2 of 2 front-ends\)$/);
    expect(written(found, 'markdown', { isColoured: false })).toMatch(/```sh\n# .*\ncurl /);
    expect(JSON.parse(written(found, 'json', { isColoured: false }))).toMatchObject({ exitCode: 20 });
  });
});
