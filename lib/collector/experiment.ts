import { conclude } from '@/lib/experiment/conclude';
import { isPlain } from '@/lib/experiment/shown';
import type { Command, CommandAnswer } from '@/lib/model/command';
import type { Experiment, ExperimentCell } from '@/lib/model/experiment';
import type { ProbeResult } from '@/lib/model/probe';
import { takesChats } from '@/lib/model/target';
import { ask, LIMITS, mayAbort, mayLeave } from './budget';
import { cellsOf, nextCell, remaining, tryOf } from './cells';
import { type ChatRun, type Context, randomHex, type Watched } from './context';
import { sendChat } from './probe';

const LOOK_MS = 250;
/** A try that the budget has not let through for this long is left out, and the conclusion says so by its confidence. */
const GIVE_UP_MS = 45_000;
/** Somebody at a shell waits less; what still hangs may yet answer in it. */
const VISIT_GIVE_UP_MS = 8_000;
const MAX_TRIES = 5;

type Trial = { experiment: Experiment; tries: number; cancel: AbortController; runs: { watched: Watched; run: ChatRun }[] };
type Start = Extract<Command, { kind: 'experiment' }>;

/** Experiments asked for by a person: front-ends x model ids, interleaved, inside the probe budget. */
export function experiments(context: Context): { start(command: Start): CommandAnswer; cancel(id: string): CommandAnswer } {
  const running = new Map<string, Trial>();
  return {
    start(command) {
      const members = command.targets.map((id) => context.watched.get(id));
      const wrong = refusal(context, command, members);
      if (wrong !== undefined) return { ok: false, error: wrong };
      const targets = members.filter((watched) => watched !== undefined);
      const tries = Math.min(MAX_TRIES, Math.max(1, Math.round(command.tries ?? 2)));
      const cells = targets.flatMap((watched) => cellsOf(context, watched, command));
      const experiment: Experiment = {
        id: `x-${randomHex()}`,
        stack: command.stack,
        startedAt: context.clock.now(),
        state: 'running',
        progress: { done: 0, of: cells.length * tries },
        targets: targets.map(({ target: { id, name, url } }) => ({ id, name, url })),
        cells,
      };
      const trial: Trial = { experiment, tries, cancel: new AbortController(), runs: [] };
      running.set(experiment.id, trial);
      void conduct(context, trial, targets, tries).finally(() => running.delete(experiment.id));
      return { ok: true, id: experiment.id };
    },
    cancel(id) {
      const trial = running.get(id);
      if (trial === undefined) return { ok: false, error: `no experiment ${id} is running` };
      trial.cancel.abort();
      return { ok: true, id };
    },
  };
}

function refusal(context: Context, command: Start, members: readonly (Watched | undefined)[]): string | undefined {
  if (!context.config.probe.enabled) return 'probing is switched off (--no-probe)';
  if (members.length === 0) return 'name at least one front-end';
  for (const [index, watched] of members.entries()) {
    const id = command.targets[index] ?? '';
    if (watched === undefined || watched.stack !== command.stack) return `${id} is no target of stack ${command.stack}`;
    if (!takesChats(watched.target) || !watched.target.probed) return `${id} takes no chats from us`;
    if (watched.experiment !== undefined) return `experiment ${watched.experiment} is running on ${id}`;
    if (watched.paused !== undefined) return `probing of ${id} is paused by ${watched.paused.by}`;
  }
  return undefined;
}

