import type { ProbeResult } from '@/lib/model/probe';
import type { SeriesName } from '@/lib/model/sample';
import type { Target, TargetId } from '@/lib/model/target';
import type { PageState, Window } from '@/lib/model/window';
import { FLOOR_MS, least } from './floor';

/** A scheduler whose last word is older than this no longer speaks: a turning loop's is < 1 s, also idle and with stuck queues (sglang 0.5.23, seen running). */
const STANDS_AGE_S = 5;
const TURNS_AGE_S = 2.5;
/** Two metrics pages at least this far apart with an unmoved scheduler CPU clock: the loop stands. */
const CPU_SPAN_MS = 9_000;
const FRESH_MS = 20_000;
/** A control call is given up after so long. */
const CONTROL_PATIENCE_MS = 4_000;
/** The health call's own 1 s poll leaves it at 1-2 s; beyond this it is waiting for a scheduler. */
const HEALTH_WAITS_MS = 4_000;
/** A killed server is mute for up to 7 s before it refuses (sglang 0.5.23): nothing is called mute earlier. */
const MUTE_MS = 10_000;

/** Requests in each queue of an engine; absent where it is not exported. */
export type Queues = { bootstrap?: number; inflight?: number; prealloc?: number; transfer?: number; waiting?: number; running?: number; chats?: number };

/** What one engine's own pages say of it just now. */
export type EngineReading = {
  target: Target;
  /** `mute`: connects, but none of its pages has answered for 10 s. */
  reach: 'answers' | 'refuses' | 'mute' | 'silent' | 'unknown';
  reachSince?: number;
  /** Not even a connection comes about. */
  isUnconnected: boolean;
  heartbeat: 'turns' | 'stands' | 'unknown';
  /** Which sign says so. */
  heartbeatBy?: 'loads' | 'cpu' | 'steps' | 'control' | 'health';
  /** Age of the scheduler's last word in seconds, where the engine tells it. */
  ageS?: number;
  standingRanks: string[];
  /** Its scheduler stood already when its pages were last answered: what fell silent later is not the cause. */
  stoodBefore: boolean;
  /** It says of itself that it was put to sleep. */
  isAsleep: boolean;
  chatActive?: number;
  queues: Queues;
  /** Least length of each queue over the last 20 s, of two live readings at least: what stands there while other traffic passes. */
  floors: Queues;
  restartedAt?: number;
};

export function readEngine(window: Window, id: TargetId): EngineReading | undefined {
  const target = window.target(id);
  if (!target) return undefined;
  const value = (name: SeriesName, by?: string) => window.value(id, name, by === undefined ? {} : { by });
  return {
    target,
    ...reachOf(window, id),
    isUnconnected: isUnconnected(window, id),
    ...heartbeatOf(window, id),
    stoodBefore: window.series(id).some((s) => s.name === 'loads_age_seconds' && (s.points.at(-1)?.value ?? 0) > STANDS_AGE_S),
    isAsleep: window.series(id).some((s) => s.name === 'engine_awake' && s.points.at(-1)?.value === 0),
    chatActive: value('http_requests_active', 'chat'),
    queues: {
      bootstrap: value('num_prefill_bootstrap_queue_reqs'),
      inflight: value('num_prefill_inflight_queue_reqs'),
      prealloc: value('num_decode_prealloc_queue_reqs'),
      transfer: value('num_decode_transfer_queue_reqs'),
      waiting: value('num_queue_reqs'),
      running: value('num_running_reqs'),
    },
    floors: floorsOf(window, id),
    restartedAt: window.restarts(id).at(-1),
  };
}

const QUEUES = {
  bootstrap: 'num_prefill_bootstrap_queue_reqs',
  inflight: 'num_prefill_inflight_queue_reqs',
  prealloc: 'num_decode_prealloc_queue_reqs',
  transfer: 'num_decode_transfer_queue_reqs',
  waiting: 'num_queue_reqs',
  running: 'num_running_reqs',
  chats: 'http_requests_active',
} as const satisfies Record<keyof Queues, SeriesName>;

