import type { Config } from '@/lib/model/config';
import type { Software } from '@/lib/model/dialect';
import type { Effect, Event, Incident } from '@/lib/model/incident';
import type { Observation } from '@/lib/model/observation';
import type { NodeView, Snapshot, StackView } from '@/lib/model/snapshot';
import { type Target, type TargetId, takesChats } from '@/lib/model/target';
import type { Judgement } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';
import { motion } from '@/lib/reading/engine';
import { enginesBehind, frontEnds, readFrontEnd } from '@/lib/reading/front-end';
import { partWorks } from '@/lib/reading/partial';
import { createCoverage } from './coverage';
import { firstTokenDeadline } from './deadline';
import { perform } from './deeds';
import { stackFacts } from './facts';
import { type IncidentLife, livesOf, returnedOf, stepIncident } from './incidents';
import { judgeFrontEnd } from './judge';
import { judgeEngine } from './judge-engine';
import { advance, follow, type Life } from './lifecycle';
import { rank, weigh } from './rank';
import type { Raw } from './raw';
import { blindNow, freshness, notYetBack } from './sight';
import { kvView, type Shared, shared, viewDots, viewNode } from './view';
import { type Asked, wanted } from './wants';
import { suppressor, wholeJudgement } from './whole';
import { Facts } from './window';
import { moment, stackSentence } from './words';

export type DetectorOptions = {
  config: Config;
  build: string;
  /** What the dialects know; without it nothing is told of what a health answer proves. */
  software?: Software;
  /** Incidents that were open when an earlier run ended; they go on, or close when calm is seen. */
  open?: readonly Incident[];
  /** Closed ones, newest first: what is shelved stays shelved, and what nobody acknowledged waits on. */
  past?: readonly Incident[];
};

const NOTHING_KNOWN: Software = { reads: () => ({ by: '', proves: '' }), otherHealth: () => [], meanings: () => [] };

/** Pure at its border: the same observations in, the same effects and snapshot out. */
export type Detector = {
  step(o: Observation): Effect[];
  /** What is known now, ready to publish; undefined until the first tick. */
  snapshot(): Snapshot | undefined;
  /** How a chat of this front-end is to be sent and judged. `isCrowded`: its queues are long, so that ours should be fewer. */
  deadline(target: TargetId): ReturnType<typeof firstTokenDeadline> & { isCrowded: boolean };
};

