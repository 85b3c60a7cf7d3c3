import { dialectOf } from '@/lib/dialects/recognise';
import type { Clock } from '@/lib/io/clock';
import type { Experiment } from '@/lib/model/experiment';
import { type Target, takesChats } from '@/lib/model/target';
import type { Options } from './args';
import type { Diagnosis } from './diagnosis';
import { found } from './found';
import type { Memory } from './memory';
import { type Given, recognise, STACK } from './targets';
import { type Watch, watch } from './watch';

/** What is told while it runs: a step in words, or the experiment as far as it has come. */
export type Progress = { kind: 'step'; words: string } | { kind: 'experiment'; experiment: Experiment };

const LOOK_MS = 100;
/** Kinds, model ids, worker lists and the first page of each engine come within this, or are not waited for. */
const BEFORE_MS = 9_000;
/** After the last chat: until the counters have told where it stops. */
const AFTER_MS = 7_000;

/** Run one controlled experiment on the addresses given. Ends early, with what is known by then, when `signal` says so; leaves no socket. */
export async function diagnose(options: Options, clock: Clock, memory: Memory, tell: (progress: Progress) => void, signal: AbortSignal): Promise<Diagnosis> {
  const at = clock.now();
  const began = clock.monotonic();
  tell({ kind: 'step', words: 'asking what answers there' });
  const given = await recognise(options, clock);
  const seen = watch(given, options, clock, memory, (experiment) => tell({ kind: 'experiment', experiment }));
  try {
    tell({ kind: 'step', words: 'reading model ids, worker lists and counters' });
    await until(() => isReady(given, seen), BEFORE_MS);
    const asked = given.filter((one) => one.isAsked && takesChats(seen.target(one.config.id) ?? NOBODY)).map((one) => one.config.id);
    if (asked.length > 0 && !signal.aborted) await conduct(asked);
    return found({ at, tookMs: clock.monotonic() - began, isCancelled: signal.aborted, given, seen, memory });
  } finally {
    await seen.collector.stop();
  }

  async function conduct(targets: string[]): Promise<void> {
    const { tries, whole, long } = options;
    const told = seen.collector.experiment({ kind: 'experiment', stack: STACK, targets, tries, whole, long });
    if (!told.ok) throw new Error(told.error);
    const cancel = () => void seen.collector.cancelExperiment(told.id ?? '');
    signal.addEventListener('abort', cancel, { once: true });
    while (seen.experiment()?.state === 'running') await clock.sleep(LOOK_MS);
    signal.removeEventListener('abort', cancel);
    if (signal.aborted) return;
    tell({ kind: 'step', words: 'reading the counters once more' });
    await until(() => isPlaced(seen, targets), AFTER_MS);
  }

  async function until(holds: () => boolean, limitMs: number): Promise<void> {
    const end = clock.monotonic() + limitMs;
    while (!holds() && clock.monotonic() < end && !signal.aborted) await clock.sleep(LOOK_MS, signal);
  }
}

const NOBODY: Pick<Target, 'role' | 'kind'> = { role: 'unknown', kind: 'unknown' };

/** Everything that answers has told its role, its ids and its workers, and every engine known a first page. */
function isReady(given: readonly Given[], seen: Watch): boolean {
  const members = seen.targets();
  if (members.length === 0) return false;
  return members.every((target) => {
    const isGiven = given.some((one) => one.config.id === target.id);
    const isSilent = given.some((one) => one.config.id === target.id && (one.seen.isSilent || !one.isAsked));
    // what was found by a worker list is recognised by and by
    if (isSilent || (target.kind === 'unknown' && isGiven)) return true;
    const dialect = dialectOf(target.kind);
    if (dialect === undefined) return isGiven;
    // a list that the schedulers answer is not waited for where another has told the engines
    const mayBeMissing = dialect.workersPath === undefined || (dialect.workersPath.control && hasEngines(members));
    if (takesChats(target)) return seen.models(target.id) !== undefined && (mayBeMissing || seen.workers(target.id) !== undefined);
    return target.role !== 'unknown' && seen.counters.wasAsked(target.id);
  });
}

function hasEngines(members: readonly Pick<Target, 'role'>[]): boolean {
  return members.some(({ role }) => role === 'prefill' || role === 'decode' || role === 'unified');
}

/** Each front-end has been judged, and who hangs has a place. */
function isPlaced(seen: Watch, targets: readonly string[]): boolean {
  const nodes = seen.snapshot()?.stacks.flatMap((stack) => stack.nodes) ?? [];
  return targets.every((id) => {
    const judgement = nodes.find((node) => node.id === id)?.judgement;
    if (judgement === undefined || judgement.verdict === 'unknown') return false;
    return !hasEngines(nodes) || judgement.verdict !== 'hanging' || (judgement.place !== undefined && judgement.place.kind !== 'none');
  });
}
