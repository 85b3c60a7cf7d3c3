import type { Ranked } from '@/lib/model/hypothesis';
import type { NodeView, Snapshot, StackView } from '@/lib/model/snapshot';
import type { Judgement } from '@/lib/model/verdict';
import { AT, balancer, balancerNode, decode, decodeNode, dots, prefill, prefillNode, router, routerNode, self } from './parts';

const ago = (seconds: number) => AT - seconds * 1_000;
const iso = (at: number) => `{${new Date(at).toISOString()}}`;

const edges: StackView['edges'] = [
  { from: router, to: prefill, kind: 'routes', known: 'workers' },
  { from: router, to: decode, kind: 'routes', known: 'workers' },
  { from: balancer, to: prefill, kind: 'routes', known: 'cmdline' },
  { from: balancer, to: decode, kind: 'routes', known: 'cmdline' },
  { from: prefill, to: decode, kind: 'kv', known: 'inferred' },
];

const idsDiffer =
  'Ids differ between front-ends: router advertises "deepseek-v4-flash", mini_lb "/root/models/DeepSeek-V4-Flash". Each is probed with its own.';

const quietStack: StackView = {
  id: 'main',
  name: 'main',
  judgement: { verdict: 'ok', freshness: 'live', since: ago(3 * 3_600), because: 'Every front-end completes its probes.' },
  sentence: `All quiet: 2 of 2 front-ends answer, last good answer at ${iso(ago(4))}. 48 of 48 probes.`,
  frontEnds: { answering: 2, of: 2 },
  lastGoodAt: ago(4),
  nodes: [routerNode, balancerNode, prefillNode, decodeNode],
  edges,
  kv: { verdict: 'ok', sentence: 'KV transfers complete.', queue: 0 },
  dots: [],
  hypotheses: [ranked('decode-stuck', 'The decode scheduler has stopped.', 0.02), ranked('overload-not-wedge', 'The stack is overloaded, not wedged.', 0.03)],
  facts: [idsDiffer],
};

/** Every front-end answers. */
export const quiet: Snapshot = snapshot(quietStack);

const wedged = (of: number, phase: Judgement['phase']): Judgement => ({
  verdict: 'hanging',
  freshness: 'live',
  since: ago(131),
  phase,
  place: { kind: 'decode', target: decode, name: 'decode', inferred: false },
  rate: { failed: of, of, low: 0.65, high: 1 },
  because: 'Accepted, zero bytes past the deadline, while the decode scheduler has not spoken.',
});

const hungDots = (target: string) =>
  dots(target, 24, (index) =>
    index < 7 ? { outcome: 'zero-bytes', late: true, ended: false, ttftMs: undefined, elapsedMs: 12_000 + index * 12_000, phase: 'no header' } : {},
  );

