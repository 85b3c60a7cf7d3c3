import type { Config } from '@/lib/model/config';
import type { Effect, Event, Incident } from '@/lib/model/incident';
import type { Observation } from '@/lib/model/observation';
import type { NodeView, Snapshot, StackView } from '@/lib/model/snapshot';
import { isFrontEnd, type Target, type TargetId, takesChats } from '@/lib/model/target';
import { type Freshness, type Judgement, VERDICTS, worst } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';
import { motion } from '@/lib/reading/engine';
import { enginesBehind, frontEnds, readFrontEnd } from '@/lib/reading/front-end';
import { firstTokenDeadline } from './deadline';
import { stackFacts } from './facts';
import { healWitness } from './heal';
import { type IncidentLife, stepIncident } from './incidents';
import { judgeEngine, judgeFrontEnd, type Raw } from './judge';
import { advance, type Life } from './lifecycle';
import { rank } from './rank';
import { wilson } from './stats';
import { viewDots, viewNode } from './view';
import { Facts } from './window';
import { moment, stackSentence } from './words';

const HEAL_EVERY_MS = 20_000;
const LOOK_EVERY_MS = 15_000;
const JUST_BLIND_MS = 1_500;
const BACK_WITHIN_MS = 18_000;

export type DetectorOptions = { config: Config; build: string; proves: (target: Target, path: string) => string };

/** Pure at its border: the same observations in, the same effects and snapshot out. */
export type Detector = {
  step(o: Observation): Effect[];
  /** What is known now, ready to publish; undefined until the first tick. */
  snapshot(): Snapshot | undefined;
  deadline(target: TargetId): ReturnType<typeof firstTokenDeadline>;
};

export function createDetector(options: DetectorOptions): Detector {
  const lives = new Map<string, Life>();
  const facts = new Facts((id) => lives.get(id)?.judgement);
  const asked = new Map<TargetId, { confirmOf?: string; healedAt?: number; lookedAt?: number }>();
  const incidents = new Map<string, IncidentLife>();
  let serial = 0;

  const event = (at: number, stack: string, kind: Event['kind'], sentence: string, rest: Partial<Event> = {}): Effect => ({
    kind: 'event',
    event: { id: `${at.toString(36)}-${(serial++).toString(36)}`, at, stack, kind, sentence, ...rest },
  });

  function step(o: Observation): Effect[] {
    const blindBefore = facts.blind.length;
    const { restarted } = facts.absorb(o);
    const effects: Effect[] = [];
    if (restarted) effects.push(event(o.at, stackOf(restarted), 'restart', `${restarted} was restarted`, { target: restarted }));
    if (facts.blind.length > blindBefore) {
      const span = facts.blind.at(-1);
      if (span)
        for (const stack of facts.stackIds())
          effects.push(event(o.at, stack, 'blind', `we were not looking from ${moment(span.from)} to ${moment(span.to)}: ${span.why}`));
    }
    const settled = o.kind === 'probe' && o.result.proves === 'service' && o.result.outcome !== 'pending';
    const due = o.kind === 'self' ? facts.stackIds() : settled ? [stackOf(o.result.target)] : [];
    for (const stack of due) effects.push(...judgeStack(facts.view(stack)));
    return effects;
  }

  function stackOf(id: TargetId): string {
    return facts.stackOf(id);
  }

  function judgeStack(window: Window): Effect[] {
    const effects: Effect[] = [];
    for (const target of frontEnds(window)) effects.push(...judge(window, target, judgeFrontEnd(window, target.id)));
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
    const life = advance(lives.get(target.id), raw, {
      at: window.at,
      freshness: blind ? 'blind' : freshness(window, target),
      blindWhy: blind,
      goodsSinceBad: engine ? 99 : (r?.goodRun.length ?? 0),
      moving,
    });
    const witness = suppressor(window, target, life.judgement);
    lives.set(target.id, { ...life, judgement: { ...life.judgement, suppressedBy: witness } });
    const effects = engine ? [] : wanted(window, target, raw);
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

  function wanted(window: Window, target: Target, raw: Raw): Effect[] {
    const memory = asked.get(target.id) ?? {};
    asked.set(target.id, memory);
    const effects: Effect[] = [];
    const silentNow = (readFrontEnd(window, target.id)?.silentRun.length ?? 0) > 0;
    if (silentNow && window.at - (memory.lookedAt ?? 0) > LOOK_EVERY_MS) {
      memory.lookedAt = window.at;
      for (const e of enginesBehind(window, target.id)) effects.push({ kind: 'look', target: e.id });
    }
    const newest = readFrontEnd(window, target.id)?.newest?.p.id;
    if (raw.confirm && newest !== undefined && memory.confirmOf !== newest) {
      memory.confirmOf = newest;
      effects.push({ kind: 'probe', target: target.id, purpose: 'confirm', because: raw.confirm });
    }
    const witness = healWitness(window, target.id);
    if (witness && window.at - (memory.healedAt ?? 0) > HEAL_EVERY_MS) {
      memory.healedAt = window.at;
      effects.push({ kind: 'probe', target: target.id, purpose: 'heal', because: witness });
    }
    return effects;
  }

  function judgeWhole(window: Window): Effect[] {
    const judgement = wholeJudgement(window, lives);
    const before = lives.get(window.stack)?.judgement;
    lives.set(window.stack, {
      needGoods: 1,
      judgement: { ...judgement, since: before?.verdict === judgement.verdict ? Math.min(before.since, judgement.since) : judgement.since },
    });
    const memory = incidents.get(window.stack) ?? {};
    incidents.set(window.stack, memory);
    const fronts = frontEnds(window).map((t) => ({ id: t.id, judgement: lives.get(t.id)?.judgement }));
    return stepIncident(
      memory,
      window,
      judgement,
      fronts,
      () => stackSentence(judgement, viewFronts(window), window.at),
      () => rank(window)[0],
      event,
    );
  }

  function viewFronts(window: Window): NodeView[] {
    return frontEnds(window).flatMap((t) => viewOf(window, t));
  }

  function viewOf(window: Window, target: Target): NodeView[] {
    const judgement = lives.get(target.id)?.judgement ?? { verdict: 'unknown', freshness: 'late', since: window.at, because: 'not judged yet' };
    return [viewNode(window, target, judgement, options.proves)];
  }

  function viewStack(window: Window, name: string, incident: Incident | undefined): StackView {
    const nodes = window.targets.flatMap((t) => viewOf(window, t));
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
      hypotheses: rank(window),
      facts: stackFacts(window),
      ...(incident ? { incident } : {}),
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
      stacks: facts.stackIds().map((id) => viewStack(facts.view(id), options.config.stacks.find((s) => s.id === id)?.name ?? id, incidents.get(id)?.open)),
    };
  }

  return { step, snapshot, deadline: (id) => firstTokenDeadline(facts.view(stackOf(id)).probes(id), options.config.probe) };
}

