import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { forSeed, type Step } from '@/lib/scenarios/scenario';
import { Child } from './child';
import { type Exec, startExec } from './exec';
import type { FromWatcher, ToWatcher } from './messages';
import { type Harm, NO_HARM, type Run } from './outcome';
import type { Chosen } from './plan';
import { ready } from './ready';
import { standingConfig } from './standing-config';

type Watcher = Child<ToWatcher, FromWatcher>;

/** A chat counts against the ten seconds before it as the other side would count them: the way there is not always equally long. */
const TEN_S = 9.8;

/** Does what a scenario file tells to a stack that exists, and watches it meanwhile with the product's own collector and detector, in real time. `folder`: our built files; `out`: where the commands' log goes. */
export async function runStanding({ scenario: given, file, seed }: Chosen & { seed: number }, folder: string, out: string): Promise<Run> {
  const began = performance.now();
  const scenario = forSeed(given, seed);
  mkdirSync(out, { recursive: true });
  const exec = startExec(dirname(resolve(file)), resolve(out, `${scenario.id}.log`));
  const run: Run = {
    scenario,
    seed,
    speed: 1,
    loads: 'snapshot',
    pace: { kind: 'sockets', scale: 1 },
    lines: [],
    chats: [],
    harm: { ...NO_HARM },
    lags: [],
    pauses: [],
    baselines: {},
    realSeconds: 0,
  };
  try {
    await play(run, exec, file, folder);
  } catch (error) {
    run.failed = error instanceof Error ? error.message : String(error);
  } finally {
    const troubles = await exec.end();
    if (troubles.length > 0) run.failed = [run.failed, ...troubles].filter(Boolean).join('; ');
  }
  run.realSeconds = (performance.now() - began) / 1000;
  return run;
}

async function play(run: Run, exec: Exec, file: string, folder: string): Promise<void> {
  const { scenario } = run;
  const config = standingConfig(scenario, file);
  for (const step of scenario.traits.filter((one) => one.action === 'exec')) {
    const { code, tail } = await exec.act(step).ended;
    if (code !== 0) throw new Error(`"${String(step.args.command)}" ended with ${code} before the run: ${tail}`);
  }
  await ready(scenario.standing?.frontEnds ?? []);
  const watcher: Watcher = new Child(join(folder, 'bench/watch.mjs'));
  const trouble = watcher.trouble();
  trouble.promise.catch(() => undefined);
  try {
    await watcher.next('loaded');
    const startedAt = Date.now();
    const told = (wall: number) => (wall - startedAt) / 1000;
    watcher.on((m) => m.kind === 'line' && run.lines.push({ s: told(m.now), ...m.line }));
    watcher.send({ kind: 'watch', config });
    await Promise.race([timeline(run, exec, watcher, told), trouble.promise]);
    watcher.send({ kind: 'finish' });
    const seen = await watcher.next('finished');
    run.chats = seen.chats.map(({ now, ...chat }) => ({ sentS: told(now), ...chat }));
    run.lags = seen.lags.map(({ from, to, share }) => ({ fromS: told(from), toS: told(to), share }));
    run.harm = ownAccount(run);
  } finally {
    trouble.leave();
    watcher.kill();
  }
}

/** Settles when the told time is over; fails when a command does. */
function timeline({ scenario, pauses }: Run, exec: Exec, watcher: Watcher, told: (wall: number) => number): Promise<void> {
  const timers: NodeJS.Timeout[] = [];
  const played = new Promise<void>((done, fail) => {
    const undos: (() => void)[] = [];
    const after = (s: number, work: () => void) => timers.push(setTimeout(work, s * 1000));
    const begin = (step: Step) => {
      console.error(`  ${scenario.id} +${step.at} s ${step.action} ${String(step.args.command ?? step.args.seconds ?? '')}`);
      if (step.action === 'dash.pause') pause(Number(step.args.seconds), after);
      if (step.action !== 'exec') return;
      if (step.args.off === true) return undos.pop()?.();
      const deed = exec.act(step);
      undos.push(deed.undo);
      deed.ended.then(({ code, tail }) => {
        if (code !== 0) fail(new Error(`"${String(step.args.command)}" ended with ${code}: ${tail}`));
      });
      if (typeof step.args.for === 'number') after(step.args.for, deed.undo);
    };
    for (const step of scenario.timeline) after(step.at, () => begin(step));
    after(scenario.lasts, done);
  });
  return played.finally(() => {
    for (const timer of timers) clearTimeout(timer);
  });

  function pause(seconds: number, after: (s: number, work: () => void) => void) {
    const fromS = told(Date.now());
    watcher.stop();
    after(seconds, () => {
      watcher.continue();
      pauses.push({ fromS, toS: told(Date.now()) });
    });
  }
}

/** A stack that we did not make counts nothing for us: what we did to it is told by our own books. */
function ownAccount({ lines, chats }: Run): Harm {
  const fronts = lines.flatMap((line) => line.fronts);
  const most = (values: readonly number[]) => Math.max(0, ...values);
  return {
    unfinished: most(fronts.map((front) => front.unfinished)),
    perTenSeconds: most(
      chats.map((one) => chats.filter((each) => each.front === one.front && each.sentS <= one.sentS && one.sentS - each.sentS < TEN_S).length),
    ),
    abortsPerTenMinutes: most(fronts.map((front) => front.aborts)),
    controlCallsAtOnce: most(lines.map((line) => line.controlCalls)),
  };
}