const hangingStack: StackView = {
  ...quietStack,
  judgement: wedged(14, 'no header'),
  sentence: `router :30001 and mini_lb :8000 hang since ${iso(ago(131))}. /health says 200. Requests stop at decode. 14 of 14 probes.`,
  frontEnds: { answering: 0, of: 2 },
  oldestWaitMs: 131_000,
  lastGoodAt: ago(140),
  nodes: [
    changed(routerNode, {
      judgement: wedged(7, 'no header'),
      strip: hungDots(router),
      budget: { ...budgetOf(routerNode), unfinished: 3, aborts10min: 1, nextProbeAt: AT + 34_000, waitsFor: 'two aborts in ten minutes' },
    }),
    changed(balancerNode, {
      judgement: wedged(7, 'no first token'),
      strip: hungDots(balancer).map((dot) => (dot.late ? { ...dot, outcome: 'headers-only', phase: 'no first token' } : dot)),
    }),
    changed(prefillNode, {
      judgement: { ...prefillNode.judgement, because: 'Turns, and waits for decode.', suppressedBy: decode },
      values: prefillNode.values.map((one) => (one.name.includes('inflight') ? { ...one, v: 1 } : one.name.includes('bootstrap') ? { ...one, v: 14 } : one)),
    }),
    changed(decodeNode, {
      judgement: { ...wedged(14, undefined), because: 'Scheduler silent for 139 s while requests wait for it.' },
      schedulerAgeS: 139,
      values: decodeNode.values.map((one) => ({ ...one, v: one.name === 'num_running_reqs' ? 0 : one.v, stillMs: 139_000, stale: true })),
    }),
  ],
  kv: { verdict: 'unknown', sentence: 'Nothing to transfer to: decode does not take requests.', queue: 0 },
  dots: [
    { target: router, probe: `${router}-24`, place: { kind: 'decode', target: decode, name: 'decode', inferred: false }, moving: false, inferred: false },
    { target: balancer, probe: `${balancer}-24`, place: { kind: 'decode', target: decode, name: 'decode', inferred: true }, moving: false, inferred: true },
  ],
  hypotheses: [
    {
      ...ranked('decode-stuck', 'The decode scheduler has stopped: requests are accepted and never admitted.', 0.94),
      evidence: [
        {
          weight: 2.6,
          because: 'The scheduler of decode last spoke 139 s ago; it used to speak each second.',
          cites: [{ kind: 'series', target: decode, key: 'loads_age_seconds@loads', at: AT }],
        },
        {
          weight: 1.4,
          because: 'Both front-ends hang, each with its own model id.',
          cites: [
            { kind: 'probe', id: `${router}-24` },
            { kind: 'probe', id: `${balancer}-24` },
          ],
        },
        {
          weight: 0.9,
          because: 'Bootstrap queue of prefill grew by 14, one for each of our probes.',
          cites: [{ kind: 'series', target: prefill, key: 'num_prefill_bootstrap_queue_reqs', at: AT }],
        },
        { weight: -0.3, because: '/health of decode says 200.', cites: [{ kind: 'topology', target: decode }] },
      ],
      next: 'Look at the stack of every decode rank: py-spy dump --pid <pid of sglang::scheduler>. All in one collective means that none will leave it.',
    },
    {
      ...ranked('kv-transfer-stuck', 'KV transfer does not complete.', 0.11),
      evidence: [
        {
          weight: 0.4,
          because: 'One request has stood in the inflight queue of prefill for 131 s.',
          cites: [{ kind: 'series', target: prefill, key: 'num_prefill_inflight_queue_reqs', at: AT }],
        },
        { weight: -1.6, because: 'No transfer failed and none was begun.', cites: [] },
      ],
      next: 'Restart nothing yet; compare num_transfer_failed_reqs_total before and after one more probe.',
    },
    ranked('front-end-stuck', 'The front-ends hold stale connections.', 0.04),
    ranked('wrong-model-name', 'The model id is not one that the engines know.', 0.02),
  ],
  incident: {
    id: 'inc-1',
    stack: 'main',
    openedAt: ago(131),
    verdict: 'hanging',
    place: { kind: 'decode', target: decode, name: 'decode', inferred: false },
    targets: [router, balancer],
    sentence: 'router and mini_lb hang; requests stop at decode.',
    top: { id: 'decode-stuck', claim: 'The decode scheduler has stopped.', probability: 0.94 },
  },
};

/** The incident of this project's origin: both front-ends hang at decode while every health cell reads 200. */
export const hanging: Snapshot = snapshot(hangingStack);

const refused: Judgement = {
  verdict: 'down',
  freshness: 'live',
  since: ago(48),
  place: { kind: 'front-end', target: router, name: 'router', inferred: false },
  rate: { failed: 4, of: 4, low: 0.51, high: 1 },
  because: 'Connection refused by :30001.',
};

/** One of two front-ends refuses connections. */
export const down: Snapshot = snapshot({
  ...quietStack,
  judgement: refused,
  sentence: `router :30001 is down since ${iso(ago(48))} (1 of 2 front-ends). Connection refused. 4 of 4 probes.`,
  frontEnds: { answering: 1, of: 2 },
  nodes: [
    changed(routerNode, {
      judgement: refused,
      health: { path: '/health', at: ago(3), says: 'refused', sentence: 'connection refused', proves: 'The gateway process answers.' },
      strip: dots(router, 24, (index) => (index < 4 ? { outcome: 'refused', late: false, ended: true, ttftMs: undefined, elapsedMs: 1 } : {})),
    }),
    balancerNode,
    prefillNode,
    decodeNode,
  ],
  dots: [
    { target: router, probe: `${router}-24`, place: { kind: 'front-end', target: router, name: 'router', inferred: false }, moving: false, inferred: false },
  ],
  hypotheses: [ranked('front-end-stuck', 'The front-end process is gone.', 0.81)],
});

