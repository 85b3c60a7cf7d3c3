import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, otherwise, probeCite, readCase, seriesCite, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

export const kvTransferStuck: Hypothesis = {
  claim: 'The KV transfer from prefill to decode does not complete.',
  prior: -2.2,
  implies: { verdict: 'hanging', place: 'kv-transfer' },
  weigh(window) {
    const c = readCase(window);
    if (c.prefills.length === 0 || !c.decodes.some((e) => e.target.role === 'decode')) return when(true, -6, 'prefill and decode are not split here');
    const turning = [...c.prefills, ...c.decodes].filter((e) => e.heartbeat === 'turns');
    const stands = c.engines.filter((e) => e.heartbeat === 'stands');
    const computed = c.prefills.reduce((sum, e) => sum + (motion(window, e.target.id, c.newestFrom).prefillTokens ?? 0), 0);
    const inflight = c.prefills.filter((e) => (e.queues.inflight ?? 0) > 0);
    const transfer = c.decodes.filter((e) => (e.queues.transfer ?? 0) > 0);
    const failed = c.decodes.reduce((sum, e) => sum + (motion(window, e.target.id, c.newestFrom).transfersFailed ?? 0), 0);
    const restarted = c.engines.filter((e) => e.restartedAt !== undefined && window.at - e.restartedAt < 900_000);
    return [
      ...otherwise(c),
      ...when(c.hung.length === 0 && c.well.length > 0, -4, `${names(c.well)} get answers`, probeCite(c.well[0]?.newest?.p)),
      ...when(
        c.hung.length > 0 && computed > 0 && inflight.length > 0 && transfer.length > 0,
        4,
        `prefill computed ${computed} tokens and keeps ${inflight[0]?.queues.inflight} in flight while decode waits for ${transfer[0]?.queues.transfer}`,
        [
          ...inflight.flatMap((e) => seriesCite(window, e.target.id, 'num_prefill_inflight_queue_reqs')),
          ...transfer.flatMap((e) => seriesCite(window, e.target.id, 'num_decode_transfer_queue_reqs')),
        ],
      ),
      ...when(
        c.hung.length > 0 && computed === 0,
        -2,
        'prefill computed nothing, so there was nothing to transfer',
        c.prefills.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
      ...when(
        c.hung.length > 0 && turning.length === c.engines.length && c.engines.length > 0,
        1,
        'the schedulers of both sides turn',
        turning.flatMap((e) => seriesCite(window, e.target.id, 'loads_age_seconds')),
      ),
      ...when(
        stands.length > 0,
        -2.5,
        `${names(stands)} stands: the transfer is its victim`,
        stands.flatMap((e) => seriesCite(window, e.target.id, 'loads_age_seconds')),
      ),
      ...when(
        failed > 0,
        1,
        `${failed} transfers were given up`,
        c.decodes.flatMap((e) => seriesCite(window, e.target.id, 'num_transfer_failed_reqs_total')),
      ),
      ...when(
        c.hung.length > 0 && restarted.length > 0 && stands.length === 0,
        0.8,
        `${names(restarted)} restarted not long ago; its peer may hold a dead session`,
      ),
    ];
  },
  next: () =>
    "Watch num_prefill_inflight_queue_reqs and num_decode_transfer_queue_reqs over one more chat: +1 on both that stays settles it. Then the transfer back-end's log (mooncake, nixl) for sessions to a replaced peer.",
};
