import { startCollector } from '@/lib/collector/collector';
import { createDetector } from '@/lib/detector/detector';
import type { Clock } from '@/lib/io/clock';
import type { Config } from '@/lib/model/config';
import type { Observation } from '@/lib/model/observation';
import type { ProbeResult } from '@/lib/model/probe';
import { takesChats } from '@/lib/model/target';
import { type Judgement, placeName } from '@/lib/model/verdict';
import type { Chat, Line } from './outcome';

/** A moment as this process told it when it happened; whose clock that is, is the caller's business. */
export type Told<T> = T & { now: number };
export type ToldLine = Told<{ line: Omit<Line, 's'> }>;
export type ToldChat = Told<Omit<Chat, 'sentS'>>;
export type ToldLag = { from: number; to: number; share: number };
export type Watched = { chats: ToldChat[]; lags: ToldLag[] };

/** The product's own collector and detector, told what to watch and nothing else. */
export type Watching = {
  /** The wall clock steps, as a time server or a person makes it. */
  stepClock(seconds: number): void;
  /** Somebody changes the configured model id: the collector begins anew with it, as at a restart of ours. */
  setModel(front: string, id: string): Promise<void>;
  /** Ends every loop and tells what was sent. */
  finish(): Promise<Watched>;
};

/** A lag below this share of its deadline changes no judgement; only more is told. */
const TOLD_SHARE = 0.01;

/** `now` is the time by which lines and chats are told; `clock` is the product's. */
export function startWatching(config: Config, clock: Clock, now: () => number, publish: (line: ToldLine) => void): Watching {
  let stepMs = 0;
  const stepped: Clock = { ...clock, now: () => clock.now() + stepMs };
  const detector = createDetector({ config, build: 'bench' });
  const nameOf = new Map(config.stacks.flatMap((stack) => stack.targets.map((target) => [target.id, target.name] as const)));
  const sent = new Map<string, ToldChat>();
  const judged = new Set<string>();
  const lags: ToldLag[] = [];
  let current = config;
  const ports = { observe, experiment: () => undefined, deadline: detector.deadline };
  let collector = startCollector(current, ports, stepped);

  return {
    stepClock: (seconds) => {
      stepMs += seconds * 1000;
    },
    async setModel(front, id) {
      const withId = (target: Config['stacks'][number]['targets'][number]) => (target.name === front ? { ...target, model: id } : target);
      current = { ...current, stacks: current.stacks.map((stack) => ({ ...stack, targets: stack.targets.map(withId) })) };
      await collector.stop();
      collector = startCollector(current, ports, stepped);
    },
    async finish() {
      await collector.stop();
      return { chats: [...sent.values()], lags };
    },
  };

  function observe(observation: Observation) {
    for (const effect of detector.step(observation)) {
      if (effect.kind === 'probe') collector.requestProbe(effect.target, effect.purpose, effect.because);
      if (effect.kind === 'look') collector.look(effect.target);
    }
    if (observation.kind === 'probe' && observation.result.proves === 'service') note(observation.result);
    if (observation.kind === 'self') tell();
  }

  function note(result: ProbeResult) {
    const chat = sent.get(result.id) ?? { now: now(), front: nameOf.get(result.target) ?? result.target, deadlineS: result.deadlineMs / 1000, late: false };
    sent.set(result.id, chat);
    chat.late ||= result.late;
    if (result.outcome === 'pending' || judged.has(result.id)) return;
    // what comes after the verdict of a chat, late or not, could not have made it
    judged.add(result.id);
    const share = result.lagMs / result.deadlineMs;
    if (share > TOLD_SHARE) lags.push({ from: chat.now, to: now(), share });
  }

  function tell() {
    const snapshot = detector.snapshot();
    const stack = snapshot?.stacks[0];
    if (stack === undefined) return;
    publish({
      now: now(),
      line: {
        stack: { ...wordOf(stack.judgement), sentence: stack.sentence },
        fronts: stack.nodes
          .filter((node) => takesChats(node))
          .map((node) => ({
            name: node.name,
            ...wordOf(node.judgement),
            since: node.judgement.since,
            unfinished: node.budget?.unfinished ?? 0,
            aborts: node.budget?.aborts10min ?? 0,
            ...(node.judgement.phase ? { phase: node.judgement.phase } : {}),
          })),
        controlCalls: Math.max(0, ...stack.nodes.map((node) => node.budget?.controlCallsOut ?? 0)),
        lagMs: snapshot?.self.lagMs ?? 0,
        ...(stack.hypotheses[0] ? { top: stack.hypotheses[0].id } : {}),
      },
    });
  }
}

function wordOf(judgement: Judgement): Omit<Line['stack'], 'sentence'> {
  const { verdict, place, detail, rate } = judgement;
  return {
    verdict,
    place: place ? placeName(place) : 'none',
    ...(detail ? { detail } : {}),
    ...(rate ? { rate: [rate.low, rate.high] as [number, number] } : {}),
  };
}
