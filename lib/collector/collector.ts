import { setMaxListeners } from 'node:events';
import { dialectOf } from '@/lib/dialects/recognise';
import type { Clock } from '@/lib/io/clock';
import { startHeartbeat } from '@/lib/io/lag';
import { sharedLookup } from '@/lib/io/lookup';
import { pageReader } from '@/lib/io/page';
import type { Command, CommandAnswer } from '@/lib/model/command';
import type { Config, TargetConfig } from '@/lib/model/config';
import type { LoopState } from '@/lib/model/observation';
import type { Target, TargetId } from '@/lib/model/target';
import { FRESH } from './budget';
import { chatLookMs, chatTurn, isProbed } from './chat';
import type { CollectorPorts, Context, Watched } from './context';
import { discoverEveryMs, discoverTurn } from './discover';
import { budgetAfter } from './earlier';
import { edgesOf } from './edges';
import { experiments } from './experiment';
import { factsTurn } from './facts';
import { healthEveryMs, healthPaths, healthTurn } from './health';
import { look } from './look';
import { type Loop, type LoopSpec, startLoop } from './loop';
import { startReference } from './reference';
import { loadsTurn, metricsUrls, scrapeTurn } from './scrape';
import { runSelf } from './self';

export type { CollectorPorts } from './context';

/** The running collector. */
export type Collector = {
  /** Send one probe at the first moment that the budget allows; any probe sent meanwhile fulfils it. */
  requestProbe(target: TargetId, purpose: 'confirm' | 'heal', because: string): void;
  /** Read an engine's pages out of turn; at most each 15 s. */
  look(target: TargetId): void;
  /** `until` in wall-clock ms; undefined: until resumed. */
  pause(target: TargetId, until: number | undefined, by: string): void;
  resume(target: TargetId, by: string): void;
  experiment(command: Extract<Command, { kind: 'experiment' }>): CommandAnswer;
  cancelExperiment(id: string): CommandAnswer;
  /** Ends every loop and closes every socket. */
  stop(): Promise<void>;
};

/** Start watching everything that is configured. `isVisit`: for one experiment; nothing but that sends a chat. */
export function startCollector(config: Config, ports: CollectorPorts, clock: Clock, { isVisit = false } = {}): Collector {
  const stopping = new AbortController();
  // every sleeping loop listens to it
  setMaxListeners(0, stopping.signal);
  const loops = new Map<TargetId | '', Loop[]>();
  const told = new Map<string, string>();
  const lookup = sharedLookup();
  const context: Context = {
    config,
    ports: { ...ports, observe: guarded(ports.observe) },
    clock,
    lag: startHeartbeat(clock),
    pages: pageReader(clock, lookup),
    lookup,
    isVisit,
    signal: stopping.signal,
    watched: new Map(),
    quiet: new Map(),
    live: new Set(),
    adopt,
    dismiss,
    announce,
  };
  const trials = experiments(context);
  const reference = startReference(context);
  for (const stack of config.stacks) {
    for (const target of stack.targets) watch(stack.id, target);
    // after this call has returned: who is told may want to ask something of the collector
    queueMicrotask(() => announce(stack.id));
  }
  const self = runSelf(context, allLoops, reference.last);

  return {
    requestProbe(target, purpose, because) {
      const watched = context.watched.get(target);
      if (watched === undefined || (watched.wanted?.purpose === 'heal' && purpose === 'confirm')) return;
      if (watched.wanted?.purpose !== purpose) watched.wanted = { purpose, because, at: clock.monotonic() };
    },
    look(target) {
      const watched = context.watched.get(target);
      if (watched !== undefined && !stopping.signal.aborted)
        void look(context, watched).catch((error: Error) => console.error(`collector: a look at ${target}: ${error.message}`));
    },
    pause(target, until, by) {
      const watched = context.watched.get(target);
      if (watched === undefined) return;
      watched.paused = until === undefined ? { by } : { until, by };
      context.ports.observe({ kind: 'paused', at: clock.now(), target, by, ...(until === undefined ? {} : { until }) });
    },
    resume(target, by) {
      const watched = context.watched.get(target);
      if (watched === undefined) return;
      watched.paused = undefined;
      context.ports.observe({ kind: 'paused', at: clock.now(), target, by, until: clock.now() });
    },
    experiment: trials.start,
    cancelExperiment: trials.cancel,
    async stop() {
      stopping.abort();
      for (const live of context.live) live.close('closed-by-us');
      await context.pages.close();
      await Promise.all([self, reference.done, ...[...loops.values()].flat().map((loop) => loop.done)]);
      context.lag.stop();
    },
  };

  function allLoops(): LoopState[] {
    return [...[...loops.values()].flat().map((loop) => loop.state()), reference.state()].filter((state) => state !== undefined);
  }

  function watch(stack: string, target: TargetConfig): void {
    const watched = watchedOf(stack, target, config.probe.enabled);
    const earlier = ports.earlier?.(target.id);
    if (earlier !== undefined) watched.budget = budgetAfter(earlier, { wall: clock.now(), mono: clock.monotonic() });
    context.watched.set(target.id, watched);
    loops.set(
      target.id,
      specsOf(context, watched).map((spec) => startLoop({ target: target.id, ...spec }, clock, AbortSignal.any([stopping.signal, watched.stop.signal]))),
    );
  }

  function adopt(stack: string, target: TargetConfig): void {
    if (context.watched.has(target.id) || stopping.signal.aborted) return;
    watch(stack, target);
  }

  function dismiss(id: TargetId): void {
    const watched = context.watched.get(id);
    watched?.stop.abort();
    for (const run of watched?.runs.values() ?? []) run.close('closed-by-us', true);
    context.watched.delete(id);
    loops.delete(id);
  }

  function announce(stack: string): void {
    const members = [...context.watched.values()].filter((watched) => watched.stack === stack);
    const targets = members.map((watched) => watched.target);
    const edges = edgesOf(members);
    const text = JSON.stringify([targets, edges]);
    if (told.get(stack) === text) return;
    told.set(stack, text);
    context.ports.observe({ kind: 'topology', at: clock.now(), stack, targets, edges });
  }
}

