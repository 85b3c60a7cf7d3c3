import type { Hypothesis } from '@/lib/model/hypothesis';
import { heartbeatCite, nothingHangs, otherwise, readCase, seriesCite, standsInstead, when } from '@/lib/reading/case';
import { motionOf } from '@/lib/reading/engine';

export const kvTransferStuck: Hypothesis = {
  claim: 'The KV transfer from prefill to decode does not complete.',
  prior: -2.2,
  implies: { verdict: 'hanging', place: 'kv-transfer' },
  weigh(window) {
    const c = readCase(window);
    if (!c.isSplit) return when(true, -6, 'prefill and decode are not split here');
    const computed = motionOf(window, c.prefills, 'prefillTokens', c.newestFrom);
    const inflight = c.prefills.filter((e) => (e.queues.inflight ?? 0) > 0);
    const transfer = c.decodes.filter((e) => (e.queues.transfer ?? 0) > 0);
    const failed = motionOf(window, c.decodes, 'transfersFailed', c.newestFrom) ?? 0;
    return [
      ...otherwise(c),
      ...nothingHangs(c, -4),
      ...when(
        c.hung.length > 0 && (computed ?? 0) > 0 && inflight.length > 0 && transfer.length > 0,
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
        c.hung.length > 0 && c.turns.length === c.engines.length && c.engines.length > 0,
        1,
        'the schedulers of both sides turn',
        c.turns.flatMap((e) => heartbeatCite(window, e)),
      ),
      ...standsInstead(window, c, -2.5),
      ...when(
        failed > 0,
        1,
        `${failed} transfers were given up`,
        c.decodes.flatMap((e) => seriesCite(window, e.target.id, 'num_transfer_failed_reqs_total')),
      ),
    ];
  },
  next: () =>
    "Watch num_prefill_inflight_queue_reqs and num_decode_transfer_queue_reqs over one more chat: +1 on both that stays settles it. Then the transfer back-end's log (mooncake, nixl) for sessions to a replaced peer.",
};