/** PD queue gauges of the metrics page may be a last word, so only the scheduler's own loads tell what stands in them; the HTTP process's chats are always live. */
function floorsOf(window: Window, id: TargetId): Queues {
  const all = window.series(id);
  return Object.fromEntries(
    Object.entries(QUEUES).flatMap(([queue, name]) => {
      const live = all.filter((s) => s.name === name && (name === 'http_requests_active' ? s.by === 'chat' : s.source === 'loads'));
      const floors = live.map((s) => least(s.points, window.at - FLOOR_MS));
      return floors.length === 0 || floors.includes(undefined) ? [] : [[queue, floors.reduce<number>((sum, f) => sum + (f ?? 0), 0)]];
    }),
  );
}

const NO_CONNECTION: ReadonlySet<string> = new Set(['connect-timeout', 'unreachable', 'dns']);

function isUnconnected(window: Window, id: TargetId): boolean {
  return NO_CONNECTION.has(window.health(id)?.outcome ?? 'ok');
}

type Attempt = { at: number; what: 'answered' | 'refused' | 'silent'; since?: number; lastOk?: number };

function reachOf(window: Window, id: TargetId): Pick<EngineReading, 'reach' | 'reachSince'> {
  const attempts = [attemptOf(window.page(id, 'metrics')), attemptOf(window.page(id, 'loads')), healthAttempt(window.health(id), window.at)].filter(
    (a) => a !== undefined,
  );
  if (attempts.length === 0) return { reach: 'unknown' };
  const newest = attempts.reduce((a, b) => (b.at > a.at ? b : a));
  if (newest.what === 'answered') return { reach: 'answers' };
  const answeredAt = Math.max(0, ...attempts.map((a) => (a.what === 'answered' ? a.at : (a.lastOk ?? 0))));
  const bad = attempts.filter((a) => a.what === newest.what && a.at > answeredAt);
  const since = Math.min(...bad.map((a) => a.since ?? a.at));
  // One page that times out beside another that is refused is a lost packet, not a change.
  const refused = attempts.filter((a) => a.what === 'refused' && a.at > answeredAt);
  if (refused.length > 0) return { reach: 'refuses', reachSince: Math.min(...refused.map((a) => a.since ?? a.at)) };
  // Where not even a connection comes about nothing is proved of what would answer behind it.
  const connects = !isUnconnected(window, id);
  // Two pages that agree are enough: an older answer to a question that is asked seldom says nothing of now.
  const voices = attempts.filter((a) => a.what === 'silent' && (a.since ?? a.at) > answeredAt - 1).length;
  return connects && window.at - Math.max(since, answeredAt) >= MUTE_MS && voices >= Math.min(2, attempts.length)
    ? { reach: 'mute', reachSince: since }
    : { reach: 'silent', reachSince: since };
}

function attemptOf(page: PageState | undefined): Attempt | undefined {
  if (!page) return undefined;
  const what = page.outcome === 'refused' ? 'refused' : page.outcome === 'timeout' ? 'silent' : page.outcome === 'failed' ? 'silent' : 'answered';
  return { at: page.at, what, since: page.failingSince, lastOk: page.lastOk };
}

function healthAttempt(health: ProbeResult | undefined, at: number): Attempt | undefined {
  if (!health) return undefined;
  if (health.outcome === 'refused') return { at: health.sentAt, what: 'refused' };
  if (health.exchange.status !== undefined) return { at: health.sentAt + health.exchange.elapsedMs, what: 'answered' };
  if (health.outcome === 'pending' && at - health.sentAt < HEALTH_WAITS_MS) return undefined;
  return { at: health.sentAt, what: 'silent' };
}

function heartbeatOf(window: Window, id: TargetId): Pick<EngineReading, 'heartbeat' | 'heartbeatBy' | 'ageS' | 'standingRanks'> {
  return (
    byLoads(window, id) ??
    byCpu(window, id) ??
    bySteps(window, id) ??
    byControl(window, id) ??
    byHealth(window, id) ?? { heartbeat: 'unknown', standingRanks: [] }
  );
}

