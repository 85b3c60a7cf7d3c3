import type { Hypothesis } from '@/lib/model/hypothesis';
import { heartbeatCite, justRestarted, listed, names, nothingHangs, otherwise, probeCite, readCase, seriesCite, stopped, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

/** Of hundreds of prefills the series of a few tell the same. */
const MOST_CITED = 6;

export const decodeStuck: Hypothesis = {
  claim: 'The decode scheduler has stopped: requests are accepted and never admitted.',
  prior: -2,
  implies: { verdict: 'hanging', place: 'decode' },
  weigh(window) {
    const c = readCase(window);
    const decodes = c.decodes.filter((e) => e.target.role === 'decode');
    if (decodes.length === 0) return when(true, -6, 'no decode engine is known here');
    const stands = decodes.filter((e) => e.heartbeat === 'stands');
    const turns = decodes.filter((e) => e.heartbeat === 'turns' && e.reach !== 'refuses');
    const waiting = c.prefills.filter((e) => (e.queues.bootstrap ?? 0) > 0 && e.heartbeat !== 'stands');
    const tokens = decodes.reduce((sum, e) => sum + (motion(window, e.target.id, c.newestFrom).decodeTokens ?? 0), 0);
    return [
      ...otherwise(c),
      ...when(
        c.hung.length > 0 && c.hung.length === c.fronts.length,
        1.5,
        `every front-end hangs (${names(c.hung)})`,
        c.hung.flatMap((f) => probeCite(f.silentRun[0])),
      ),
      ...nothingHangs(c, -4),
      ...stopped(window, stands),
      ...justRestarted(window, stands),
      ...when(
        stands.length === 0 && turns.length === decodes.length,
        -4,
        `${names(turns)} turns: its scheduler spoke just now`,
        turns.flatMap((e) => heartbeatCite(window, e)),
      ),
      ...when(
        c.hung.length > 0 && stands.length > 0 && waiting.length > 0,
        1,
        `${listed(waiting.map((e) => `${e.queues.bootstrap} requests wait in the bootstrap queue of ${e.target.name}`))}, on the healthy side, for its hand-shake`,
        waiting.slice(0, MOST_CITED).flatMap((e) => seriesCite(window, e.target.id, 'num_prefill_bootstrap_queue_reqs')),
      ),
      ...when(
        c.hung.length > 0 && tokens > 0 && stands.length === 0,
        -2,
        `decode made ${tokens} tokens while our chats hung`,
        decodes.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
    ];
  },
  next: () =>
    'On the decode host: py-spy dump of each sglang::scheduler process. Ranks inside a collective call that never returns settle it; save counters before restarting.',
};