/** An observer that throws must not take a timer of ours down with it: told once per message, and we go on. */
function guarded(observe: CollectorPorts['observe']): CollectorPorts['observe'] {
  let said = '';
  return (observation) => {
    try {
      observe(observation);
    } catch (error) {
      const words = `collector: a ${observation.kind} observation was not taken: ${error instanceof Error ? error.message : String(error)}`;
      if (words !== said) console.error(words);
      said = words;
    }
  };
}

/** The loops of one target. Each looks at what the target is at that moment, so that one that became another is read anew. */
function specsOf(context: Context, watched: Watched): LoopSpec[] {
  const { scrape } = context.config;
  return [
    { name: 'discover', everyMs: () => discoverEveryMs, firstAfterMs: 0, run: () => discoverTurn(context, watched) },
    { name: 'metrics', everyMs: () => scrape.everyMs, isActive: () => metricsUrls(watched).length > 0, run: () => scrapeTurn(context, watched) },
    { name: 'loads', everyMs: () => scrape.loadsMs, isActive: () => watched.loads === 'polled', run: () => loadsTurn(context, watched) },
    {
      name: 'health',
      everyMs: () => healthEveryMs(context, watched),
      isActive: () => healthPaths(watched).length > 0,
      run: () => healthTurn(context, watched),
    },
    {
      name: 'facts',
      everyMs: () => scrape.modelsMs,
      isActive: () => dialectOf(watched.target.kind) !== undefined,
      run: factsTurn(context, watched),
    },
    { name: 'chat', everyMs: () => chatLookMs, isActive: () => isProbed(context, watched), run: chatTurn(context, watched) },
  ];
}

function watchedOf(stack: string, config: TargetConfig, isProbing: boolean): Watched {
  const foundBy = config.foundBy ?? 'config';
  const target: Target = {
    id: config.id,
    stack,
    name: config.name,
    url: config.url,
    kind: config.kind ?? 'unknown',
    role: config.role ?? 'unknown',
    known: [foundBy === 'port' ? 'fingerprint' : foundBy],
    probed: config.probe && isProbing,
    ...(config.model === undefined ? {} : { model: config.model }),
    ...(config.metricsUrl === undefined ? {} : { metricsUrl: config.metricsUrl }),
    ...(config.pid === undefined ? {} : { pid: config.pid }),
    ...(config.cmdline === undefined ? {} : { cmdline: config.cmdline }),
  };
  return { stack, config, target, stop: new AbortController(), loads: 'unasked', isSilent: false, budget: FRESH, runs: new Map() };
}
