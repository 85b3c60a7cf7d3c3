import type { Experiment } from '@/lib/model/experiment';
import type { Event, Incident } from '@/lib/model/incident';
import type { Kept } from '@/lib/model/kept';
import type { ProbeResult } from '@/lib/model/probe';
import type { Snapshot } from '@/lib/model/snapshot';

/** A chat through the router that came back. */
export function aProbe(over: Partial<ProbeResult> = {}): ProbeResult {
  return {
    id: 'p1',
    target: 'lab.router',
    probe: 'chat',
    proves: 'service',
    purpose: 'steady',
    path: '/v1/chat/completions',
    model: 'llama',
    stream: true,
    maxTokens: 6,
    rid: 'ww-p1',
    outcome: 'ok',
    late: false,
    sentence: 'answered in 0.2 s',
    sentAt: Date.UTC(2026, 10, 5, 14),
    deadlineMs: 8000,
    deadlineFrom: 'configured',
    exchange: {
      at: over.sentAt ?? Date.UTC(2026, 10, 5, 14),
      marks: { resolved: 0.1, connected: 0.4, sent: 0.6, headers: 12, firstByte: 13, firstEvent: 13, firstToken: 80, end: 200 },
      elapsedMs: 200,
      ended: true,
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      bytes: 800,
      socketBytes: 1000,
      head: 'data: {"choices":[]}\n\n',
    },
    reading: { tokens: 6, ttftMs: 80, maxGapMs: 20, sawRole: true, sawDone: true, comments: 0, text: 'one two' },
    lagMs: 0,
    curl: "curl -N 'http://127.0.0.1:30001/v1/chat/completions'",
    ...over,
  };
}

/** A change of verdict. */
export function anEvent(over: Partial<Event> = {}): Event {
  return { id: 'e1', at: Date.UTC(2026, 10, 5, 14), stack: 'lab', kind: 'verdict', target: 'lab.router', sentence: 'router: ok -> hanging', ...over };
}

/** A wedge of decode behind two front-ends. */
export function anIncident(over: Partial<Incident> = {}): Incident {
  return {
    id: 'i1',
    stack: 'lab',
    openedAt: Date.UTC(2026, 10, 5, 14),
    verdict: 'hanging',
    place: { kind: 'decode', target: 'lab.decode', name: 'decode :30002', inferred: false },
    targets: ['lab.router', 'lab.balancer'],
    sentence: 'router :30001 hangs since {2026-11-05T14:00:00.000Z}. /health says 200. Requests stop at decode. 7 of 7 probes.',
    top: { id: 'decode-stuck', claim: 'The decode scheduler stands.', probability: 0.93 },
    ...over,
  };
}

/** What is kept with the incident of these examples. */
export function aKept(over: Partial<Kept> = {}): Kept {
  const at = over.at ?? Date.UTC(2026, 10, 5, 14);
  const [first] = aSnapshot({ at, tick: 60 }).stacks;
  if (!first) throw new Error('the example has a stack');
  return {
    id: 'i1',
    at,
    first,
    readings: [{ target: 'lab.decode', key: 'num_queue_reqs', value: 7, at: at - 900 }],
    probes: [aProbe({ id: 'hung', sentAt: at - 9_000, outcome: 'zero-bytes', late: true }), aProbe({ id: 'good', sentAt: at - 20_000 })],
    series: [
      {
        target: 'lab.decode',
        key: 'num_queue_reqs',
        name: 'num_queue_reqs',
        stepMs: 10_000,
        from: at - 50_000,
        min: [0, 0, null, 2, 7],
        max: [0, 3, null, 4, 7],
      },
    ],
    odds: [
      { at: at - 10_000, odds: { 'decode-stuck': -1.5, 'wrong-model-name': -2 } },
      { at, odds: { 'decode-stuck': 3.1, 'wrong-model-name': -3 } },
    ],
    ...over,
  };
}

/** One cell, one try. */
export function anExperiment(over: Partial<Experiment> = {}): Experiment {
  return {
    id: 'x1',
    stack: 'lab',
    startedAt: Date.UTC(2026, 10, 5, 14),
    state: 'done',
    progress: { done: 1, of: 1 },
    cells: [
      {
        target: 'lab.router',
        model: 'llama',
        whose: 'own',
        tries: [{ probe: 'p1', outcome: 'ok', late: false, ended: true, status: 200, bytes: 800, ttftMs: 80, elapsedMs: 200, sentence: 'answered in 0.2 s' }],
      },
    ],
    conclusion: { kind: 'none-hangs', sentence: 'No front-end hangs.', confidence: 'low' },
    ...over,
  };
}

