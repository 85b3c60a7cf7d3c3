import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '@/lib/config';
import { type Config, DEFAULTS, type TargetConfig } from '@/lib/model/config';
import { forSeed, type Scenario, type Step } from '@/lib/scenarios/scenario';
import type { StandingPart } from '@/lib/scenarios/standing';
import { type Exec, startExec } from './exec';
import { ready } from './ready';
import type { Line, Run, RunOptions } from './run';

type FromWatch =
  | { kind: 'loaded' }
  | { kind: 'line'; now: number; line: Omit<Line, 's'> }
  | ({ kind: 'harm' } & Pick<Run, 'harm' | 'firstLateSent' | 'deadlinesMs'>);

/** Does what a scenario file tells to a stack that exists, and watches it meanwhile with the product's own collector and detector, in real time. */
export async function runStanding({ scenario: given, file, seed, out: folder }: RunOptions & { out: string }): Promise<Run> {
  const scenario = forSeed(given, seed);
  mkdirSync(folder, { recursive: true });
  const exec = startExec(dirname(resolve(file)), resolve(folder, `${scenario.id}.log`));
  const run = blank(scenario, seed);
  try {
    await play(run, exec, file);
  } catch (error) {
    run.failed = error instanceof Error ? error.message : String(error);
  } finally {
    const troubles = await exec.end();
    if (troubles.length > 0) run.failed = [run.failed, ...troubles].filter(Boolean).join('; ');
  }
  return run;
}

async function play(run: Run, exec: Exec, file: string) {
  const { scenario } = run;
  const config = configOf(scenario, file);
  for (const step of scenario.traits.filter((one) => one.action === 'exec')) {
    const { code, tail } = await exec.act(step).ended;
    if (code !== 0) throw new Error(`"${String(step.args.command)}" ended with ${code} before the run: ${tail}`);
  }
  await ready(scenario.standing?.frontEnds ?? []);
  const watcher = fork(fileURLToPath(new URL('./watch.ts', import.meta.url)), [], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const timers: NodeJS.Timeout[] = [];
  try {
    await once(watcher, 'message');
    const startedAt = Date.now();
    const told = (wall: number) => (wall - startedAt) / 1000;
    watcher.on('message', (m: FromWatch) => {
      if (m.kind === 'line') run.lines.push({ s: told(m.now), ...m.line });
      if (m.kind === 'line') run.worstLagMs = Math.max(run.worstLagMs, m.line.lagMs);
    });
    watcher.send(config);
    await Promise.race([timeline(scenario, exec, watcher, timers), once(watcher, 'exit').then(() => Promise.reject(new Error('the watcher died')))]);
    watcher.removeAllListeners('message');
    watcher.send({ kind: 'finish' });
    const [said] = (await once(watcher, 'message')) as [FromWatch];
    if (said.kind !== 'harm') return;
    run.harm = said.harm;
    run.deadlinesMs = said.deadlinesMs;
    for (const [name, wall] of Object.entries(said.firstLateSent)) run.firstLateSent[name] = told(wall);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    watcher.kill('SIGKILL');
  }
}

/** Settles when the told time is over; fails when a command does. */
function timeline(scenario: Scenario, exec: Exec, watcher: ChildProcess, timers: NodeJS.Timeout[]): Promise<void> {
  return new Promise((done, fail) => {
    const undos: { step: Step; undo: () => void }[] = [];
    const after = (s: number, work: () => void) => timers.push(setTimeout(work, s * 1000));
    const begin = (step: Step) => {
      console.error(`  ${scenario.id} +${step.at} s ${step.action} ${String(step.args.command ?? step.args.seconds ?? '')}`);
      if (step.action === 'dash.pause') {
        watcher.kill('SIGSTOP');
        after(Number(step.args.seconds), () => watcher.kill('SIGCONT'));
      }
      if (step.action !== 'exec') return;
      if (step.args.off === true) return undos.pop()?.undo();
      const deed = exec.act(step);
      undos.push({ step, undo: deed.undo });
      deed.ended.then(({ code, tail }) => {
        if (code !== 0) fail(new Error(`"${String(step.args.command)}" ended with ${code}: ${tail}`));
      });
      if (typeof step.args.for === 'number') after(step.args.for, deed.undo);
    };
    for (const step of scenario.timeline) after(step.at, () => begin(step));
    after(scenario.lasts, done);
  });
}

function configOf(scenario: Scenario, file: string): Config {
  const { config: path, frontEnds = [], engines = [] } = scenario.standing ?? {};
  if (path !== undefined) {
    const loaded = loadConfig({ argv: ['--config', resolve(dirname(file), path)], env: process.env, cwd: process.cwd() });
    if ('errors' in loaded) throw new Error(loaded.errors.join('; '));
    return loaded.config;
  }
  return {
    stacks: [{ id: 'bench', name: 'bench', targets: [...frontEnds, ...engines].map((part) => targetOf(part, scenario)) }],
    probe: { ...DEFAULTS.probe },
    scrape: { ...DEFAULTS.scrape },
    listen: { ...DEFAULTS.listen },
    data: '',
    retention: { ...DEFAULTS.retention },
    source: 'the bench runner',
    timeScale: 1,
  };
}

function targetOf({ name, url, metricsUrl, model }: StandingPart, scenario: Scenario): TargetConfig {
  const wrong = [...scenario.traits, ...scenario.timeline].find((step) => step.action === 'dash.model' && step.args.fe === name)?.args.id;
  const id = wrong ?? model;
  return {
    id: `bench.${name}`.toLowerCase().replace(/[^a-z0-9.]+/g, '-'),
    name,
    url,
    headers: {},
    probe: true,
    ...(metricsUrl === undefined ? {} : { metricsUrl }),
    ...(id === undefined ? {} : { model: String(id) }),
  };
}

function blank(scenario: Scenario, seed: number): Run {
  return {
    scenario,
    seed,
    speed: 1,
    scale: 1,
    lines: [],
    firstLateSent: {},
    deadlinesMs: {},
    harm: { unfinished: 0, perTenSeconds: 0, abortsPerTenMinutes: 0, controlCallsAtOnce: 0 },
    rename: {},
    worstLagMs: 0,
  };
}