function byLoads(window: Window, id: TargetId) {
  const ages = window.series(id).filter((s) => s.name === 'loads_age_seconds');
  const fresh = ages.flatMap((s) => {
    const last = s.points.at(-1);
    return last && window.at - last.at < FRESH_MS ? [{ rank: s.rank, age: last.value }] : [];
  });
  if (fresh.length === 0) return undefined;
  const ageS = Math.max(...fresh.map((f) => f.age));
  const standing = fresh.filter((f) => f.age > STANDS_AGE_S);
  const standingRanks = fresh.length > 1 ? standing.flatMap((f) => f.rank ?? []) : [];
  if (standing.length > 0) return { heartbeat: 'stands' as const, heartbeatBy: 'loads' as const, ageS, standingRanks };
  return ageS < TURNS_AGE_S
    ? { heartbeat: 'turns' as const, heartbeatBy: 'loads' as const, ageS, standingRanks }
    : { heartbeat: 'unknown' as const, ageS, standingRanks };
}

function byCpu(window: Window, id: TargetId) {
  const clocks = window.series(id).filter((s) => s.name === 'scheduler_process_cpu_seconds_total');
  const read = clocks.flatMap((s) => {
    const last = s.points.at(-1);
    const first = s.points.findLast((p) => last !== undefined && p.at <= last.at - CPU_SPAN_MS);
    const previous = s.points.at(-2);
    if (!last || !previous || window.at - last.at > FRESH_MS) return [];
    if (last.value > previous.value) return [{ stands: false, rank: s.rank }];
    return first && first.value === last.value ? [{ stands: true, rank: s.rank }] : [];
  });
  if (read.length === 0) return undefined;
  const standing = read.filter((r) => r.stands);
  const ranks = clocks.length > 1 ? standing.flatMap((r) => r.rank ?? []) : [];
  return { heartbeat: standing.length > 0 ? ('stands' as const) : ('turns' as const), heartbeatBy: 'cpu' as const, standingRanks: ranks };
}

/** vLLM: with requests running and not one step the engine stands; with none running a still counter says nothing (vllm 0.32.0, seen running). */
function bySteps(window: Window, id: TargetId) {
  const all = window.series(id);
  const read = all
    .filter((s) => s.name === 'engine_steps_total')
    .flatMap((s) => {
      const last = s.points.at(-1);
      const previous = s.points.at(-2);
      if (!last || !previous || window.at - last.at > FRESH_MS) return [];
      if (last.value > previous.value) return [{ stands: false, rank: s.rank }];
      const since = s.points.findLast((p) => p.at <= last.at - CPU_SPAN_MS);
      const running = all.find((r) => r.name === 'num_running_reqs' && r.rank === s.rank)?.points.filter((p) => since !== undefined && p.at >= since.at) ?? [];
      const isBusy = running.length >= 2 && running.every((p) => p.value > 0);
      return isBusy && since?.value === last.value ? [{ stands: true, rank: s.rank }] : [];
    });
  if (read.length === 0) return undefined;
  const standing = read.filter((r) => r.stands);
  const ranks = read.length > 1 ? standing.flatMap((r) => r.rank ?? []) : [];
  return { heartbeat: standing.length > 0 ? ('stands' as const) : ('turns' as const), heartbeatBy: 'steps' as const, standingRanks: ranks };
}

/** Older builds' `/v1/loads` is answered by the scheduler: its silence, while the HTTP process answers, is the scheduler's. Asked only in diagnosis. */
function byControl(window: Window, id: TargetId) {
  const page = window.page(id, 'loads');
  if (!page || window.at - page.at > 40_000) return undefined;
  // A page that needs no scheduler has to answer meanwhile: else the whole process may be mute.
  const metrics = window.page(id, 'metrics');
  const answersElse = metrics === undefined || (metrics.outcome !== 'timeout' && metrics.at > (page.failingSince ?? page.at) - CONTROL_PATIENCE_MS);
  if (page.outcome === 'timeout' && answersElse) return { heartbeat: 'stands' as const, heartbeatBy: 'control' as const, standingRanks: [] };
  return page.outcome === 'ok' && window.at - page.at < FRESH_MS
    ? { heartbeat: 'turns' as const, heartbeatBy: 'control' as const, standingRanks: [] }
    : undefined;
}