/** One stack of two front-ends and two engines; ages and strip move with the tick as real ones do. */
export function aSnapshot(over: { at?: number; tick?: number; text?: string } = {}): Snapshot {
  const { at = Date.UTC(2026, 10, 5, 14), tick = 1, text = '' } = over;
  const isHanging = tick % 100 >= 50;
  const judgement = {
    verdict: isHanging ? ('hanging' as const) : ('ok' as const),
    freshness: 'live' as const,
    since: at - (tick % 50) * 1000,
    because: `7 of 7 probes ${text}`,
    ...(isHanging
      ? { phase: 'no first token' as const, place: { kind: 'decode' as const, target: 'lab.decode', name: 'decode :30002', inferred: false } }
      : {}),
    rate: { failed: isHanging ? 7 : 0, of: 7, low: 0.1, high: 0.9 },
  };
  const node = (name: string, role: 'router' | 'balancer' | 'prefill' | 'decode', port: number) => ({
    id: `lab.${name}`,
    name: `${name} :${port}`,
    url: `http://127.0.0.1:${port}`,
    kind: role === 'router' ? ('sglang-router' as const) : role === 'balancer' ? ('mini-lb' as const) : ('sglang' as const),
    role,
    known: ['config' as const],
    judgement,
    health: { path: '/health', status: 200, tookMs: 3.25, at: at - 400, says: 'up' as const, sentence: '200 in 3 ms', proves: 'the HTTP process answers' },
    models: { ids: ['llama'], at: at - 20_000 },
    strip: Array.from({ length: Math.min(24, Math.floor(tick / 10)) }, (_, slot) => ({
      id: `${name}-${Math.floor(tick / 10) - slot}`,
      at: at - (tick % 10) * 1000 - slot * 10_000,
      purpose: 'steady' as const,
      outcome: isHanging ? ('headers-only' as const) : ('ok' as const),
      late: isHanging,
      ended: !isHanging,
      elapsedMs: 200 + slot,
    })),
    values: ['num_queue_reqs', 'num_running_reqs', 'token_usage'].map((key, slot) => ({
      key,
      name: key,
      source: 'metrics',
      v: role === 'router' ? null : ((tick * (slot + 1)) % 9) / 4,
      ageMs: (tick % 5) * 1000 + 120,
      stillMs: tick * 1000,
    })),
    pages: [{ source: 'metrics', outcome: 'ok' as const, at: at - (tick % 5) * 1000, lastOk: at - (tick % 5) * 1000 }],
    restarts: [],
    budget: {
      target: `lab.${name}`,
      unfinished: isHanging ? 1 : 0,
      aborts10min: 0,
      controlCallsOut: 0,
      probesPerMinute: 5,
      tokensPerMinute: 30,
      paused: false,
    },
  });
  return {
    at,
    tick,
    build: 'test',
    startedAt: Date.UTC(2026, 10, 5, 13),
    self: {
      freshness: 'live',
      sentence: 'all loops on time',
      lagMs: tick % 4,
      blind: [],
      restarts: 0,
      loops: [{ name: 'scrape', target: 'lab.decode', everyMs: 5000, lastEnd: at - 300, errors: 0 }],
    },
    stacks: [
      {
        id: 'lab',
        name: 'lab',
        judgement,
        sentence: isHanging ? 'router :30001 hangs.' : 'All quiet.',
        frontEnds: { answering: isHanging ? 0 : 2, of: 2 },
        nodes: [node('router', 'router', 30001), node('balancer', 'balancer', 8000), node('prefill', 'prefill', 30000), node('decode', 'decode', 30002)],
        edges: [{ from: 'lab.router', to: 'lab.prefill', kind: 'routes', known: 'workers' }],
        dots: [{ target: 'lab.router', probe: 'router-1', place: { kind: 'decode', inferred: false }, moving: !isHanging, inferred: false }],
        hypotheses: [],
        facts: [],
      },
    ],
  };
}
