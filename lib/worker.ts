import { parentPort, workerData } from 'node:worker_threads';
import { type Collector, startCollector } from '@/lib/collector/collector';
import { createDetector } from '@/lib/detector/detector';
import { dialects } from '@/lib/dialects';
import { realClock } from '@/lib/io/clock';
import { deliver } from '@/lib/io/deliver';
import type { Command, CommandAnswer } from '@/lib/model/command';
import type { Config } from '@/lib/model/config';
import type { Dialect } from '@/lib/model/dialect';
import type { Experiment } from '@/lib/model/experiment';
import type { Effect, Incident } from '@/lib/model/incident';
import type { Observation } from '@/lib/model/observation';
import type { Target } from '@/lib/model/target';
import { notifiers } from '@/lib/notifiers';
import { openOrForget } from '@/lib/stores/or-forget';

/** What the main thread hands over at start. */
export type WorkerStart = { config: Config; build: string; restarts: number };

/** Main thread to worker. */
export type ToWorker = { kind: 'command'; id: number; command: Command } | { kind: 'close' };

/** Worker to main thread: the snapshot as JSON once a second, answers, and the last word. */
export type FromWorker = { kind: 'frame'; json: string } | { kind: 'answer'; id: number; answer: CommandAnswer } | { kind: 'closed' };

const RETAIN_EVERY_TICKS = 300;
/** Without a disk: how often it is tried again, and how much is remembered meanwhile. */
const REOPEN_EVERY_TICKS = 60;
const FORGET_MS = 60_000;
const RECALL_MS = 900_000;
/** An incident outlives a restart of ours that is not longer than this. */
const GOES_ON_MS = 120_000;

if (parentPort) run(workerData as WorkerStart, (message) => parentPort?.postMessage(message));

