import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, readCase, topologyCite, when } from '@/lib/reading/case';

const GRACE_MS = 180_000;

export const warmingUp: Hypothesis = {
  claim: 'An engine was restarted and its first requests are compiling.',
  prior: -2.5,
  implies: { verdict: 'degraded' },
  weigh(window) {
    const c = readCase(window);
    const young = c.engines.filter((e) => e.restartedAt !== undefined && window.at - e.restartedAt < GRACE_MS);
    const silent = young.filter((e) => e.heartbeat === 'stands');
    return [
      ...when(
        young.length > 0,
        2,
        `${names(young)} restarted within the last three minutes`,
        young.flatMap((e) => topologyCite(e.target.id)),
      ),
      ...when(
        silent.length > 0,
        1.5,
        `the silent scheduler is that of ${names(silent)} itself`,
        silent.flatMap((e) => topologyCite(e.target.id)),
      ),
      ...when(young.length > 0 && silent.length === 0 && c.hung.length > 0, -2, 'its scheduler turns already, so it is not compiling'),
      ...when(young.length === 0, -3, 'no engine was seen to restart lately'),
    ];
  },
  next: () => 'Wait until the grace ends (180 s after the restart); a compile ends by itself and its log says so.',
};
