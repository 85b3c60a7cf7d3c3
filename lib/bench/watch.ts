import { startCollector } from '@/lib/collector/collector';
import { createDetector } from '@/lib/detector/detector';
import { realClock } from '@/lib/io/clock';
import type { Config } from '@/lib/model/config';
import type { Observation } from '@/lib/model/observation';
import { takesChats } from '@/lib/model/target';
import { placeName } from '@/lib/model/verdict';
import type { Harm, Line } from './run';

/** The watcher of one run: the product's own collector and detector, told what to watch and nothing else. */
process.once('message', (config: Config) => watch(config));
process.send?.({ kind: 'loaded' });

function watch(config: Config) {
  const clock = realClock(config.timeScale);
  const wallStart = Date.now();
  const toldStart = clock.now();
  const detector = createDetector({ config, build: 'bench' });
  const harm: Harm = { unfinished: 0, perTenSeconds: 0, abortsPerTenMinutes: 0, controlCallsAtOnce: 0 };
  const firstLateSent: Record<string, number> = {};
  const deadlinesMs: Record<string, number> = {};
  const sent = new Map<string, number[]>();
  const collector = startCollector(config, { observe, experiment: () => undefined, deadline: detector.deadline }, clock);
  process.on('message', (m: { kind: string }) => {
    if (m.kind === 'finish') process.send?.({ kind: 'harm', harm, firstLateSent, deadlinesMs });
  });

  /** Wall-clock ms of a told moment, for comparing with the simulator's own start. */
  const wall = (told: number) => wallStart + (told - toldStart) / config.timeScale;

  function observe(o: Observation) {
    for (const effect of detector.step(o)) {
      if (effect.kind === 'probe') collector.requestProbe(effect.target, effect.purpose, effect.because);
      if (effect.kind === 'look') collector.look(effect.target);
    }
    if (o.kind === 'probe' && o.result.proves === 'service')
      count(o.result.target, o.result.sentAt, o.result.late, o.result.outcome === 'pending', o.result.deadlineMs);
    if (o.kind === 'self') publish();
  }

  function count(target: string, sentAt: number, late: boolean, begins: boolean, deadlineMs: number) {
    if (late) {
      firstLateSent[target] ??= wall(sentAt);
      deadlinesMs[target] ??= deadlineMs;
    }
    if (!begins) return;
    const list = sent.get(target) ?? [];
    sent.set(target, list);
    list.push(sentAt);
    harm.perTenSeconds = Math.max(harm.perTenSeconds, list.filter((at) => sentAt - at < 9_900).length);
  }

  function publish() {
    const snapshot = detector.snapshot();
    const stack = snapshot?.stacks[0];
    if (!stack) return;
    const fronts = stack.nodes.filter((n) => takesChats(n));
    for (const n of stack.nodes) {
      harm.unfinished = Math.max(harm.unfinished, n.budget?.unfinished ?? 0);
      harm.abortsPerTenMinutes = Math.max(harm.abortsPerTenMinutes, n.budget?.aborts10min ?? 0);
      harm.controlCallsAtOnce = Math.max(harm.controlCallsAtOnce, n.budget?.controlCallsOut ?? 0);
    }
    const line: Omit<Line, 's'> = {
      stack: { verdict: stack.judgement.verdict, place: stack.judgement.place ? placeName(stack.judgement.place) : 'none', sentence: stack.sentence },
      fronts: fronts.map((n) => ({
        name: n.name,
        verdict: n.judgement.verdict,
        place: n.judgement.place ? placeName(n.judgement.place) : 'none',
        since: n.judgement.since,
        unfinished: n.budget?.unfinished ?? 0,
        aborts: n.budget?.aborts10min ?? 0,
        ...(n.judgement.detail ? { detail: n.judgement.detail } : {}),
        ...(n.judgement.phase ? { phase: n.judgement.phase } : {}),
        ...(n.judgement.rate ? { rate: [n.judgement.rate.low, n.judgement.rate.high] as [number, number] } : {}),
      })),
      lagMs: snapshot.self.lagMs,
      ...(stack.hypotheses[0] ? { top: stack.hypotheses[0].id } : {}),
    };
    process.send?.({ kind: 'line', now: Date.now(), line });
  }
}