/** Wire stores, detector and collector together; the only meeting point of I/O and thought is `ingest`. */
function run({ config, build, restarts }: WorkerStart, tell: (message: FromWorker) => void) {
  const clock = realClock(config.timeScale);
  let { store, notKept: forgotten } = openOrForget(config.data);
  const lastShown = store.span()?.to;
  let notKept = forgotten;
  if (forgotten !== undefined) console.error(`wedgewatch: ${forgotten}`);
  const left = store.incidents({ limit: 50 }).filter((i) => i.closedAt === undefined);
  const goesOn = lastShown !== undefined && clock.now() - lastShown < GOES_ON_MS;
  for (const incident of goesOn ? [] : left) store.putIncident({ ...incident, closedAt: lastShown ?? incident.openedAt });
  const detector = createDetector({ config, build, proves, open: goesOn ? left : [] });
  const collector: Collector = startCollector(config, { observe: ingest, experiment: keepExperiment, deadline: detector.deadline, earlier }, clock);
  parentPort?.on(
    'message',
    (message: ToWorker) => void (message.kind === 'close' ? close() : tell({ kind: 'answer', id: message.id, answer: obey(message.command) })),
  );

  const recalled = new Set<string>();

  /** What was known before a restart of ours is still a fact: the chats of the last minutes are told to the detector anew, the sockets of those still out are gone. */
  function recall(stack: string, targets: readonly Target[], now: number) {
    if (recalled.has(stack)) return;
    recalled.add(stack);
    if (lastShown !== undefined && now - lastShown < RECALL_MS) ingest({ kind: 'absent', at: now, from: lastShown });
    for (const { id } of targets)
      for (const p of store.probes({ target: id, from: now - RECALL_MS, limit: 40 }).reverse())
        if (p.proves === 'service' && p.purpose !== 'experiment' && (p.exchange.ended || p.late))
          detector.step({ kind: 'probe', at: now, result: { ...p, exchange: { ...p.exchange, ended: true } } });
  }

  /** The budgets of a front-end outlive us: what we sent it before a restart still counts. */
  function earlier(target: string) {
    if (lastShown === undefined) return undefined;
    const chats = store.probes({ target, from: clock.now() - RECALL_MS, limit: 200 }).filter((p) => p.proves === 'service');
    return { chats, endedAt: lastShown };
  }

  function ingest(o: Observation) {
    if (o.kind === 'scrape') store.append(o.target, o.at, o.samples);
    if (o.kind === 'probe') store.putProbe(o.result);
    for (const effect of detector.step(o)) perform(effect);
    if (o.kind === 'topology') recall(o.stack, o.targets, o.at);
    if (o.kind === 'self') publish(o.at, o.self.tick);
  }

  /** Kept with the incident that is open while it runs, or was at its start. */
  function keepExperiment(e: Experiment) {
    const incident = detector.snapshot()?.stacks.find((stack) => stack.id === e.stack)?.incident?.id ?? store.experiment(e.id)?.incident;
    store.putExperiment({ ...e, ...(incident === undefined ? {} : { incident }) });
  }

  function perform(effect: Effect) {
    if (effect.kind === 'probe') collector.requestProbe(effect.target, effect.purpose, effect.because);
    else if (effect.kind === 'look') collector.look(effect.target);
    else if (effect.kind === 'event') store.putEvent(effect.event);
    else {
      store.putIncident(effect.incident);
      if (config.webhook && effect.change !== 'updated') void tellOutside(config.webhook, effect.change === 'opened' ? 'opened' : 'cleared', effect.incident);
    }
  }

  async function tellOutside(to: NonNullable<Config['webhook']>, change: 'opened' | 'cleared', incident: Incident) {
    const delivery = await deliver(notifiers.webhook.request(change, incident, to), clock);
    if (!delivery.accepted) console.error(`wedgewatch: the webhook did not take "${change}" of ${incident.id} after ${delivery.tries} tries: ${delivery.why}`);
  }

  function publish(at: number, tick: number) {
    const snapshot = detector.snapshot();
    if (!snapshot) return;
    snapshot.self.restarts = restarts;
    if (notKept) snapshot.self.sentence = notKept;
    tell({ kind: 'frame', json: JSON.stringify(snapshot) });
    keep(() => {
      store.putSnapshot(snapshot);
      store.flush();
      if (forgotten !== undefined) return tick % REOPEN_EVERY_TICKS === 0 ? reopen(at) : undefined;
      if (tick % RETAIN_EVERY_TICKS === 0) store.retain(at, config.retention);
    });
  }

  /** The disk may have been mended; until then only the last minute is remembered. */
  function reopen(at: number) {
    const next = openOrForget(config.data);
    forgotten = next.notKept;
    if (forgotten === undefined) store = next.store;
    else store.retain(at, { ageMs: FORGET_MS, bytes: Number.POSITIVE_INFINITY });
  }

  /** A full disk must not blind the screen: what is known is told first, and that it is not being kept is told with it. */
  function keep(write: () => void) {
    try {
      write();
      notKept = forgotten;
    } catch (error) {
      const words = `history is not being kept: ${error instanceof Error ? error.message : String(error)}`;
      if (words !== notKept) console.error(`wedgewatch: ${words}`);
      notKept = words;
    }
  }

  function obey(command: Command): CommandAnswer {
    switch (command.kind) {
      case 'experiment':
        return collector.experiment(command);
      case 'cancel-experiment':
        return collector.cancelExperiment(command.id);
      case 'pause':
        collector.pause(command.target, clock.now() + command.forMs, command.by);
        return { ok: true };
      case 'resume':
        collector.resume(command.target, command.by);
        return { ok: true };
    }
  }

  async function close() {
    await collector.stop();
    keep(() => {
      store.flush();
      store.close();
    });
    tell({ kind: 'closed' });
    parentPort?.close();
  }
}

function proves(target: Target, path: string): string {
  const all: Partial<Record<string, Dialect>> = dialects;
  return all[target.kind]?.health.find((h) => h.path === path)?.proves ?? 'An HTTP answer, nothing more.';
}
