import type { ProbeResult } from '@/lib/model/probe';
import type { Snapshot } from '@/lib/model/snapshot';
import { takesChats } from '@/lib/model/target';
import { exposition } from '@/lib/report/exposition';
import { type Runtime, runtime } from '@/lib/runtime';
import { handled } from '../answer';
import { toldNow } from '../now';
import { queryOf } from '../query';

export const dynamic = 'force-dynamic';

/** Health claims stand between the chats of a target. */
const LOOKED_AT = 12;

/** Our verdicts and probes for an existing Prometheus. */
export const GET = handled((request) => {
  queryOf(request, []);
  const watching = runtime();
  const snapshot = watching.snapshot();
  const { state, restarts, lastFrameAt, startedAt } = watching.pulse();
  const text = exposition({
    at: toldNow(watching),
    build: snapshot?.build ?? 'unknown',
    ...(snapshot === undefined ? {} : { snapshot }),
    chats: snapshot === undefined ? [] : latestChats(watching, snapshot),
    pulse: { state, restarts, silentMs: Date.now() - (lastFrameAt ?? startedAt) },
  });
  return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' } });
});

/** The verdicts matter more than the phases: when history cannot be read they are told without. */
function latestChats(watching: Runtime, snapshot: Snapshot): ProbeResult[] {
  const targets = snapshot.stacks.flatMap((stack) => stack.nodes.filter(takesChats).map((node) => node.id));
  try {
    return targets.flatMap((target) => {
      const recent = watching.history()?.probes({ target, limit: LOOKED_AT }) ?? [];
      return recent.filter((each) => each.probe === 'chat' && each.exchange.ended).slice(0, 1);
    });
  } catch (error) {
    console.error(`wedgewatch: /api/metrics without phases: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}
