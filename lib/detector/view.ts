import type { HealthReading, Software } from '@/lib/model/dialect';
import { hangPhase, type ProbeResult } from '@/lib/model/probe';
import { HTTP_WRITTEN, type SeriesName } from '@/lib/model/sample';
import type { ExportTable, NodeView, ProbeDot, StackView, ValueView } from '@/lib/model/snapshot';
import { type Target, takesChats } from '@/lib/model/target';
import type { Judgement, Place } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';
import { readEngine } from '@/lib/reading/engine';
import { classify } from '@/lib/reading/front-end';
import { type Once, once, viewClaims, viewExports } from './claims';

const STRIP = 18;
const SLOW_MS = 4_000;

/** The series each role shows on its card, in reading order. */
const SHOWN: Record<string, SeriesName[]> = {
  prefill: ['num_prefill_bootstrap_queue_reqs', 'num_queue_reqs', 'num_prefill_inflight_queue_reqs', 'num_running_reqs', 'token_usage'],
  decode: ['num_decode_prealloc_queue_reqs', 'num_decode_transfer_queue_reqs', 'num_queue_reqs', 'num_running_reqs', 'gen_throughput', 'token_usage'],
  unified: ['num_queue_reqs', 'num_running_reqs', 'gen_throughput', 'token_usage'],
  router: [],
  balancer: [],
  unknown: [],
};
/** Shown with a label, one value each. */
const LABELLED: Record<string, [SeriesName, string][]> = {
  prefill: [
    ['realtime_tokens_total', 'prefill_compute'],
    ['http_requests_active', 'chat'],
  ],
  decode: [
    ['realtime_tokens_total', 'decode'],
    ['http_requests_active', 'chat'],
  ],
  unified: [
    ['realtime_tokens_total', 'decode'],
    ['http_requests_active', 'chat'],
  ],
  router: [['router_inflight_reqs', '30']],
};

/** What several nodes share is told once per stack. */
export type Shared = { readings: Once<HealthReading>; exports: Once<ExportTable> };

export const shared = (): Shared => ({ readings: once(), exports: once() });

/** One node as the screen draws it. */
export function viewNode(window: Window, target: Target, judgement: Judgement, software: Software, { readings, exports }: Shared = shared()): NodeView {
  const claims = viewClaims(window, target, software, readings);
  const engine = readEngine(window, target.id);
  const models = window.models(target.id);
  return {
    id: target.id,
    name: target.name,
    url: target.url,
    kind: target.kind,
    role: target.role,
    ...(target.version ? { version: target.version } : {}),
    known: target.known,
    ...(target.pid === undefined ? {} : { pid: target.pid }),
    ...(target.cmdline === undefined ? {} : { cmdline: target.cmdline }),
    judgement,
    health: viewHealth(window, target, (path) => readings.list[claims.find((claim) => claim.path === path)?.reading ?? -1]?.proves),
    claims,
    ...viewExports(window, target, software, exports),
    models: { ids: models?.ids.slice(0, 6) ?? [], ...(models ? { at: models.at } : {}), ...(models?.error ? { error: models.error } : {}) },
    ...(takesChats(target) && window.workers(target.id) ? { workers: [...(window.workers(target.id) ?? [])].slice(0, 16) } : {}),
    strip: window
      .probes(target.id)
      .slice(0, STRIP)
      .map((p) => dot(p)),
    values: viewValues(window, target),
    pages: (['metrics', 'loads', 'router'] as const).flatMap((source) => {
      const page = window.page(target.id, source);
      return page
        ? [
            {
              source,
              outcome: page.outcome,
              at: page.at,
              ...(page.lastOk && page.outcome !== 'ok' ? { lastOk: page.lastOk } : {}),
              ...(page.detail ? { detail: page.detail } : {}),
            },
          ]
        : [];
    }),
    ...(engine?.ageS === undefined ? {} : { schedulerAgeS: Math.round(engine.ageS * 10) / 10 }),
    ...(engine?.heartbeat === 'stands' ? { stands: true as const } : {}),
    restarts: [...window.restarts(target.id)],
    ...footprint(window, target),
  };
}

/** Our footprint on a target, where we have one: an engine is sent no chats, and a control call seldom. */
function footprint(window: Window, target: Target): Pick<NodeView, 'budget'> {
  const budget = window.budget(target.id);
  return budget && (takesChats(target) || budget.controlCallsOut > 0) ? { budget } : {};
}

