import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, probeCite, readCase, when } from '@/lib/reading/case';

export const keyMissing: Hypothesis = {
  claim: 'A key is required that we do not send, or a front-end does not hand on.',
  prior: -3,
  implies: { verdict: 'misconfigured', place: 'front-end' },
  weigh(window) {
    const c = readCase(window);
    const refused = c.fronts.filter((f) => f.newest?.is === 'setting' && [401, 403].includes(f.newest.p.exchange.status ?? 0));
    return [
      ...when(
        refused.length > 0,
        5,
        `${names(refused)} refuses our chat for want of a key`,
        refused.flatMap((f) => probeCite(f.newest?.p)),
      ),
      ...when(
        refused.length === 0,
        -2,
        'no chat was refused for want of a key',
        c.fronts.flatMap((f) => probeCite(f.newest?.p)),
      ),
    ];
  },
  next: () =>
    'Give the target an apiKey in wedgewatch.yaml (env or file); if it has one, check that the front-end hands Authorization on to its workers (mini_lb does not).',
};
