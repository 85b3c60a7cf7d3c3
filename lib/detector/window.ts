import type { BudgetState, Observation, SelfReport } from '@/lib/model/observation';
import type { ProbeResult } from '@/lib/model/probe';
import { type Sample, type SampleSource, SERIES, type SeriesName, seriesKey } from '@/lib/model/sample';
import type { Target, TargetId } from '@/lib/model/target';
import type { Edge, ListedWorker, ModelList } from '@/lib/model/topology';
import type { Judgement } from '@/lib/model/verdict';
import type { PageState, Point, SeriesWindow, Window } from '@/lib/model/window';

const POINTS = 180;
const PROBES = 64;
const RESTARTS = 8;
const BLIND_SPANS = 20;
/** A pause of our own loop longer than this voids what was timed over it. */
const BLIND_GAP_MS = 2_500;
const BLIND_LAG_MS = 1_500;
/** Two signs of one restart fall into this span. */
const SAME_RESTART_MS = 30_000;
/** Counters whose fall means that the process began anew. */
const RESET_SIGNS: ReadonlySet<SeriesName> = new Set([
  'realtime_tokens_total',
  'http_requests_total',
  'num_requests_total',
  'scheduler_process_cpu_seconds_total',
  'generation_tokens_total',
  'prompt_tokens_total',
]);

