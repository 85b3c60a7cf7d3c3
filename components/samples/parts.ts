import type { NodeView, ProbeDot, SelfView, ValueView } from '@/lib/model/snapshot';

/** The moment at which every sample is taken. */
export const AT = Date.UTC(2026, 11, 1, 14, 5, 33);

export const router = 'main.router';
export const balancer = 'main.mini-lb';
export const prefill = 'main.prefill';
export const decode = 'main.decode';

export function value(name: string, v: number | null, more: Partial<ValueView> = {}): ValueView {
  return { key: name, name, source: 'metrics', v, ageMs: 2_300, ...more };
}

export function dots(target: string, n: number, make: (index: number) => Partial<ProbeDot>): ProbeDot[] {
  return Array.from({ length: n }, (_, index) => ({
    id: `${target}-${n - index}`,
    at: AT - 4_000 - index * 12_000,
    purpose: 'steady',
    outcome: 'ok',
    late: false,
    ended: true,
    ttftMs: 90 + ((index * 37) % 60),
    elapsedMs: 240 + ((index * 53) % 90),
    ...make(index),
  }));
}

export const quietDots = (target: string) => dots(target, 24, () => ({}));

export const self: SelfView = {
  freshness: 'live',
  sentence: 'All loops on time.',
  lagMs: 3,
  blind: [],
  restarts: 0,
  loops: [
    { name: 'chat', target: router, everyMs: 10_000, lastEnd: AT - 4_000, errors: 0 },
    { name: 'metrics', target: decode, everyMs: 5_000, lastEnd: AT - 2_300, errors: 0 },
  ],
};

const common = { known: ['config', 'fingerprint'], restarts: [], pages: [] } satisfies Partial<NodeView>;
const quiet = { verdict: 'ok', freshness: 'live', since: AT - 3 * 3_600_000, because: '24 of 24 probes completed.' } as const;

export const routerNode: NodeView = {
  ...common,
  id: router,
  name: 'router',
  url: 'http://127.0.0.1:30001',
  kind: 'sglang-router',
  role: 'router',
  version: '0.3.2',
  judgement: quiet,
  health: {
    path: '/health',
    status: 200,
    tookMs: 2,
    at: AT - 5_000,
    says: 'up',
    sentence: '/health says 200',
    proves: 'The gateway process answers; no worker was asked.',
  },
  models: { ids: ['deepseek-v4-flash'], at: AT - 9_000 },
  workers: [
    { url: 'http://127.0.0.1:30000', role: 'prefill', isHealthy: true, load: 0, target: prefill },
    { url: 'http://127.0.0.1:30002', role: 'decode', isHealthy: true, load: 0, target: decode },
  ],
  strip: quietDots(router),
  values: [value('router_inflight_reqs{by=10}', 0, { name: 'router_inflight_reqs', source: 'router' })],
  budget: {
    target: router,
    unfinished: 0,
    aborts10min: 0,
    controlCallsOut: 0,
    probesPerMinute: 5,
    tokensPerMinute: 30,
    paused: false,
  },
};

export const balancerNode: NodeView = {
  ...common,
  id: balancer,
  name: 'mini_lb',
  url: 'http://127.0.0.1:8000',
  kind: 'mini-lb',
  role: 'balancer',
  judgement: quiet,
  health: { path: '/health', status: 200, tookMs: 1, at: AT - 5_000, says: 'up', sentence: '/health says 200', proves: 'The process answers; it asks nobody.' },
  models: { ids: ['/root/models/DeepSeek-V4-Flash'], at: AT - 9_000 },
  strip: quietDots(balancer),
  values: [],
  budget: { target: balancer, unfinished: 0, aborts10min: 0, controlCallsOut: 0, probesPerMinute: 5, tokensPerMinute: 30, paused: false },
};

export const prefillNode: NodeView = {
  ...common,
  id: prefill,
  name: 'prefill',
  url: 'http://127.0.0.1:30000',
  kind: 'sglang',
  role: 'prefill',
  version: '0.5.23',
  judgement: { ...quiet, because: 'Scheduler spoke 0.4 s ago.' },
  health: {
    path: '/health',
    status: 200,
    tookMs: 1_004,
    at: AT - 12_000,
    says: 'up',
    sentence: '/health says 200',
    proves: 'One token was computed by the scheduler.',
  },
  models: { ids: ['deepseek-v4-flash'], at: AT - 9_000 },
  strip: [],
  values: [
    value('num_running_reqs', 1),
    value('num_queue_reqs', 0),
    value('num_prefill_bootstrap_queue_reqs', 0),
    value('num_prefill_inflight_queue_reqs', 1),
    value('token_usage', 0.12),
  ],
  schedulerAgeS: 0.4,
  cmdline: 'python -m sglang.launch_server --model-path /root/models/DeepSeek-V4-Flash --disaggregation-mode prefill --port 30000 --enable-metrics',
};

export const decodeNode: NodeView = {
  ...common,
  id: decode,
  name: 'decode',
  url: 'http://127.0.0.1:30002',
  kind: 'sglang',
  role: 'decode',
  version: '0.5.23',
  judgement: { ...quiet, because: 'Scheduler spoke 0.3 s ago.' },
  health: {
    path: '/health',
    status: 200,
    tookMs: 1_003,
    at: AT - 12_000,
    says: 'up',
    sentence: '/health says 200',
    proves: 'The HTTP process answers; the fake transfer was not awaited.',
  },
  models: { ids: ['deepseek-v4-flash'], at: AT - 9_000 },
  strip: [],
  values: [
    value('num_running_reqs', 6),
    value('num_queue_reqs', 0),
    value('num_decode_prealloc_queue_reqs', 0),
    value('num_decode_transfer_queue_reqs', 0),
    value('num_decode_retracted_queue_reqs', 0),
    value('gen_throughput', 412.4),
    value('token_usage', 0.31),
  ],
  schedulerAgeS: 0.3,
};