export function createDetector(options: DetectorOptions): Detector {
  const lives = new Map<string, Life>();
  const facts = new Facts((id) => lives.get(id)?.judgement);
  const asked = new Map<TargetId, Asked>();
  const incidents = new Map<string, IncidentLife>(livesOf(options.open ?? [], options.past ?? []));
  const coverage = createCoverage();
  let serial = 0;

  const event = (at: number, stack: string, kind: Event['kind'], sentence: string, rest: Partial<Event> = {}): Effect => ({
    kind: 'event',
    event: { id: `${at.toString(36)}-${(serial++).toString(36)}`, at, stack, kind, sentence, ...rest },
  });

  function step(o: Observation): Effect[] {
    const blindBefore = facts.blind.at(-1);
    const startedBefore = facts.startedAt;
    const { restarted } = facts.absorb(o);
    const effects: Effect[] = [];
    if (restarted) effects.push(event(o.at, facts.stackOf(restarted), 'restart', `${restarted} was restarted`, { target: restarted }));
    if (facts.blind.at(-1) !== blindBefore) {
      const span = facts.blind.at(-1);
      if (span)
        for (const stack of facts.stackIds())
          effects.push(event(o.at, stack, 'blind', `we were not looking from ${moment(span.from)} to ${moment(span.to)}: ${span.why}`));
    }
    if (startedBefore !== 0 && facts.startedAt !== startedBefore) redate(o.at);
    if (o.kind === 'paused') effects.push(pausedEvent(o));
    if (o.kind === 'deed') effects.push(...perform(lifeOf(o.incident.stack), o.incident, o.deed, o.at, event));
    const settled = o.kind === 'probe' && o.result.proves === 'service' && o.result.outcome !== 'pending';
    const due = o.kind === 'self' ? facts.stackIds() : settled ? [facts.stackOf(o.result.target)] : [];
    for (const stack of due) effects.push(...judgeStack(facts.view(stack)));
    if (o.kind === 'self') for (const stack of due) coverage.see(facts.view(stack));
    return effects;
  }

  /** After the clock was set back no judgement may begin later than now, and nothing remembered may be waited for. */
  function redate(at: number) {
    asked.clear();
    for (const [id, { needGoods, judgement }] of lives) lives.set(id, { needGoods, judgement: { ...judgement, since: Math.min(judgement.since, at) } });
  }

  function judgeStack(window: Window): Effect[] {
    const effects: Effect[] = [];
    for (const target of frontEnds(window)) effects.push(...judge(window, target, judgeFrontEnd(window, target.id, lives.get(target.id)?.explainedAt)));
    const stops = frontEnds(window).flatMap((t) => (lives.has(t.id) ? [{ front: t.id, judgement: (lives.get(t.id) as Life).judgement }] : []));
    for (const target of window.targets.filter((t) => !takesChats(t))) effects.push(...judge(window, target, judgeEngine(window, target.id, stops)));
    effects.push(...judgeWhole(window));
    return effects;
  }

  function judge(window: Window, target: Target, raw: Raw): Effect[] {
    const before = lives.get(target.id)?.judgement;
    const r = readFrontEnd(window, target.id);
    const lastGood = r?.goodRun[0];
    const moving = lastGood !== undefined && enginesBehind(window, target.id).some((e) => (motion(window, e.id, lastGood.sentAt).decodeTokens ?? 0) > 0);
    const blind = blindNow(window) ?? notYetBack(window, target);
    const engine = !takesChats(target);
    const now = {
      at: window.at,
      freshness: blind ? ('blind' as const) : freshness(window, target),
      blindWhy: blind,
      goodsSinceBad: r?.goodRun.length ?? 0,
      moving,
      refuted: partWorks(
        window,
        lives.get(target.id)?.judgement.place,
        r?.badRun[0]?.sentAt ?? r?.counted.find((c) => c.is === 'silent')?.p.sentAt ?? window.at,
      ),
    };
    const life = engine ? follow(lives.get(target.id), raw, now) : advance(lives.get(target.id), raw, now);
    const witness = suppressor(window, target, life.judgement);
    lives.set(target.id, { ...life, judgement: { ...life.judgement, suppressedBy: witness } });
    const memory = asked.get(target.id) ?? {};
    asked.set(target.id, memory);
    const effects = engine ? [] : wanted(memory, window, target, raw);
    if (before?.verdict !== life.judgement.verdict)
      effects.push(
        event(
          window.at,
          window.stack,
          'verdict',
          `${target.name}: ${before?.verdict ?? 'not judged'} to ${life.judgement.verdict}: ${life.judgement.because}`,
          { target: target.id, data: { from: before?.verdict, to: life.judgement.verdict, place: life.judgement.place } },
        ),
      );
    return effects;
  }

  function judgeWhole(window: Window): Effect[] {
    const judgement = wholeJudgement(window, lives);
    const before = lives.get(window.stack)?.judgement;
    lives.set(window.stack, {
      needGoods: 1,
      judgement: { ...judgement, since: before?.verdict === judgement.verdict ? Math.min(before.since, judgement.since) : judgement.since },
    });
    const memory = lifeOf(window.stack);
    const fronts = frontEnds(window).map((t) => ({ id: t.id, judgement: lives.get(t.id)?.judgement }));
    return stepIncident(
      memory,
      window,
      judgement,
      fronts,
      () => stackSentence(judgement, viewFronts(window), window.at),
      () => weigh(window)[0],
      event,
    );
  }

  function lifeOf(stack: string): IncidentLife {
    const memory = incidents.get(stack) ?? {};
    incidents.set(stack, memory);
    return memory;
  }

  function pausedEvent({ at, target, until, by }: Extract<Observation, { kind: 'paused' }>): Effect {
    const goesOn = until !== undefined && until <= at;
    const sentence = goesOn
      ? `probing of ${target} goes on, by ${by}`
      : `probing of ${target} is paused by ${by}${until === undefined ? '' : ` until ${moment(until)}`}`;
    return event(at, facts.stackOf(target), 'paused', sentence, {
      target,
      by,
      data: { isPaused: !goesOn, ...(goesOn || until === undefined ? {} : { until }) },
    });
  }

  function viewFronts(window: Window): NodeView[] {
    return frontEnds(window).flatMap((t) => viewOf(window, t));
  }

  function viewOf(window: Window, target: Target, of?: Shared): NodeView[] {
    const judgement = lives.get(target.id)?.judgement ?? { verdict: 'unknown', freshness: 'late', since: window.at, because: 'not judged yet' };
    return [viewNode(window, target, judgement, options.software ?? NOTHING_KNOWN, of)];
  }

  function viewStack(window: Window, name: string, { open: incident, last }: IncidentLife): StackView {
    const of = shared();
    const nodes = window.targets.flatMap((t) => viewOf(window, t, of));
    const covered = coverage.view(window);
    const fronts = nodes.filter((n) => takesChats(n));
    const judgement: Judgement = lives.get(window.stack)?.judgement ?? { verdict: 'unknown', freshness: 'late', since: window.at, because: 'not judged yet' };
    const waits = fronts.flatMap((n) => n.strip.filter((d) => d.late && !d.ended).map((d) => window.at - d.at));
    const goods = fronts.flatMap((n) => n.strip.filter((d) => d.outcome === 'ok').map((d) => d.at));
    return {
      id: window.stack,
      name,
      judgement,
      sentence: stackSentence(judgement, fronts, window.at),
      frontEnds: { answering: fronts.filter((n) => n.judgement.verdict === 'ok' || n.judgement.verdict === 'degraded').length, of: fronts.length },
      ...(waits.length > 0 ? { oldestWaitMs: Math.max(...waits) } : {}),
      ...(goods.length > 0 ? { lastGoodAt: Math.max(...goods) } : {}),
      nodes,
      edges: window.edges.map(({ from, to, kind, known }) => ({ from, to, kind, known })),
      kv: kvView(window, nodes),
      dots: viewDots(window, fronts),
      ...rank(window, judgement.verdict === 'ok'),
      readings: of.readings.list,
      exports: of.exports.list,
      ...(covered ? { coverage: covered } : {}),
      facts: stackFacts(window),
      ...(incident ? { incident } : returnedOf(last, window.at)),
    };
  }

  function snapshot(): Snapshot | undefined {
    const self = facts.self;
    if (!self) return undefined;
    const anyWindow = facts.stackIds()[0];
    const blind = anyWindow === undefined ? undefined : blindNow(facts.view(anyWindow));
    return {
      at: facts.at,
      tick: self.tick,
      build: options.build,
      startedAt: facts.startedAt,
      self: {
        freshness: blind ? 'blind' : 'live',
        sentence: blind ?? 'collecting',
        lagMs: Math.round(self.lagMs),
        blind: facts.blind.slice(-5),
        restarts: 0,
        loops: self.loops.map(({ name, target, everyMs, lastEnd, errors, lastError }) => ({
          name,
          ...(target ? { target } : {}),
          everyMs,
          ...(lastEnd ? { lastEnd } : {}),
          errors,
          ...(lastError ? { lastError } : {}),
        })),
      },
      stacks: facts.stackIds().map((id) => viewStack(facts.view(id), options.config.stacks.find((s) => s.id === id)?.name ?? id, lifeOf(id))),
    };
  }

  return {
    step,
    snapshot,
    deadline: (id) => ({
      ...firstTokenDeadline(facts.view(facts.stackOf(id)).probes(id), options.config.probe),
      isCrowded: lives.get(id)?.judgement.detail === 'overload',
    }),
  };
}
