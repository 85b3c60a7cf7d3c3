import { readFileSync } from 'node:fs';
import { sglang } from '@/lib/dialects/sglang';
import type { LoopState, Observation } from '@/lib/model/observation';
import type { ProbeResult } from '@/lib/model/probe';
import type { Sample } from '@/lib/model/sample';
import { isFrontEnd, type Role, type Target } from '@/lib/model/target';
import type { Edge } from '@/lib/model/topology';

/** How many stacks of which targets are told of, from when on their decodes (or the first few, `stands`) stand, and how often a chat is sent and the clock ticks (12 s, 1 s). */
export type Fleet = {
  stacks: number;
  frontEnds: number;
  pairs: number;
  prefills?: number;
  decodes?: number;
  stands?: number;
  wedgedFromS: number;
  chatEveryS?: number;
  tickEveryS?: number;
};

const T0 = Date.UTC(2026, 11, 1, 14);
const MODEL = 'deepseek-ai/DeepSeek-V3.1-Terminus';
const PAGES = 'lib/dialects/fixtures/sglang-0.5.23/pd/pd-';
const DEADLINE_MS = 8_000;
const LOOPS = ['discover', 'metrics', 'health', 'facts'];

/** What a collector would tell the detector of such a fleet in each second at the default intervals: recorded pages whose counters move, chats, health. */
export function fleet({ stacks, frontEnds, pairs, prefills = pairs, decodes = pairs, stands = decodes, wedgedFromS, chatEveryS = 12, tickEveryS = 1 }: Fleet) {
  const pages = { prefill: samplesOf('prefill'), decode: samplesOf('decode') };
  const members = Array.from({ length: stacks }, (_, index) => membersOf(`stack-${index}`, frontEnds, prefills, decodes));
  const targets = members.flatMap((member) => member.targets);
  const loops: LoopState[] = targets.flatMap((target) =>
    [...LOOPS, ...(isFrontEnd(target) ? ['chat'] : [])].map((name) => ({ name, target: target.id, everyMs: 5_000, errors: 0, lastEnd: T0 })),
  );
  const chats = new Map<string, ProbeResult[]>();
  let serial = 0;

  return {
    targets: targets.length,
    /** All that is observed in this second, the tick last. */
    *second(s: number): Generator<Observation> {
      const at = T0 + s * 1000;
      if (s === 0)
        for (const { stack, targets: own, edges } of members) {
          yield { kind: 'topology', at, stack, targets: own, edges };
          for (const target of own) yield { kind: 'models', at, target: target.id, models: { ids: [MODEL], at } };
        }
      for (const [index, target] of targets.entries()) {
        if ((s + index) % 5 === 0) yield* scrape(target, s, at);
        if ((s + index) % (isFrontEnd(target) ? 10 : 30) === 0) yield { kind: 'probe', at, result: health(target, at, serial++) };
        if (isFrontEnd(target)) yield* chat(target, s, at, index);
      }
      if (s % tickEveryS !== 0) return;
      for (const loop of loops) if ((loop.lastEnd ?? 0) + loop.everyMs <= at) loop.lastEnd = at;
      const budget = targets.filter(isFrontEnd).map(({ id }) => ({
        target: id,
        unfinished: chats.get(id)?.length ?? 0,
        aborts10min: 0,
        controlCallsOut: 0,
        probesPerMinute: 5,
        tokensPerMinute: 30,
        paused: false,
      }));
      yield { kind: 'self', at, self: { tick: s, lagMs: 2, gapMs: 0, clockStepMs: 0, loops, budget } };
    },
  };

  function* scrape(target: Target, s: number, at: number): Generator<Observation> {
    if (target.role !== 'prefill' && target.role !== 'decode') return;
    const isStill = target.role === 'decode' && Number(target.name.split('-')[1]) < stands && s >= wedgedFromS;
    const moved = (isStill ? wedgedFromS : s) * 7;
    const samples = pages[target.role].map(
      (sample): Sample => ({ ...sample, value: sample.name.endsWith('_total') || sample.name.endsWith('_count') ? sample.value + moved : sample.value }),
    );
    yield { kind: 'scrape', at, target: target.id, source: 'metrics', outcome: 'ok', tookMs: 6, samples };
  }

  /** Answered within a second, or hung for ever with at most three out at once. */
  function* chat(target: Target, s: number, at: number, index: number): Generator<Observation> {
    const out = chats.get(target.id) ?? [];
    chats.set(target.id, out);
    for (const hung of out)
      if (!hung.late && at - hung.sentAt >= DEADLINE_MS) yield told(hung, { outcome: 'headers-only', late: true, elapsedMs: at - hung.sentAt }, at);
    if ((s + 3 * index) % chatEveryS !== 0 || out.length >= 3) return;
    const sent = chatOf(target, at, serial++);
    yield { kind: 'probe', at, result: { ...sent } };
    if (s >= wedgedFromS) out.push(sent);
    else yield told(sent, { outcome: 'ok', late: false, elapsedMs: 640 }, at);
  }
}

