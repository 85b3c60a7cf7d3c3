import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, probeCite, readCase, seriesCite, standsInstead, when } from '@/lib/reading/case';
import { holdsNothing } from '@/lib/reading/stop';

export const routerPathBroken: Hypothesis = {
  claim: 'A front-end sends only one leg of its requests: decode gets them, prefill does not.',
  prior: -2.8,
  implies: { verdict: 'hanging', place: 'router path' },
  weigh(window) {
    const c = readCase(window);
    const half = c.decodes.filter((e) => (e.floors.transfer ?? 0) + (e.floors.prealloc ?? 0) > 0);
    const prefillIdle = c.prefills.length > 0 && c.prefills.every(holdsNothing);
    const holding = c.prefills.filter((e) => !holdsNothing(e));
    const troubled = c.fronts.filter((f) => f.badRun.length > 0);
    return [
      ...when(troubled.length > 0 && c.well.length > 0, 1.2, `${names(c.well)} reaches the same engines`, probeCite(c.well[0]?.newest?.p)),
      ...when(
        c.hung.length > 0 && half.length > 0 && prefillIdle,
        3,
        `${names(half)} waits for KV while no prefill holds the request: one leg only was sent`,
        half.flatMap((e) => seriesCite(window, e.target.id, 'num_decode_transfer_queue_reqs')),
      ),
      ...when(
        c.hung.length > 0 && holding.length > 0,
        -2,
        `${names(holding)} has requests in hand, so its leg was sent`,
        holding.flatMap((e) => seriesCite(window, e.target.id, 'num_prefill_bootstrap_queue_reqs')),
      ),
      ...when(
        c.hung.length > 0 && half.length === 0 && c.decodes.some((e) => e.floors.transfer !== undefined),
        -1.5,
        'no decode waits for the KV of a request',
        c.decodes.flatMap((e) => seriesCite(window, e.target.id, 'num_decode_transfer_queue_reqs')),
      ),
      ...when(
        troubled.length === 0 && c.well.length > 0,
        -3,
        `${names(c.well)} ${c.well.length > 1 ? 'get' : 'gets'} answers`,
        probeCite(c.well[0]?.newest?.p),
      ),
      ...when(
        troubled.length > 1 && c.well.length === 0,
        -1.5,
        'every front-end is in trouble, not one path',
        troubled.flatMap((f) => probeCite(f.newest?.p)),
      ),
      ...standsInstead(window, c, -2.5),
    ];
  },
  next: () =>
    'Compare the breaker states of the front-end (smg_worker_cb_state) with its workers, and its log for the prefill leg of one request: the same id must reach both.',
};