const slow: Judgement = {
  verdict: 'degraded',
  freshness: 'live',
  detail: 'slow',
  since: ago(310),
  rate: { failed: 0, of: 12, low: 0, high: 0.24 },
  because: 'First token after 6.1 s, usually 0.1 s; every probe ends.',
};

/** Overload: everything answers, slowly. */
export const degraded: Snapshot = snapshot({
  ...quietStack,
  judgement: slow,
  sentence: `router :30001 and mini_lb :8000 are slow since ${iso(ago(310))}: first token after 6.1 s. Queues are long and move. 12 of 12 probes answer.`,
  nodes: [
    changed(routerNode, { judgement: slow, strip: dots(router, 24, (index) => (index < 12 ? { ttftMs: 6_100, elapsedMs: 6_600 } : {})) }),
    changed(balancerNode, {
      judgement: slow,
      strip: dots(balancer, 24, (index) => (index < 12 ? { ttftMs: 5_800, elapsedMs: 6_300, late: index === 4 } : {})),
    }),
    changed(prefillNode, { values: prefillNode.values.map((one) => (one.name === 'num_queue_reqs' ? { ...one, v: 412 } : one)) }),
    changed(decodeNode, { values: decodeNode.values.map((one) => (one.name === 'num_running_reqs' ? { ...one, v: 64 } : one)) }),
  ],
  dots: [{ target: router, probe: `${router}-24`, place: { kind: 'prefill', target: prefill, name: 'prefill', inferred: true }, moving: true, inferred: true }],
  hypotheses: [ranked('overload-not-wedge', 'The stack is overloaded, not wedged.', 0.88)],
});

const wrong: Judgement = {
  verdict: 'misconfigured',
  freshness: 'live',
  detail: 'key',
  since: ago(600),
  rate: { failed: 50, of: 50, low: 0.93, high: 1 },
  because: '401 to every probe; an API key is wanted.',
};

/** A setting of ours or theirs explains a quick refusal. */
export const misconfigured: Snapshot = snapshot({
  ...quietStack,
  judgement: wrong,
  sentence: `mini_lb :8000 is misconfigured since ${iso(ago(600))}: it wants an API key (401). 50 of 50 probes.`,
  frontEnds: { answering: 1, of: 2 },
  nodes: [
    routerNode,
    changed(balancerNode, {
      judgement: wrong,
      models: { ids: [], error: '401 from /v1/models' },
      strip: dots(balancer, 24, () => ({ outcome: 'rejected', ttftMs: undefined, elapsedMs: 3 })),
    }),
    prefillNode,
    decodeNode,
  ],
});

/** We were not looking: nothing may be said of the stack. */
export const blind: Snapshot = {
  ...snapshot({
    ...quietStack,
    judgement: { verdict: 'unknown', freshness: 'blind', since: ago(42), because: 'Our own loops stood still.' },
    sentence: `Unknown since ${iso(ago(42))}: Wedgewatch was not looking.`,
    frontEnds: { answering: 0, of: 2 },
    nodes: quietStack.nodes.map((node) => changed(node, { judgement: { ...node.judgement, freshness: 'blind' } })),
    hypotheses: [ranked('observer-blind', 'The observer is blind, not the stack ill.', 0.97)],
  }),
  self: {
    ...self,
    freshness: 'blind',
    sentence: 'The collector stood still for 42 s.',
    lagMs: 42_000,
    blind: [{ from: ago(42), why: 'event loop lag of 42 s' }],
  },
};

/** All samples by the state that they show. */
export const samples = { quiet, hanging, down, degraded, misconfigured, blind };

function snapshot(stack: StackView): Snapshot {
  return { at: AT, tick: 11_042, build: 'sample', startedAt: ago(11_042), self, stacks: [stack] };
}

function ranked(id: string, claim: string, probability: number): Ranked {
  const logOdds = Math.log(probability / (1 - probability));
  return {
    id,
    claim,
    prior: -3,
    logOdds,
    probability,
    evidence: [],
    next: 'Send one more probe and watch the counters of the next hop.',
    implies: { verdict: 'hanging' },
  };
}

function changed(node: NodeView, change: Partial<NodeView>): NodeView {
  return { ...node, ...change };
}

function budgetOf(node: NodeView): NonNullable<NodeView['budget']> {
  return node.budget ?? { target: node.id, unfinished: 0, aborts10min: 0, controlCallsOut: 0, probesPerMinute: 0, tokensPerMinute: 0, paused: false };
}