function told(chat: ProbeResult, { outcome, late, elapsedMs }: { outcome: ProbeResult['outcome']; late: boolean; elapsedMs: number }, at: number): Observation {
  const isGood = outcome === 'ok';
  chat.outcome = outcome;
  chat.late = late;
  chat.sentence = isGood ? 'answered' : `headers and nothing after them for ${(elapsedMs / 1000).toFixed(1)} s on an open connection`;
  chat.exchange = {
    ...chat.exchange,
    elapsedMs,
    ended: isGood,
    status: 200,
    marks: { resolved: 0.1, connected: 0.4, sent: 0.6, headers: 12, ...(isGood ? { firstToken: 320, end: elapsedMs } : {}) },
  };
  if (isGood) chat.reading = { tokens: 6, ttftMs: 320, maxGapMs: 60, sawRole: true, sawDone: true, comments: 0, text: 'one two three four' };
  return { kind: 'probe', at, result: { ...chat } };
}

function chatOf(target: Target, at: number, serial: number): ProbeResult {
  return {
    id: `${serial.toString(16).padStart(16, '0')}`,
    target: target.id,
    probe: 'chat',
    proves: 'service',
    purpose: 'steady',
    path: '/v1/chat/completions',
    model: MODEL,
    stream: true,
    maxTokens: 6,
    outcome: 'pending',
    late: false,
    sentence: 'sent',
    sentAt: at,
    deadlineMs: DEADLINE_MS,
    deadlineFrom: 'configured',
    exchange: { at, marks: {}, elapsedMs: 0, ended: false, headers: { 'content-type': 'text/event-stream' }, bytes: 420, socketBytes: 600, head: '' },
    lagMs: 1,
    curl: `curl -N ${target.url}/v1/chat/completions`,
  };
}

function health(target: Target, at: number, serial: number): ProbeResult {
  const asked = chatOf(target, at, serial);
  return {
    ...asked,
    probe: 'health',
    proves: 'health',
    path: '/health',
    outcome: 'ok',
    sentence: '200 after 3 ms',
    exchange: { ...asked.exchange, elapsedMs: 3, ended: true, status: 200 },
  };
}

function membersOf(stack: string, frontEnds: number, prefillCount: number, decodeCount: number): { stack: string; targets: Target[]; edges: Edge[] } {
  const of = (role: Role, count: number, port: number) => Array.from({ length: count }, (_, index) => targetOf(stack, role, index, port + 10 * index));
  const fronts = [...of('router', Math.ceil(frontEnds / 2), 30001), ...of('balancer', Math.floor(frontEnds / 2), 8000)];
  const prefills = of('prefill', prefillCount, 30000);
  const decodes = of('decode', decodeCount, 30002);
  const edges = [
    ...fronts.flatMap((front) => [...prefills, ...decodes].map((engine): Edge => ({ from: front.id, to: engine.id, kind: 'routes', known: 'workers' }))),
    ...prefills.flatMap((prefill) => decodes.map((decode): Edge => ({ from: prefill.id, to: decode.id, kind: 'kv', known: 'inferred' }))),
  ];
  return { stack, targets: [...fronts, ...prefills, ...decodes], edges };
}

function targetOf(stack: string, role: Role, index: number, port: number): Target {
  const name = `${role}-${index}`;
  const kind = role === 'router' ? 'sglang-router' : role === 'balancer' ? 'mini-lb' : 'sglang';
  return {
    id: `${stack}.${name}`,
    stack,
    name,
    url: `http://10.0.0.${index + 1}:${port}`,
    kind,
    role,
    known: ['config', 'fingerprint'],
    probed: kind !== 'sglang',
    version: '0.5.23',
  };
}

function samplesOf(role: 'prefill' | 'decode'): Sample[] {
  return sglang.metrics(readFileSync(`${PAGES}${role}-metrics-load.prom`, 'utf8'));
}