function dot(p: ProbeResult): ProbeDot {
  const phase = p.late ? hangPhase(p.outcome) : undefined;
  return {
    id: p.id,
    at: p.sentAt,
    purpose: p.purpose,
    outcome: p.outcome,
    late: p.late,
    ended: p.exchange.ended,
    elapsedMs: Math.round(p.exchange.elapsedMs),
    ...(p.reading?.ttftMs === undefined ? {} : { ttftMs: Math.round(p.reading.ttftMs) }),
    ...(phase ? { phase } : {}),
    ...(p.outcome !== 'ok' && p.exchange.status !== undefined ? { status: p.exchange.status } : {}),
  };
}

function viewHealth(window: Window, target: Target, proves: (path: string) => string | undefined): NodeView['health'] {
  const h = window.health(target.id);
  if (!h) return undefined;
  const { status, elapsedMs } = h.exchange;
  const waiting = status === undefined && h.outcome === 'pending';
  const says =
    h.outcome === 'refused'
      ? 'refused'
      : status === undefined
        ? h.late
          ? 'silent'
          : waiting
            ? 'slow'
            : 'error'
        : status === 200
          ? 'up'
          : status === 503
            ? 'not ready'
            : 'error';
  const tookMs = waiting ? Math.max(0, window.at - h.sentAt) : Math.round(elapsedMs);
  const sentence = waiting ? (tookMs > SLOW_MS ? `asked ${Math.round(tookMs / 1000)} s ago, no answer yet` : 'being asked') : h.sentence;
  return { path: h.path, ...(status === undefined ? {} : { status }), tookMs, at: h.sentAt, says, sentence, proves: proves(h.path) ?? '' };
}

function viewValues(window: Window, target: Target): ValueView[] {
  const plain = (SHOWN[target.role] ?? []).map((name) => one(window, target, name));
  return [...plain, ...(LABELLED[target.role] ?? []).map(([name, by]) => one(window, target, name, by))];
}

function one(window: Window, target: Target, name: SeriesName, by?: string): ValueView {
  const v = window.value(target.id, name, by === undefined ? {} : { by });
  const all = window.series(target.id).filter((s) => s.name === name && (by === undefined || s.by === by));
  const live = all.filter((s) => s.source === 'loads');
  const from = live.length > 0 ? live : all;
  const last = Math.max(0, ...from.map((s) => s.points.at(-1)?.at ?? 0));
  const changed = Math.max(0, ...from.map((s) => s.changedAt ?? s.points[0]?.at ?? 0));
  const alias = from[0]?.alias;
  return {
    key: by ? `${name}{by=${by}}` : name,
    name,
    source: from[0]?.source ?? 'metrics',
    v: v === undefined ? null : Math.round(v * 1000) / 1000,
    ageMs: last > 0 ? window.at - last : 0,
    ...(changed > 0 ? { stillMs: window.at - changed } : {}),
    ...(alias ? { alias } : {}),
    ...(stale(window, target, name, from[0]?.source, last) ? { stale: true } : {}),
  };
}

/** A gauge on a page whose scheduler stands is its last word, not a reading. */
function stale(window: Window, target: Target, name: SeriesName, source: string | undefined, last: number): boolean {
  return (last > 0 && window.at - last > 15_000) || (source === 'metrics' && !HTTP_WRITTEN.has(name) && readEngine(window, target.id)?.heartbeat === 'stands');
}

/** Where the dot of each front-end's last probe stands. */
export function viewDots(window: Window, nodes: readonly NodeView[]): StackView['dots'] {
  return nodes.flatMap((node) => {
    const p = window.probes(node.id).find((x) => x.purpose !== 'experiment');
    if (!p) return [];
    const is = classify(p, window);
    const moving = is === 'pending';
    const stopped = is === 'good' || is === 'slow' || moving || is === 'void';
    const place: Place = stopped ? { kind: 'none', inferred: false } : (node.judgement.place ?? { kind: 'none', inferred: true });
    return [{ target: node.id, probe: p.id, place, moving, inferred: place.inferred }];
  });
}

/** The KV transfer as a place of its own, where prefill and decode are apart. */
export function kvView(window: Window, nodes: readonly NodeView[]): StackView['kv'] {
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
