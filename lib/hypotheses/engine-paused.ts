import type { Hypothesis } from '@/lib/model/hypothesis';
import { heartbeatCite, names, nothingHangs, otherwise, readCase, seriesCite, standsInstead, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

export const enginePaused: Hypothesis = {
  claim: 'An engine admits nothing although its loop turns: paused on purpose (weights, /pause_generation, /sleep), or its waiting queue is stuck.',
  prior: -3,
  implies: { verdict: 'hanging' },
  weigh(window) {
    const c = readCase(window);
    const holding = c.engines.filter((e) => e.heartbeat === 'turns' && (e.floors.waiting ?? 0) > 0);
    const still = holding.filter((e) => {
      const m = motion(window, e.target.id, c.newestFrom);
      return (m.decodeTokens ?? 0) + (m.prefillTokens ?? 0) === 0;
    });
    const moving = holding.filter((e) => !still.includes(e));
    const asleep = c.engines.filter((e) => e.isAsleep);
    const told = c.engines.filter((e) => e.floors.waiting !== undefined);
    return [
      ...otherwise(c),
      ...when(
        c.hung.length > 0 && asleep.length > 0,
        5.5,
        `${names(asleep)} ${asleep.length > 1 ? 'say' : 'says'} of ${asleep.length > 1 ? 'themselves' : 'itself'} to be asleep`,
        asleep.flatMap((e) => seriesCite(window, e.target.id, 'engine_awake')),
      ),
      ...when(
        c.hung.length > 0 && still.length > 0,
        4,
        `${still.map((e) => `${e.floors.waiting} requests stand in the waiting queue of ${e.target.name}`).join(', ')} and none is started`,
        still.flatMap((e) => seriesCite(window, e.target.id, 'num_queue_reqs')),
      ),
      ...when(
        c.hung.length > 0 && still.length > 0,
        0.5,
        `its loop turns`,
        still.flatMap((e) => heartbeatCite(window, e)),
      ),
      ...when(
        told.length > 0 && holding.length === 0,
        -3,
        `no request stands in the waiting queue of ${names(told)}`,
        told.flatMap((e) => seriesCite(window, e.target.id, 'num_queue_reqs')),
      ),
      ...when(
        moving.length > 0,
        -3,
        `${names(moving)} works through its queue`,
        moving.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
      ...standsInstead(window, c, -3),
      ...nothingHangs(c, -4),
    ];
  },
  next: () =>
    'Ask whoever updates weights or trains on this stack; the engine logs a pause. If nobody paused it: token_usage near 1 with nothing running means that KV is pinned.',
};
