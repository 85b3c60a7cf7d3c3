import type { Hypothesis } from '@/lib/model/hypothesis';
import { heartbeatCite, justRestarted, names, nothingHangs, otherwise, probeCite, readCase, seriesCite, stopped, when } from '@/lib/reading/case';
import { motionOf } from '@/lib/reading/engine';

export const prefillStuck: Hypothesis = {
  claim: 'Prefill takes requests in and computes none of them.',
  prior: -2.2,
  implies: { verdict: 'hanging', place: 'prefill' },
  weigh(window) {
    const c = readCase(window);
    if (c.prefills.length === 0) return when(true, -6, 'no prefill engine is known here');
    const stands = c.prefills.filter((e) => e.heartbeat === 'stands');
    const turns = c.prefills.filter((e) => e.heartbeat === 'turns' && e.reach !== 'refuses');
    const computed = motionOf(window, c.prefills, 'prefillTokens', c.newestFrom);
    const transfer = c.decodes.filter((e) => (e.queues.transfer ?? 0) > 0 && e.heartbeat !== 'stands');
    const decodeStands = c.decodes.filter((e) => e.heartbeat === 'stands');
    const bootstrap = c.prefills.filter((e) => (e.queues.bootstrap ?? 0) > 0);
    return [
      ...otherwise(c),
      ...when(
        c.hung.length > 0 && c.hung.length === c.fronts.length,
        1.2,
        `every front-end hangs (${names(c.hung)})`,
        c.hung.flatMap((f) => probeCite(f.silentRun[0])),
      ),
      ...nothingHangs(c, -4),
      ...stopped(window, stands),
      ...justRestarted(window, stands),
      ...when(
        stands.length === 0 && turns.length === c.prefills.length,
        -1.5,
        `${names(turns)} turns: its scheduler spoke just now`,
        turns.flatMap((e) => heartbeatCite(window, e)),
      ),
      ...when(
        c.hung.length > 0 && transfer.length > 0 && computed === 0,
        2,
        `${transfer.map((e) => `${e.queues.transfer} requests in the transfer queue of ${e.target.name}`).join(', ')} wait for a prefill that computed nothing`,
        transfer.flatMap((e) => seriesCite(window, e.target.id, 'num_decode_transfer_queue_reqs')),
      ),
      ...when(
        c.hung.length > 0 && bootstrap.length > 0 && transfer.length > 0 && turns.length > 0 && computed === 0,
        1.5,
        `${names(bootstrap)} holds requests in bootstrap with a turning loop: its bootstrap thread does not read what decode has sent`,
        bootstrap.flatMap((e) => seriesCite(window, e.target.id, 'num_prefill_bootstrap_queue_reqs')),
      ),
      ...when(
        (computed ?? 0) > 0 && c.hung.length > 0,
        -1.5,
        `prefill computed ${computed} tokens meanwhile`,
        c.prefills.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
      ...when(
        decodeStands.length > 0 && stands.length === 0,
        -2,
        `${names(decodeStands)} stands, which holds prefill up`,
        decodeStands.flatMap((e) => heartbeatCite(window, e)),
      ),
    ];
  },
  next: () =>
    'On the prefill host: py-spy dump of sglang::scheduler and of the main process (bootstrap thread); compare realtime_tokens_total{mode="prefill_compute"} before and after one more chat.',
};
