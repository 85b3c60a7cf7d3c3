import type { Command, CommandAnswer } from '@/lib/model/command';
import type { Experiment, ExperimentCell, ExperimentTry } from '@/lib/model/experiment';
import type { ProbeResult } from '@/lib/model/probe';
import { takesChats } from '@/lib/model/target';
import { ask, mayAbort } from './budget';
import { modelOf } from './chat';
import { conclude } from './conclude';
import { type ChatRun, type Context, randomHex, type Watched } from './context';
import { sendChat } from './probe';

const LOOK_MS = 250;
/** A try that the budget has not let through for this long is left out, and the conclusion says so by its confidence. */
const GIVE_UP_MS = 45_000;
const MAX_TRIES = 5;
const MAX_MODELS = 8;

type Trial = { experiment: Experiment; cancel: AbortController; runs: { watched: Watched; run: ChatRun }[] };
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
      const cells = targets.flatMap((watched) => cellsOf(context, watched, command.models));
      const experiment: Experiment = {
        id: `x-${randomHex()}`,
        stack: command.stack,
        startedAt: context.clock.now(),
        state: 'running',
        progress: { done: 0, of: cells.length * tries },
        cells,
      };
      const trial: Trial = { experiment, cancel: new AbortController(), runs: [] };
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

/** Own id, each sibling's id that it does not list itself, and one that nobody serves. */
function cellsOf(context: Context, watched: Watched, asked: readonly string[] | undefined): ExperimentCell[] {
  const target = watched.target.id;
  const own = modelOf(watched) ?? 'default';
  const ownIds = new Set([own, ...(watched.models?.ids ?? [])]);
  const siblings = [...context.watched.values()].filter((other) => other !== watched && other.stack === watched.stack && takesChats(other.target));
  const theirs = siblings.map((sibling) => modelOf(sibling)).filter((id) => id !== undefined);
  const whose = (model: string): ExperimentCell['whose'] => (ownIds.has(model) ? 'own' : theirs.includes(model) ? 'sibling' : 'nonsense');
  const models = asked ?? [own, ...new Set(theirs.filter((id) => id !== own)), `no-such-model-${randomHex().slice(0, 8)}`];
  return [...new Set(models)].slice(0, MAX_MODELS).map((model) => ({ target, model, whose: model === own ? 'own' : whose(model), tries: [] }));
}

async function conduct(context: Context, trial: Trial, targets: readonly Watched[], tries: number): Promise<void> {
  const { experiment } = trial;
  const signal = AbortSignal.any([context.signal, trial.cancel.signal]);
  for (const watched of targets) watched.experiment = experiment.id;
  publish(context, experiment);
  try {
    await Promise.all(targets.map((watched) => onOne(context, trial, watched, tries, signal)));
    experiment.state = trial.cancel.signal.aborted ? 'cancelled' : 'done';
    if (experiment.state === 'done') experiment.conclusion = conclude(experiment.cells, (id) => context.watched.get(id)?.target.name ?? id);
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

/** All tries on one front-end, model ids taking turns, so that a change in the stack meets all ids alike. */
async function onOne(context: Context, trial: Trial, watched: Watched, tries: number, signal: AbortSignal): Promise<void> {
  const cells = trial.experiment.cells.filter((cell) => cell.target === watched.target.id);
  const own = cells.find((cell) => cell.whose === 'own');
  // chats that hang already with its own id are tries of that cell: asking again would only add to the pile
  const hanging = [...watched.runs.values()].map((run) => run.result()).filter((result) => result.late && result.model === own?.model);
  for (const result of hanging.slice(0, tries)) record(context, trial, own, result);
  for (let round = 0; round < tries; round++) {
    for (const cell of cells) {
      if (signal.aborted) return;
      if (cell.tries.length > round) continue;
      const run = await send(context, trial, watched, cell, signal);
      if (run === undefined) {
        trial.experiment.progress.done += 1;
        continue;
      }
      const result = await Promise.race([run.verdict, aborted(signal)]);
      if (result === undefined) return;
      record(context, trial, cell, result);
      // late is not lost: what ends before the trial does is told as it ended
      if (!result.exchange.ended) void run.ended.then((last) => amend(context, trial, cell, last));
    }
  }
}

async function send(context: Context, trial: Trial, watched: Watched, cell: ExperimentCell, signal: AbortSignal): Promise<ChatRun | undefined> {
  const { clock } = context;
  const giveUp = clock.monotonic() + GIVE_UP_MS;
  while (!signal.aborted) {
    const permit = ask(watched.budget, clock.monotonic(), 'experiment');
    if (permit.ok) {
      const hung = permit.close === undefined ? undefined : watched.runs.get(permit.close);
      hung?.close('closed-by-us');
      await hung?.ended;
      const run = sendChat(context, watched, { purpose: 'experiment', model: cell.model, experiment: trial.experiment.id });
      trial.runs.push({ watched, run });
      return run;
    }
    if (clock.monotonic() > giveUp || (permit.at !== undefined && permit.at > giveUp)) return undefined;
    await clock.sleep(LOOK_MS, signal);
  }
  return undefined;
}

function record(context: Context, trial: Trial, cell: ExperimentCell | undefined, result: ProbeResult): void {
  if (cell === undefined) return;
  cell.tries.push(tryOf(result));
  trial.experiment.progress.done += 1;
  publish(context, trial.experiment);
}

function amend(context: Context, trial: Trial, cell: ExperimentCell, last: ProbeResult): void {
  if (trial.experiment.state !== 'running') return;
  cell.tries = cell.tries.map((one) => (one.probe === last.id ? tryOf(last) : one));
  publish(context, trial.experiment);
}

function tryOf(result: ProbeResult): ExperimentTry {
  const { reading, exchange } = result;
  return {
    probe: result.id,
    outcome: result.outcome,
    late: result.late,
    ended: exchange.ended,
    ...(exchange.status === undefined ? {} : { status: exchange.status }),
    bytes: exchange.bytes,
    ...(reading?.ttftMs === undefined ? {} : { ttftMs: reading.ttftMs }),
    elapsedMs: exchange.elapsedMs,
    sentence: result.sentence,
  };
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

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