function blindNow(window: Window): string | undefined {
  const span = window.blind.at(-1);
  return span && window.at - span.to < JUST_BLIND_MS ? span.why : undefined;
}

/** After a gap nothing is known of a front-end until a chat sent since has been judged; its period bounds the wait. */
function notYetBack(window: Window, target: Target): string | undefined {
  const span = window.blind.at(-1);
  if (!span || !takesChats(target) || window.at - span.to > BACK_WITHIN_MS) return undefined;
  const back = readFrontEnd(window, target.id)?.newest;
  return back && back.p.sentAt >= span.to - JUST_BLIND_MS ? undefined : `${span.why}; no chat since has been judged yet`;
}

/** Live while something answers or hangs before our eyes; late when the last chat is older than its period allows. */
function freshness(window: Window, target: Target): Freshness {
  if (!takesChats(target)) {
    const read = Math.max(0, ...(['metrics', 'loads'] as const).map((s) => window.page(target.id, s)?.at ?? 0), window.health(target.id)?.sentAt ?? 0);
    return window.at - read < 30_000 ? 'live' : 'late';
  }
  const newest = window.probes(target.id)[0];
  if (!newest) return 'late';
  return !newest.exchange.ended || window.at - newest.sentAt < 40_000 ? 'live' : 'late';
}

/** A front-end that hangs because of the engine under it is a witness, shown beneath the cause. */
function suppressor(window: Window, target: Target, judgement: Judgement): TargetId | undefined {
  const at = judgement.place?.target;
  return takesChats(target) && at !== undefined && at !== target.id && judgement.verdict !== 'ok' && window.target(at) ? at : undefined;
}

function wholeJudgement(window: Window, lives: ReadonlyMap<string, Life>): Judgement {
  const fronts = frontEnds(window).flatMap((t) => lives.get(t.id)?.judgement ?? []);
  const verdict = fronts.length === 0 ? 'unknown' : worst(fronts.map((j) => j.verdict));
  const first = [...fronts].filter((j) => j.verdict === verdict).sort((a, b) => a.since - b.since)[0];
  const sick = window.targets
    .filter((t) => !takesChats(t) && !isFrontEnd(t))
    .flatMap((t) => lives.get(t.id)?.judgement ?? [])
    .filter((j) => j.verdict === 'down' || j.verdict === 'hanging');
  const worse = sick.sort((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict))[0];
  if (verdict === 'ok' && worse) return { ...worse, verdict: 'degraded', because: worse.because };
  const merged = fronts
    .filter((j) => j.verdict === verdict && j.place && j.place.kind !== 'none')
    .sort((a, b) => Number(a.place?.inferred) - Number(b.place?.inferred))[0];
  return first
    ? { ...first, place: merged?.place ?? first.place, suppressedBy: undefined, rate: summed(fronts.filter((j) => j.verdict === verdict)) }
    : {
        verdict: 'unknown',
        freshness: 'late',
        since: window.at,
        because: frontEnds(window).length === 0 ? 'no front-end is known' : 'no chat has been judged yet',
      };
}

/** The rates of several front-ends as one. */
function summed(judgements: readonly Judgement[]): Judgement['rate'] {
  const rates = judgements.flatMap((j) => j.rate ?? []);
  const failed = rates.reduce((sum, r) => sum + r.failed, 0);
  const of = rates.reduce((sum, r) => sum + r.of, 0);
  return of === 0 ? undefined : { failed, of, ...wilson(failed, of) };
}

function kvView(window: Window, nodes: readonly NodeView[]): StackView['kv'] {
  const prefill = window.targets.filter((t) => t.role === 'prefill');
  const decode = window.targets.filter((t) => t.role === 'decode');
  if (prefill.length === 0 || decode.length === 0) return undefined;
  const inflight = prefill.flatMap((t) => window.value(t.id, 'num_prefill_inflight_queue_reqs') ?? []);
  const transfer = decode.flatMap((t) => window.value(t.id, 'num_decode_transfer_queue_reqs') ?? []);
  const queue = inflight.length + transfer.length === 0 ? undefined : [...inflight, ...transfer].reduce((a, b) => a + b, 0);
  const blamed = nodes.find((n) => n.judgement.place?.kind === 'kv-transfer' && n.judgement.verdict !== 'ok');
  return {
    verdict: blamed?.judgement.verdict ?? 'ok',
    sentence: blamed?.judgement.because ?? (queue === undefined ? 'no counters of the transfer' : `${queue} in transfer`),
    ...(queue === undefined ? {} : { queue }),
  };
}
