import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, nothingHangs, probeCite, readCase, seriesCite, standsInstead, topologyCite, when } from '@/lib/reading/case';

const LONG_AGO_MS = 900_000;

export const stalePeer: Hypothesis = {
  claim: 'One side of a pair was restarted, and the other still holds sessions to the process that is gone.',
  prior: -2.8,
  implies: { verdict: 'hanging', place: 'kv-transfer' },
  weigh(window) {
    const c = readCase(window);
    if (!c.isSplit) return when(true, -6, 'prefill and decode are not split here');
    const young = c.engines.filter((e) => e.restartedAt !== undefined && window.at - e.restartedAt < LONG_AGO_MS);
    const restartedAt = Math.max(0, ...young.map((e) => e.restartedAt ?? 0));
    const goodSince = c.fronts.flatMap((f) => f.counted.filter((x) => x.is === 'good' && x.p.sentAt > restartedAt).slice(0, 1));
    const sentSince = c.hung.some((f) => f.silentRun.some((p) => p.sentAt > restartedAt));
    const inflight = c.prefills.filter((e) => (e.queues.inflight ?? 0) > 0);
    const transfer = c.decodes.filter((e) => (e.queues.transfer ?? 0) > 0);
    const failed = c.decodes.filter((e) => (window.moved(e.target.id, 'num_transfer_failed_reqs_total', restartedAt) ?? 0) > 0);
    return [
      ...when(
        young.length > 0 && sentSince && goodSince.length === 0,
        4.5,
        `no chat was answered since the restart of ${names(young)}`,
        young.flatMap((e) => topologyCite(e.target.id)),
      ),
      ...when(
        young.length > 0 && sentSince && inflight.length > 0 && transfer.length > 0,
        2,
        `${names(inflight)} has computed and ${names(transfer)} does not get it, though both loops turn`,
        [
          ...inflight.flatMap((e) => seriesCite(window, e.target.id, 'num_prefill_inflight_queue_reqs')),
          ...transfer.flatMap((e) => seriesCite(window, e.target.id, 'num_decode_transfer_queue_reqs')),
        ],
      ),
      ...when(
        young.length > 0 && failed.length > 0,
        1,
        `${names(failed)} gives transfers up since then`,
        failed.flatMap((e) => seriesCite(window, e.target.id, 'num_transfer_failed_reqs_total')),
      ),
      ...when(
        young.length === 0,
        -4,
        'no engine was seen to restart',
        c.engines.flatMap((e) => topologyCite(e.target.id)),
      ),
      ...when(
        young.length > 0 && goodSince.length > 0,
        -4,
        'chats were answered after the restart',
        goodSince.flatMap((x) => probeCite(x.p)),
      ),
      ...standsInstead(window, c, -3),
      ...(goodSince.length > 0 ? [] : nothingHangs(c, -2)),
    ];
  },
  next: (window) => {
    const old = readCase(window).engines.filter((e) => e.restartedAt === undefined);
    return `Read the log of the side that was not restarted (${names(old) || 'either side'}) for sessions or a bootstrap room of the replaced peer; restarting that side too heals it.`;
  },
};
