import type { Hypothesis } from '@/lib/model/hypothesis';
import { heartbeatCite, names, readCase, topologyCite, when } from '@/lib/reading/case';

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
        2.5,
        `${names(young)} restarted within the last three minutes`,
        young.flatMap((e) => topologyCite(e.target.id)),
      ),
      ...when(
        silent.length > 0,
        2,
        `the silent scheduler is that of ${names(silent)} itself`,
        silent.flatMap((e) => heartbeatCite(window, e)),
      ),
      ...when(
        young.length > 0 && silent.length === 0 && c.hung.length > 0,
        -2,
        'its scheduler turns already, so it is not compiling',
        young.flatMap((e) => heartbeatCite(window, e)),
      ),
      ...when(
        young.length === 0 && c.engines.length > 0,
        -3,
        'no engine was seen to restart lately',
        c.engines.flatMap((e) => topologyCite(e.target.id)),
      ),
    ];
  },
  next: () => 'Wait until the grace ends (180 s after the restart); a compile ends by itself and its log says so.',
};