async function conduct(context: Context, trial: Trial, targets: readonly Watched[], tries: number): Promise<void> {
  const { experiment } = trial;
  const signal = AbortSignal.any([context.signal, trial.cancel.signal]);
  for (const watched of targets) watched.experiment = experiment.id;
  publish(context, experiment);
  try {
    await Promise.all(targets.map((watched) => onOne(context, trial, watched, tries, signal)));
    experiment.state = trial.cancel.signal.aborted ? 'cancelled' : 'done';
    experiment.conclusion = conclude(experiment.cells, (id) => context.watched.get(id)?.target.name ?? id);
  } catch (error) {
    experiment.state = 'failed';
    console.error(`collector: experiment ${experiment.id}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    for (const watched of targets) watched.experiment = undefined;
    experiment.endedAt = context.clock.now();
    if (!context.signal.aborted) publish(context, experiment);
    // tries that still hang after a whole trial are patient like every other probe: each abort may harm (SC-06)
    if (trial.cancel.signal.aborted) for (const { watched, run } of trial.runs) closeSoon(context, watched, run);
  }
}

/** All tries on one front-end, one after the other; ends early when the budget leaves no room. */
async function onOne(context: Context, trial: Trial, watched: Watched, tries: number, signal: AbortSignal): Promise<void> {
  const cells = trial.experiment.cells.filter((cell) => cell.target === watched.target.id);
  const own = cells.find((cell) => cell.whose === 'own' && isPlain(cell));
  // chats that hang already with its own id are tries of that cell: asking again would only add to the pile
  const hanging = [...watched.runs.values()].map((run) => run.result()).filter((result) => result.late && result.model === own?.model && result.stream);
  for (const result of hanging.slice(0, tries)) record(context, trial, own, result);
  for (;;) {
    const cell = nextCell(cells, tries, context.isVisit === true);
    const run = cell === undefined || signal.aborted ? undefined : await send(context, trial, watched, cell, signal);
    if (run === undefined || cell === undefined) return;
    const result = await unless(signal, run.verdict);
    if (result === undefined) return;
    record(context, trial, cell, result);
    // late is not lost: what ends before the trial does is told as it ended
    if (!result.exchange.ended) void run.ended.then((last) => amend(context, trial, cell, last));
  }
}

async function send(context: Context, trial: Trial, watched: Watched, cell: ExperimentCell, signal: AbortSignal): Promise<ChatRun | undefined> {
  const { clock } = context;
  const giveUp = patienceEnd(context, watched);
  while (!signal.aborted) {
    const now = clock.monotonic();
    const permit = ask(watched.budget, now, 'experiment');
    if (permit.ok && (!context.isVisit || mayLeave(watched.budget, now))) {
      const hung = permit.close === undefined ? undefined : watched.runs.get(permit.close);
      hung?.close('closed-by-us');
      await hung?.ended;
      const run = sendChat(context, watched, {
        purpose: 'experiment',
        model: cell.model,
        experiment: trial.experiment.id,
        ...(cell.stream === undefined ? {} : { stream: cell.stream }),
        ...(cell.prompt === undefined ? {} : { prompt: cell.prompt }),
      });
      trial.runs.push({ watched, run });
      return run;
    }
    if (now > giveUp || (!permit.ok && permit.at !== undefined && permit.at > giveUp)) return undefined;
    await clock.sleep(LOOK_MS, signal);
  }
  return undefined;
}

/** Until when a try is waited for: from the moment at which the spacing lets it through, or from now where the hung ones leave no room. */
function patienceEnd({ clock, isVisit, ports }: Context, { budget, target }: Watched): number {
  const now = clock.monotonic();
  // late by less than the deadline once more is slow, not lost
  if (isVisit && !mayLeave(budget, now)) return now + Math.min(VISIT_GIVE_UP_MS, ports.deadline(target.id).firstTokenMs);
  const spaced = (budget.sentAt.at(-1) ?? Number.NEGATIVE_INFINITY) + LIMITS.spacingMs;
  return Math.max(now, spaced) + (isVisit ? VISIT_GIVE_UP_MS : GIVE_UP_MS);
}

function record(context: Context, trial: Trial, cell: ExperimentCell | undefined, result: ProbeResult): void {
  if (cell === undefined) return;
  cell.tries.push(tryOf(result));
  cell.curl = result.curl;
  const { cells, progress } = trial.experiment;
  progress.done += 1;
  progress.of = progress.done + cells.reduce((sum, each) => sum + remaining(each, trial.tries), 0);
  publish(context, trial.experiment);
}

function amend(context: Context, trial: Trial, cell: ExperimentCell, last: ProbeResult): void {
  if (trial.experiment.state !== 'running') return;
  cell.tries = cell.tries.map((one) => (one.probe === last.id ? tryOf(last) : one));
  publish(context, trial.experiment);
}

/** A cancelled try is closed at once or, when that would be an abort too many, as soon as the budget allows. */
function closeSoon(context: Context, watched: Watched, run: ChatRun): void {
  if (run.result().exchange.ended || context.signal.aborted) return;
  const now = context.clock.monotonic();
  const permit = mayAbort(watched.budget, now, 0);
  if (permit.ok) {
    run.close('closed-by-us');
    return;
  }
  const stop = context.clock.after(permit.at - now + 1, () => closeSoon(context, watched, run));
  void run.ended.then(stop);
}

function publish(context: Context, experiment: Experiment): void {
  context.ports.experiment(structuredClone(experiment));
}

/** What comes, or undefined when the signal comes first. */
async function unless<T>(signal: AbortSignal, coming: Promise<T>): Promise<T | undefined> {
  let stop = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([coming, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
