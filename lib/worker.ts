import { parentPort, workerData } from 'node:worker_threads';
import { type Collector, startCollector } from '@/lib/collector/collector';
import { createDetector } from '@/lib/detector/detector';
import { software } from '@/lib/dialects/software';
import { realClock } from '@/lib/io/clock';
import { deliver } from '@/lib/io/deliver';
import type { Command, CommandAnswer } from '@/lib/model/command';
import type { Config } from '@/lib/model/config';
import type { Experiment } from '@/lib/model/experiment';
import { type Effect, type Incident, type IncidentChange, isShelved } from '@/lib/model/incident';
import type { Observation } from '@/lib/model/observation';
import type { Target } from '@/lib/model/target';
import { notifiers } from '@/lib/notifiers';
import type { Change } from '@/lib/notifiers/notifier';
import { openOrForget } from '@/lib/stores/or-forget';
import { keeper } from '@/lib/worker/keep';
import { pausesLeft } from '@/lib/worker/pauses';

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
  const earlierOnes = store.incidents({ limit: 50 });
  const left = earlierOnes.filter((i) => i.closedAt === undefined);
  const goesOn = lastShown !== undefined && clock.now() - lastShown < GOES_ON_MS;
  for (const incident of goesOn ? [] : left) store.putIncident({ ...incident, closedAt: lastShown ?? incident.openedAt });
  const detector = createDetector({ config, build, software, open: goesOn ? left : [], past: earlierOnes.filter((i) => i.closedAt !== undefined) });
  const keep = keeper(() => store);
  const pauses = pausesLeft(store, clock.now());
  const collector: Collector = startCollector(config, { observe: ingest, experiment: keepExperiment, deadline: detector.deadline, earlier }, clock);
  parentPort?.on(
    'message',
    (message: ToWorker) => void (message.kind === 'close' ? close() : tell({ kind: 'answer', id: message.id, answer: obey(message.command) })),
  );

  const recalled = new Set<string>();
  let marks = 0;

  /** What was known before a restart of ours is still a fact: the chats of the last minutes are told to the detector anew, the sockets of those still out are gone. */
  function recall(stack: string, targets: readonly Target[], now: number) {
    for (const { target, until, by } of pauses.take(targets.map((each) => each.id))) collector.pause(target, until, by);
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
      remember(effect.change, effect.incident);
      const change = told(effect.change, effect.incident);
      if (config.webhook && change) void tellOutside(config.webhook, change, effect.incident);
    }
  }

  function remember(change: IncidentChange, incident: Incident) {
    const snapshot = detector.snapshot();
    if (!snapshot || (change !== 'opened' && change !== 'closed')) return;
    writing(() => keep[change](incident, snapshot));
  }

  /** What those outside are told: nothing of an alarm that opens while it is shelved. */
  function told(change: IncidentChange, incident: Incident): Change | undefined {
    if (change === 'updated' || (change === 'opened' && isShelved(incident, clock.now()))) return undefined;
    return change === 'closed' ? 'cleared' : change;
  }

  async function tellOutside(to: NonNullable<Config['webhook']>, change: Change, incident: Incident) {
    const delivery = await deliver(notifiers.webhook.request(change, incident, to), clock);
    if (!delivery.accepted) console.error(`wedgewatch: the webhook did not take "${change}" of ${incident.id} after ${delivery.tries} tries: ${delivery.why}`);
  }

  function publish(at: number, tick: number) {
    const snapshot = detector.snapshot();
    if (!snapshot) return;
    snapshot.self.restarts = restarts;
    if (notKept) snapshot.self.sentence = notKept;
    tell({ kind: 'frame', json: JSON.stringify(snapshot) });
    writing(() => {
      keep.seen(snapshot);
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
  function writing(write: () => void) {
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
      case 'deed': {
        const incident = store.incident(command.incident);
        if (!incident) return { ok: false, error: 'that incident is no longer kept' };
        return kept(() => ingest({ kind: 'deed', at: clock.now(), incident, deed: command.deed }));
      }
      case 'mark': {
        const { at, until, stack, by, text } = command;
        const id = `mark-${clock.now().toString(36)}-${(marks++).toString(36)}`;
        return kept(() => store.putEvent({ id, at, ...(until === undefined ? {} : { until }), stack, kind: 'mark', by, sentence: text }), id);
      }
    }
  }

  /** What a person has said is durable before they are told so; it shows with the next frame. */
  function kept(write: () => void, id?: string): CommandAnswer {
    let failure: string | undefined = 'nothing was written';
    writing(() => {
      write();
      store.flush();
      failure = undefined;
    });
    return failure === undefined ? { ok: true, ...(id === undefined ? {} : { id }) } : { ok: false, error: notKept ?? failure };
  }

  async function close() {
    await collector.stop();
    writing(() => {
      store.flush();
      store.close();
    });
    tell({ kind: 'closed' });
    parentPort?.close();
  }
}