/** The weakest sign: any message of the scheduler passes the check, and a long prefill fails it. */
function byHealth(window: Window, id: TargetId) {
  const health = window.health(id);
  // vLLM's check is answered by its HTTP process whatever the engine does
  if (!health || window.target(id)?.kind === 'vllm' || window.at - health.sentAt > 45_000 || window.page(id, 'metrics')?.outcome === 'timeout')
    return undefined;
  const { status, elapsedMs } = health.exchange;
  const waits = status === undefined && (health.outcome === 'pending' || health.late) && window.at - health.sentAt > HEALTH_WAITS_MS;
  if (waits || (status === 503 && elapsedMs > HEALTH_WAITS_MS)) return { heartbeat: 'stands' as const, heartbeatBy: 'health' as const, standingRanks: [] };
  return status === 200 && elapsedMs > 500 && window.at - health.sentAt < FRESH_MS + elapsedMs
    ? { heartbeat: 'turns' as const, heartbeatBy: 'health' as const, standingRanks: [] }
    : undefined;
}

/** Its heart-beat was seen standing after `from`, whatever it does now. */
export function stoodAfter(window: Window, id: TargetId, from: number): boolean {
  const ages = window.series(id).filter((s) => s.name === 'loads_age_seconds');
  if (ages.some((s) => s.points.some((p) => p.at >= from && p.value > STANDS_AGE_S))) return true;
  const cpu = window.series(id).filter((s) => s.name === 'scheduler_process_cpu_seconds_total');
  return cpu.some((s) => s.points.some((p) => p.at > from && s.points.findLast((q) => q.at <= p.at - CPU_SPAN_MS)?.value === p.value));
}

/** What moved on an engine between two moments; undefined where its pages do not tell. */
export type Motion = {
  prefillTokens?: number;
  decodeTokens?: number;
  generated?: number;
  chats?: number;
  healthCalls?: number;
  failed5xx?: number;
  transfersFailed?: number;
  bootstrapsFailed?: number;
};

export function motion(window: Window, id: TargetId, from: number, to?: number): Motion {
  const moved = (name: SeriesName, by?: string) => window.moved(id, name, from, to, by === undefined ? {} : { by });
  const healthCalls = moved('http_requests_total', 'health');
  const compute = moved('realtime_tokens_total', 'prefill_compute');
  return {
    // Each health call of a prefill is itself one computed token (SGLang's sources).
    prefillTokens: compute === undefined ? undefined : Math.max(0, compute - (healthCalls ?? 0)),
    decodeTokens: moved('realtime_tokens_total', 'decode') ?? moved('generation_tokens_total'),
    generated: moved('generation_tokens_total'),
    chats: moved('http_requests_total', 'chat'),
    healthCalls,
    failed5xx: moved('http_responses_total', 'chat:5xx'),
    transfersFailed: moved('num_transfer_failed_reqs_total'),
    bootstrapsFailed: moved('num_bootstrap_failed_reqs_total'),
  };
}

/** One kind of motion of several engines together; undefined where none of them tells it, which is not zero. */
export function motionOf(window: Window, engines: readonly EngineReading[], kind: keyof Motion, from: number): number | undefined {
  const told = engines.flatMap((e) => motion(window, e.target.id, from)[kind] ?? []);
  return told.length === 0 ? undefined : told.reduce((sum, n) => sum + n, 0);
}

/** A standing scheduler in words, by the sign that tells it. */
export function heartbeatWords(e: EngineReading): string {
  if (e.heartbeatBy === 'loads') return `the scheduler of ${e.target.name} last spoke ${Math.round(e.ageS ?? 0)} s ago`;
  if (e.heartbeatBy === 'cpu') return `the scheduler of ${e.target.name} uses no CPU at all`;
  if (e.heartbeatBy === 'steps') return `${e.target.name} holds running requests and makes no step`;
  if (e.heartbeatBy === 'control') return `the scheduler of ${e.target.name} does not answer a control call`;
  return `the scheduler of ${e.target.name} does not answer its own health check`;
}
