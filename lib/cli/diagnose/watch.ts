import { type Collector, startCollector } from '@/lib/collector/collector';
import { defaultConfig } from '@/lib/config';
import { createDetector } from '@/lib/detector/detector';
import { isHang, isPlain } from '@/lib/experiment/shown';
import type { Clock } from '@/lib/io/clock';
import type { Experiment } from '@/lib/model/experiment';
import type { Observation } from '@/lib/model/observation';
import type { Snapshot } from '@/lib/model/snapshot';
import type { Target, TargetId } from '@/lib/model/target';
import type { ListedWorker, ModelList } from '@/lib/model/topology';
import type { Options } from './args';
import { counterBook } from './counters';
import type { Memory } from './memory';
import { type Given, STACK } from './targets';

const GAP_MS = 10_000;

/** Collector and detector on the addresses given, as the dashboard joins them, for one experiment. */
export type Watch = {
  collector: Collector;
  counters: ReturnType<typeof counterBook>;
  snapshot(): Snapshot | undefined;
  experiment(): Experiment | undefined;
  target(id: TargetId): Target | undefined;
  targets(): readonly Target[];
  models(id: TargetId): ModelList | undefined;
  workers(id: TargetId): { workers: ListedWorker[]; error?: string } | undefined;
};

export function watch(given: readonly Given[], options: Options, clock: Clock, memory: Memory, onExperiment: (experiment: Experiment) => void): Watch {
  const config = defaultConfig([{ id: STACK, name: STACK, targets: given.map((one) => one.config) }], { argv: [], cwd: process.cwd() }, 'the command line');
  const detector = createDetector({ config, build: 'diagnose' });
  const counters = counterBook();
  const models = new Map<TargetId, ModelList>();
  const workers = new Map<TargetId, { workers: ListedWorker[]; error?: string }>();
  let targets: readonly Target[] = [];
  let experiment: Experiment | undefined;
  const deadline = { firstTokenMs: options.timeoutMs, gapMs: GAP_MS, from: 'configured' as const };
  const collector = startCollector(config, { observe, experiment: take, deadline: () => deadline, earlier: (id) => memory.earlier(urlOf(id)) }, clock, {
    isVisit: true,
  });

  function urlOf(id: TargetId): string {
    return given.find((one) => one.config.id === id)?.config.url ?? '';
  }

  function take(told: Experiment): void {
    experiment = told;
    onExperiment(told);
  }

  function observe(o: Observation): void {
    counters.take(o);
    if (o.kind === 'probe' && o.result.purpose === 'experiment') memory.note(urlOf(o.result.target), o.result);
    if (o.kind === 'models') models.set(o.target, o.models);
    if (o.kind === 'workers') workers.set(o.target, { workers: o.workers, ...(o.error === undefined ? {} : { error: o.error }) });
    if (o.kind === 'topology') targets = o.targets;
    for (const effect of detector.step(asUsers(o, experiment, options.timeoutMs))) if (effect.kind === 'look') collector.look(effect.target);
  }

  return {
    collector,
    counters,
    snapshot: detector.snapshot,
    experiment: () => experiment,
    target: (id) => targets.find((target) => target.id === id),
    targets: () => targets,
    models: (id) => models.get(id),
    workers: (id) => workers.get(id),
  };
}

/**
 * The detector leaves experiments out, since foreign names are refused on purpose. A short streaming chat with the front-end's own id is what a
 * user sends, and so is one with a sibling's once its own has hung: these it judges, there are no others here.
 */
function asUsers(o: Observation, experiment: Experiment | undefined, timeoutMs: number): Observation {
  if (o.kind !== 'probe' || o.result.purpose !== 'experiment') return o;
  const { result } = o;
  const cells = experiment?.cells.filter((cell) => cell.target === result.target && isPlain(cell)) ?? [];
  const cell = cells.find((one) => one.model === result.model);
  const ownHung = cells.some((one) => one.whose === 'own' && one.tries.length > 0 && one.tries.every(isHang));
  const isUsers = cell?.whose === 'own' || (cell?.whose === 'sibling' && ownHung && result.outcome !== 'rejected');
  return isUsers && result.probe === 'chat' && result.deadlineMs === timeoutMs ? { ...o, result: { ...result, purpose: 'confirm' } } : o;
}
