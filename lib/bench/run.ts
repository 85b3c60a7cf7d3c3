import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Config } from '@/lib/model/config';
import { DEFAULTS } from '@/lib/model/config';
import type { Scenario } from '@/lib/scenarios/scenario';

/** One second of a run as the watcher published it; `s` told seconds since the scenario began. */
export type Line = {
  s: number;
  stack: { verdict: string; place: string; sentence: string };
  fronts: {
    name: string;
    verdict: string;
    place: string;
    detail?: string;
    phase?: string;
    rate?: [number, number];
    since: number;
    unfinished: number;
    aborts: number;
  }[];
  lagMs: number;
  top?: string;
};

/** What the watcher did to the stack. */
export type Harm = { unfinished: number; perTenSeconds: number; abortsPerTenMinutes: number; controlCallsAtOnce: number };

/** A finished run: what was shown each second, when the first hung chat was sent, and our own harm. */
export type Run = {
  scenario: Scenario;
  seed: number;
  speed: number;
  scale: number;
  lines: Line[];
  firstLateSent: Record<string, number>;
  deadlinesMs: Record<string, number>;
  harm: Harm;
  rename: Record<string, string>;
  worstLagMs: number;
  failed?: string;
};

export type RunOptions = { scenario: Scenario; file: string; seed: number; scale: number };

/** Speeds of the seeds in turn. */
const SPEEDS = [1, 0.5, 4];

type FromPlay =
  | { kind: 'loaded' }
  | {
      kind: 'ready';
      startedAt: number;
      targets: { name: string; kind: string; role: string; url: string; metricsUrl?: string }[];
      rename: Record<string, string>;
    }
  | { kind: 'dash'; action: string; args: Record<string, unknown> }
  | { kind: 'error'; message: string };
type FromWatch =
  | { kind: 'line'; now: number; line: Omit<Line, 's'> }
  | { kind: 'harm'; harm: Harm; firstLateSent: Record<string, number>; deadlinesMs: Record<string, number> };

/** Play one scenario over real sockets in one process and watch it from another. */
export async function run({ scenario, file, seed, scale }: RunOptions): Promise<Run> {
  const speed = SPEEDS[seed % SPEEDS.length] ?? 1;
  const out: Run = {
    scenario,
    seed,
    speed,
    scale,
    lines: [],
    firstLateSent: {},
    deadlinesMs: {},
    harm: { unfinished: 0, perTenSeconds: 0, abortsPerTenMinutes: 0, controlCallsAtOnce: 0 },
    rename: {},
    worstLagMs: 0,
  };
  const children: ChildProcess[] = [];
  try {
    const player = child('play.ts');
    const watcher = child('watch.ts');
    children.push(player, watcher);
    await Promise.all([nextMessage(player), nextMessage(watcher)]);
    player.send({ file, seed, speed, scale });
    const ready = await nextMessage(player);
    if (ready.kind !== 'ready') throw new Error(ready.kind === 'error' ? ready.message : 'the simulator did not start');
    out.rename = ready.rename;
    watcher.send(watchConfig(scenario, ready, scale));
    player.on('message', (m: FromPlay) => m.kind === 'dash' && dash(watcher, m.action, m.args, scale));
    const told = (wall: number) => ((wall - ready.startedAt) * scale) / 1000;
    watcher.on('message', (m: FromWatch) => {
      if (m.kind !== 'line') return;
      out.lines.push({ s: told(m.now), ...m.line });
      out.worstLagMs = Math.max(out.worstLagMs, m.line.lagMs);
    });
    await lasts(scenario.lasts - told(Date.now()), scale, children);
    watcher.removeAllListeners('message');
    const harm = once(watcher, 'message');
    watcher.send({ kind: 'finish' });
    const [said] = (await Promise.race([harm, once(watcher, 'exit')])) as [FromWatch];
    if (said?.kind === 'harm') {
      out.harm = said.harm;
      out.deadlinesMs = said.deadlinesMs;
      for (const [name, wall] of Object.entries(said.firstLateSent)) out.firstLateSent[name] = told(wall);
    }
  } catch (error) {
    out.failed = error instanceof Error ? error.message : String(error);
  } finally {
    for (const c of children) c.kill('SIGKILL');
  }
  return out;
}

/** Both sides have loaded their code before told time begins. */
function child(name: string): ChildProcess {
  return fork(fileURLToPath(new URL(`./${name}`, import.meta.url)), [], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

async function nextMessage(from: ChildProcess): Promise<FromPlay> {
  const died = once(from, 'exit').then(() => [{ kind: 'error', message: 'a process of the run ended at once' }]);
  const [message] = (await Promise.race([once(from, 'message'), died])) as [FromPlay];
  return message;
}

/** Ends when the told time is over or a child has died. */
async function lasts(seconds: number, scale: number, children: ChildProcess[]) {
  const over = new Promise((resolve) => setTimeout(resolve, Math.max(0, (seconds * 1000) / scale)));
  const died = Promise.race(children.map((c) => once(c, 'exit').then(() => Promise.reject(new Error('a process of the run died')))));
  await Promise.race([over, died]);
  died.catch(() => undefined);
}

function watchConfig(scenario: Scenario, ready: Extract<FromPlay, { kind: 'ready' }>, scale: number): Config {
  const wrong = scenario.traits.concat(scenario.timeline).filter((step) => step.action === 'dash.model' && step.at === 0);
  const targets = ready.targets.map((t) => {
    const model = wrong.find((step) => ready.rename[String(step.args.fe)] === t.name || step.args.fe === t.name)?.args.id;
    return {
      id: `bench.${t.name}`.toLowerCase().replace(/[^a-z0-9.]+/g, '-'),
      name: t.name,
      url: t.url,
      headers: {},
      probe: true,
      ...(t.metricsUrl ? { metricsUrl: t.metricsUrl } : {}),
      ...(model === undefined ? {} : { model: String(model) }),
    };
  });
  return {
    stacks: [{ id: 'bench', name: 'bench', targets }],
    probe: { ...DEFAULTS.probe },
    scrape: { ...DEFAULTS.scrape },
    listen: { ...DEFAULTS.listen },
    data: '',
    retention: { ...DEFAULTS.retention },
    source: 'the bench runner',
    timeScale: scale,
  };
}

/** The actions that happen to ourselves. */
function dash(watcher: ChildProcess, action: string, args: Record<string, unknown>, scale: number) {
  if (action === 'dash.pause') {
    watcher.kill('SIGSTOP');
    setTimeout(() => watcher.kill('SIGCONT'), (Number(args.seconds) * 1000) / scale);
  } else watcher.send({ kind: 'dash', action, args });
}