/** A wall clock that moves so far against our own is a step. */
const STEP_MS = 2_000;
const told = (ms: number) => (ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`);

type MutableSeries = Omit<SeriesWindow, 'points'> & { points: Point[] };

type TargetMemory = {
  target: Target;
  series: Map<string, MutableSeries>;
  /** The same, as they are handed out. */
  list: MutableSeries[];
  byName: Map<SeriesName, MutableSeries[]>;
  /** When series that are gone were last forgotten. */
  tidiedAt: number;
  probes: ProbeResult[];
  health?: ProbeResult;
  healths: Map<string, ProbeResult>;
  claims: { path: string; status?: number; tookMs: number; at: number }[];
  pages: Map<SampleSource, PageState>;
  models?: ModelList;
  workers?: readonly ListedWorker[];
  restarts: number[];
  refusing: boolean;
};

/** The facts of all stacks, bounded in memory; `view` shows one stack's as a Window. */
export class Facts {
  at = 0;
  startedAt = 0;
  self: SelfReport | undefined;
  readonly blind: { from: number; to: number; why: string }[] = [];
  private readonly memory = new Map<TargetId, TargetMemory>();
  private readonly stacks = new Map<string, { targets: TargetId[]; edges: Edge[] }>();
  private referenceDownSince: number | undefined;

  constructor(private readonly judgementOf: (id: TargetId) => Judgement | undefined) {}

  stackIds(): string[] {
    return [...this.stacks.keys()];
  }

  /** The stack that a target belongs to; empty when it is not known. */
  stackOf(id: TargetId): string {
    return this.memory.get(id)?.target.stack ?? '';
  }

  /** Take one observation in; returns restarts first seen by it. */
  absorb(o: Observation): { restarted?: TargetId } {
    this.at = Math.max(this.at, o.at);
    if (this.startedAt === 0) this.startedAt = o.at;
    switch (o.kind) {
      case 'topology':
        this.absorbTopology(o);
        return {};
      case 'self':
        this.absorbSelf(o.at, o.self);
        return {};
      case 'scrape':
        return this.absorbScrape(o);
      case 'probe':
        return this.absorbProbe(o.result);
      case 'claims':
        return this.with(o.target, (m) => {
          m.claims = o.claims.map((claim) => ({ ...claim, at: o.at }));
          return {};
        });
      case 'models':
        return this.with(o.target, (m) => {
          m.models = o.models.ids.length === 0 && m.models ? { ...o.models, ids: o.models.error ? m.models.ids : [] } : o.models;
          return {};
        });
      case 'workers':
        return this.with(o.target, (m) => {
          if (!o.error) m.workers = o.workers;
          return {};
        });
      case 'absent':
        this.addBlind(o.from, o.at, 'Wedgewatch was not running');
        return {};
      case 'paused':
      case 'deed':
        return {};
    }
  }

  view(stack: string): Window {
    const known = this.stacks.get(stack) ?? { targets: [], edges: [] };
    const memory = this.memory;
    const at = this.at;
    return {
      at,
      stack,
      startedAt: this.startedAt,
      targets: known.targets.flatMap((id) => memory.get(id)?.target ?? []),
      edges: known.edges,
      target: (id) => memory.get(id)?.target,
      probes: (id) => memory.get(id)?.probes ?? [],
      health: (id) => memory.get(id)?.health,
      healths: (id) => [...(memory.get(id)?.healths.values() ?? [])],
      claims: (id) => memory.get(id)?.claims ?? [],
      series: (id) => memory.get(id)?.list ?? [],
      value: (id, name, opts) => valueAt(memory.get(id), name, at, opts ?? {}),
      moved: (id, name, from, to, opts) => movedOf(memory.get(id), name, from, to ?? at, opts ?? {}),
      page: (id, source) => memory.get(id)?.pages.get(source),
      models: (id) => memory.get(id)?.models,
      workers: (id) => memory.get(id)?.workers,
      restarts: (id) => memory.get(id)?.restarts ?? [],
      self: this.self,
      budget: (id) => this.budget(id),
      blind: this.blind,
      judgement: this.judgementOf,
    };
  }

  private budget(id: TargetId): BudgetState | undefined {
    return this.self?.budget.find((b) => b.target === id);
  }

  private with(id: TargetId, then: (m: TargetMemory) => { restarted?: TargetId }): { restarted?: TargetId } {
    const m = this.memory.get(id);
    return m ? then(m) : {};
  }

  private absorbTopology(o: Extract<Observation, { kind: 'topology' }>) {
    for (const target of o.targets) {
      const m = this.memory.get(target.id);
      if (m) m.target = target;
      else
        this.memory.set(target.id, {
          target,
          healths: new Map(),
          claims: [],
          series: new Map(),
          list: [],
          byName: new Map(),
          tidiedAt: 0,
          probes: [],
          pages: new Map(),
          restarts: [],
          refusing: false,
        });
    }
    this.stacks.set(o.stack, { targets: o.targets.map((t) => t.id), edges: o.edges });
  }

  private absorbSelf(at: number, self: SelfReport) {
    if (self.clockStepMs <= -STEP_MS) this.setBack(at, -self.clockStepMs);
    else if (self.clockStepMs >= STEP_MS) this.addBlind(at - self.clockStepMs, at, `our clock was set forward by ${told(self.clockStepMs)}`);
    const blindMs = Math.max(self.gapMs > BLIND_GAP_MS ? self.gapMs : 0, self.lagMs > BLIND_LAG_MS ? self.lagMs : 0);
    if (blindMs > 0) this.addBlind(at - blindMs - 1_000, at, 'our own process stood still');
    const failing = self.reference !== undefined && !self.reference.ok;
    if (failing) {
      this.referenceDownSince ??= self.reference?.at ?? at;
      this.addBlind(this.referenceDownSince, at, 'the reference target does not answer us');
    } else this.referenceDownSince = undefined;
    this.self = self;
  }

  /** What was noted before is dated after now, and would outrank all that comes: it is forgotten, and known again as after a start. */
  private setBack(at: number, byMs: number) {
    this.at = at;
    this.startedAt = at;
    this.blind.length = 0;
    this.addBlind(at - 1_000, at, `our clock was set back by ${told(byMs)}`);
    for (const m of this.memory.values()) {
      Object.assign(m, {
        series: new Map(),
        list: [],
        byName: new Map(),
        tidiedAt: 0,
        probes: [],
        healths: new Map(),
        pages: new Map(),
        restarts: [],
        refusing: false,
      });
      delete m.health;
    }
  }

  private addBlind(from: number, to: number, why: string) {
    const last = this.blind.at(-1);
    if (last && last.why === why && from <= last.to + 2_000) last.to = to;
    else this.blind.push({ from, to, why });
    if (this.blind.length > BLIND_SPANS) this.blind.shift();
  }

  private absorbProbe(result: ProbeResult): { restarted?: TargetId } {
    // sent before the clock was set back: it would pass for the newest for as long
    if (result.sentAt > this.at + STEP_MS) return {};
    return this.with(result.target, (m) => {
      if (result.proves === 'service') upsertProbe(m.probes, result);
      else if (result.proves === 'health') {
        if (!m.health || result.sentAt >= m.health.sentAt) m.health = result;
        if (result.sentAt >= (m.healths.get(result.path)?.sentAt ?? 0)) m.healths.set(result.path, result);
        return this.reach(m, result.outcome === 'refused' ? 'refused' : result.outcome === 'pending' ? undefined : 'answers', result.sentAt);
      }
      return {};
    });
  }

  private absorbScrape(o: Extract<Observation, { kind: 'scrape' }>): { restarted?: TargetId } {
    return this.with(o.target, (m) => {
      const before = m.pages.get(o.source);
      const ok = o.outcome === 'ok';
      const failing = !ok && o.outcome !== 'not-exported';
      m.pages.set(o.source, {
        source: o.source,
        outcome: o.outcome,
        at: o.at,
        lastOk: ok ? o.at : before?.lastOk,
        failingSince: failing ? (before?.failingSince ?? o.at) : undefined,
        detail: o.detail,
      });
      let restarted = this.reach(m, o.outcome === 'refused' ? 'refused' : ok ? 'answers' : undefined, o.at);
      let reset = false;
      for (const sample of o.samples) reset = absorbSample(m, sample, o.at) || reset;
      forget(m, o.at);
      if (reset) restarted = this.restart(m, o.at);
      return restarted;
    });
  }

  private reach(m: TargetMemory, now: 'refused' | 'answers' | undefined, at: number): { restarted?: TargetId } {
    if (now === 'refused') m.refusing = true;
    if (now !== 'answers' || !m.refusing) return {};
    m.refusing = false;
    return this.restart(m, at);
  }

  private restart(m: TargetMemory, at: number): { restarted?: TargetId } {
    const last = m.restarts.at(-1);
    if (last !== undefined && at - last < SAME_RESTART_MS) return {};
    m.restarts.push(at);
    if (m.restarts.length > RESTARTS) m.restarts.shift();
    return { restarted: m.target.id };
  }
}

function upsertProbe(probes: ProbeResult[], result: ProbeResult) {
  const index = probes.findIndex((p) => p.id === result.id);
  if (index >= 0) probes[index] = result;
  else {
    const place = probes.findIndex((p) => p.sentAt <= result.sentAt);
    if (place < 0) probes.push(result);
    else probes.splice(place, 0, result);
    if (probes.length > PROBES) dropOldestEnded(probes);
  }
}

/** A hung probe of an hour ago is still a fact; an answered one is history. */
function dropOldestEnded(probes: ProbeResult[]) {
  const index = probes.findLastIndex((p) => p.exchange.ended);
  probes.splice(index < 0 ? probes.length - 1 : index, 1);
}

/** Returns true when a counter fell that only falls at a restart. */
function absorbSample(m: TargetMemory, sample: Sample, at: number): boolean {
  const key = seriesKey(sample);
  let s = m.series.get(key);
  if (!s) {
    s = { key, name: sample.name, source: sample.source, rank: sample.rank, by: sample.by, alias: sample.alias, points: [] };
    m.series.set(key, s);
    m.list.push(s);
    const named = m.byName.get(sample.name);
    if (named) named.push(s);
    else m.byName.set(sample.name, [s]);
  }
  s.alias = sample.alias;
  const last = s.points.at(-1);
  if (last && at <= last.at) return false;
  if (last && last.value !== sample.value) s.changedAt = at;
  s.points.push({ at, value: sample.value });
  if (s.points.length > POINTS) s.points.shift();
  return last !== undefined && sample.value < last.value && RESET_SIGNS.has(sample.name);
}

/** Series that no page has held for so long are gone: label values that come and go would fill the memory. */
const FORGET_MS = 3_600_000;
const FORGET_EVERY_MS = 60_000;

function forget(m: TargetMemory, at: number) {
  if (at - m.tidiedAt < FORGET_EVERY_MS) return;
  m.tidiedAt = at;
  const isOld = (s: MutableSeries) => at - (s.points.at(-1)?.at ?? 0) > FORGET_MS;
  const old = m.list.filter(isOld);
  if (old.length === 0) return;
  for (const s of old) m.series.delete(s.key);
  m.list = m.list.filter((s) => !isOld(s));
  for (const [name, list] of m.byName) {
    const kept = list.filter((s) => !isOld(s));
    if (kept.length === 0) m.byName.delete(name);
    else m.byName.set(name, kept);
  }
}

type Opts = { at?: number; by?: string; rank?: string; source?: SampleSource };

function chosen(m: TargetMemory | undefined, name: SeriesName, opts: Opts): MutableSeries[] {
  const all = (m?.byName.get(name) ?? []).filter((s) => (opts.by === undefined || s.by === opts.by) && (opts.rank === undefined || s.rank === opts.rank));
  if (opts.source) return all.filter((s) => s.source === opts.source);
  const loads = all.filter((s) => s.source === 'loads');
  if (loads.length === 0) return all;
  const other = all.filter((s) => s.source !== 'loads');
  const newest = (list: MutableSeries[]) => Math.max(0, ...list.map((s) => s.points.at(-1)?.at ?? 0));
  return other.length > 0 && newest(other) > newest(loads) + 20_000 ? other : loads;
}

function valueAt(m: TargetMemory | undefined, name: SeriesName, now: number, opts: Opts): number | undefined {
  const at = opts.at ?? now;
  const values = chosen(m, name, opts).flatMap((s) => before(s.points, at)?.value ?? []);
  if (values.length === 0) return undefined;
  return name === 'loads_age_seconds' || name === 'token_usage' ? Math.max(...values) : values.reduce((a, b) => a + b, 0);
}

function movedOf(m: TargetMemory | undefined, name: SeriesName, from: number, to: number, opts: Opts): number | undefined {
  let sum: number | undefined;
  for (const s of chosen(m, name, opts)) {
    const start = s.points.findLastIndex((p) => p.at <= from);
    const end = s.points.findLastIndex((p) => p.at <= to);
    // A labelled counter appears with its first event: a series younger than `from` on a page that was read before began at zero.
    const born = start < 0 && SERIES[name] === 'counter' && readBefore(m, s.source, from);
    if ((start < 0 && !born) || end < 0 || end <= start) continue;
    let previous = start < 0 ? 0 : (s.points[start]?.value ?? 0);
    let delta = 0;
    for (let i = start + 1; i <= end; i++) {
      const value = s.points[i]?.value ?? previous;
      delta += SERIES[name] === 'counter' && value < previous ? value : value - previous;
      previous = value;
    }
    sum = (sum ?? 0) + delta;
  }
  return sum;
}

function readBefore(m: TargetMemory | undefined, source: SampleSource, from: number): boolean {
  for (const s of m?.series.values() ?? []) if (s.source === source && (s.points[0]?.at ?? Number.POSITIVE_INFINITY) <= from) return true;
  return false;
}

function before(points: readonly Point[], at: number): Point | undefined {
  for (let i = points.length - 1; i >= 0; i--) {
    const p = points[i];
    if (p && p.at <= at) return p;
  }
  return undefined;
}
