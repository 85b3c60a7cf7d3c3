import type { TargetId } from '@/lib/model/target';
import type { Place } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';
import { motion, readEngine } from '@/lib/reading/engine';
import { enginesBehind, type FrontEndReading, readFrontEnd, siblings } from '@/lib/reading/front-end';
import { paceOf } from '@/lib/reading/pace';

/** Requests waiting in an engine from which on a late answer may be a queue's doing. */
const CROWDED = 4;
const LOOK_BACK_MS = 12_000;
/** So many tokens of prefill in the look-back are more than our short chats can have caused. */
const LONG_TOKENS = 1_000;
/** Tokens computed for each token made, beyond which what flows is a long prompt and not chats. */
const LONG_RATIO = 200;

/** Late because saturated: tokens flow, queues are long, and no sibling is served in time. Progress is the judge, not the clock. */
export function overload(window: Window, id: TargetId, r: FrontEndReading): { place: Place; because: string } | undefined {
  const engines = enginesBehind(window, id).flatMap((t) => readEngine(window, t.id) ?? []);
  if (engines.some((e) => e.heartbeat === 'stands' && e.heartbeatBy !== 'health')) return undefined;
  const from = window.at - LOOK_BACK_MS;
  const ours = [id, ...siblings(window, id).map((s) => s.id)].reduce((sum, f) => sum + (readFrontEnd(window, f)?.open.length ?? 0), 0);
  const busy = engines.map((e) => {
    const q = e.queues;
    const m = motion(window, e.target.id, from);
    const before = (q.waiting ?? 0) + (q.prealloc ?? 0) + (q.bootstrap ?? 0);
    const handOver = (q.transfer ?? 0) + (q.inflight ?? 0);
    return {
      e,
      before: before - ours,
      waiting: before + handOver - ours,
      tokens: e.target.role === 'prefill' ? (m.prefillTokens ?? 0) : (m.decodeTokens ?? 0),
    };
  });
  const moving = busy.filter((b) => b.tokens > 0);
  const answering = moving.some((b) => b.e.target.role !== 'prefill');
  // With nothing coming out, only a queue before a computing prefill is overload: one behind it is a hand-over that does not complete.
  const computing = busy.find((b) => b.e.target.role === 'prefill' && b.tokens >= LONG_TOKENS && (b.e.queues.inflight ?? 0) === 0);
  const made = moving.reduce((sum, b) => sum + (b.e.target.role === 'prefill' ? 0 : b.tokens), 0);
  const long = computing && (computing.tokens > LONG_RATIO * made || standsBefore(window, computing.e.target.id) > ours) ? computing : undefined;
  const length = (b: (typeof busy)[number]) => (answering ? b.waiting : b.e.target.role === 'prefill' ? b.before : 0);
  const crowded = busy.filter((b) => length(b) >= CROWDED || b === long).sort((a, b) => length(b) - length(a));
  const sibling = r.newest?.is !== 'good' && siblings(window, id).some((s) => servesInTime(window, s.id));
  const first = crowded[0];
  if (!first || moving.length === 0 || sibling) return undefined;
  // With decode working off its queue, a prefill queue is its echo: the slowest stage is the one whose own queue stands before it.
  const decode = busy.find((b) => b.e.target.role === 'decode' && b.tokens > 0 && (!long || (b.e.queues.running ?? 0) + (b.e.queues.waiting ?? 0) >= CROWDED));
  const at = decode?.e ?? long?.e ?? first.e;
  const kind = at.target.role === 'prefill' ? 'prefill' : at.target.role === 'decode' ? 'decode' : 'engine';
  return {
    place: { kind, target: at.target.id, name: at.target.name, inferred: true },
    because: `${Math.max(0, length(first))} requests of others wait at ${first.e.target.name} while tokens flow (${moving.map((b) => `${b.tokens} on ${b.e.target.name}`).join(', ')} in ${LOOK_BACK_MS / 1000} s): late, not stuck`,
  };
}

/** Its newest chat was answered in its usual time: one that is in time by a long deadline only shares the queue. */
function servesInTime(window: Window, id: TargetId): boolean {
  const r = readFrontEnd(window, id);
  return r?.newest?.is === 'good' && (paceOf(r)?.slowRun.length ?? 0) === 0;
}

/** Least number of requests before a computing prefill over the last 15 s; its gauges are live, since each chunk writes them. */
function standsBefore(window: Window, id: TargetId): number {
  const before = (at: number) => (window.value(id, 'num_prefill_bootstrap_queue_reqs', { at }) ?? 0) + (window.value(id, 'num_queue_reqs', { at }) ?? 0);
  return Math.min(...[0, 5_000, 10_000, 15_000].map((ago) => before(window.at - ago)));
}
