import type { TargetId } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';
import { motion, readEngine, stoodAfter } from '@/lib/reading/engine';
import { enginesBehind, readFrontEnd, siblings } from '@/lib/reading/front-end';

/** A sign that work moves again behind a front-end whose chats hang: worth one of its few probes. Undefined: none. */
export function healWitness(window: Window, id: TargetId): string | undefined {
  const r = readFrontEnd(window, id);
  const last = r?.silentRun[0];
  if (!r || !last || r.pending) return undefined;
  const engines = enginesBehind(window, id).flatMap((t) => readEngine(window, t.id) ?? []);
  if (engines.some((e) => e.heartbeat === 'stands' || e.reach === 'refuses' || e.reach === 'mute')) return undefined;
  const judged = last.sentAt + Math.min(last.deadlineMs, last.exchange.elapsedMs);
  const restarted = engines.find((e) => (e.restartedAt ?? 0) > last.sentAt);
  if (restarted) return `${restarted.target.name} is back since its restart`;
  if ((window.restarts(id).at(-1) ?? 0) > last.sentAt) return 'the front-end itself is back since its restart';
  const woke = engines.find((e) => stoodAfter(window, e.target.id, judged));
  if (woke) return `the scheduler of ${woke.target.name} speaks again`;
  const sibling = siblings(window, id).find((s) => recovered(window, s.id, judged));
  if (sibling) return `${sibling.name} answers again`;
  // Tokens prove something only where a chat could have caused them: with a sibling that never hung they are its own.
  const shared = siblings(window, id).every((s) => (readFrontEnd(window, s.id)?.silentRun.length ?? 0) > 0);
  const decode = engines.find((e) => e.target.role !== 'prefill' && (motion(window, e.target.id, judged).decodeTokens ?? 0) > 0);
  return shared && decode ? `tokens move on ${decode.target.name}` : undefined;
}

/** Its newest chat is good and was sent after `from`, and it had hung before. */
function recovered(window: Window, id: TargetId, from: number): boolean {
  const r = readFrontEnd(window, id);
  return r?.newest?.is === 'good' && r.newest.p.sentAt > from && r.counted.some((c) => c.is !== 'good' && window.at - c.p.sentAt < 900_000);
}
