import type { Hypothesis } from '@/lib/model/hypothesis';
import type { SeriesName } from '@/lib/model/sample';
import type { TargetId } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';
import { names, nothingHangs, readCase, seriesCite, standsInstead, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

const SHORTLY_BEFORE_MS = 90_000;
const SIGNS: SeriesName[] = ['num_aborted_requests_total', 'num_bootstrap_failed_reqs_total'];

export const abortDamage: Hypothesis = {
  claim: "A client's abort during the hand-over killed prefill's bootstrap thread: decode's addresses are read by nobody.",
  prior: -3,
  implies: { verdict: 'hanging', place: 'prefill' },
  weigh(window) {
    const c = readCase(window);
    if (!c.isSplit) return when(true, -6, 'prefill and decode are not split here');
    const stuck = c.prefills.filter((e) => e.heartbeat === 'turns' && (e.queues.bootstrap ?? 0) > 0);
    const waiting = c.decodes.filter((e) => (e.queues.transfer ?? 0) > 0);
    const computed = c.prefills.filter((e) => (motion(window, e.target.id, c.newestFrom).prefillTokens ?? 0) > 0);
    const told = c.engines.flatMap((e) => SIGNS.filter((name) => window.value(e.target.id, name) !== undefined).map((name) => ({ e, name })));
    const aborts = told.filter(
      ({ e, name }) => (window.moved(e.target.id, name, Math.max(firstRead(window, e.target.id, name), c.from - SHORTLY_BEFORE_MS), c.from + 5_000) ?? 0) > 0,
    );
    return [
      ...when(
        c.hung.length > 0 && stuck.length > 0 && waiting.length > 0,
        2.5,
        `${names(stuck)} keeps requests in bootstrap with a turning loop, and ${names(waiting)} has long sent its addresses`,
        [
          ...stuck.flatMap((e) => seriesCite(window, e.target.id, 'num_prefill_bootstrap_queue_reqs')),
          ...waiting.flatMap((e) => seriesCite(window, e.target.id, 'num_decode_transfer_queue_reqs')),
        ],
      ),
      ...when(
        c.hung.length > 0 && aborts.length > 0,
        2.5,
        `a request was aborted shortly before the first chat hung (${[...new Set(aborts.map((a) => a.name))].join(', ')})`,
        aborts.flatMap((a) => seriesCite(window, a.e.target.id, a.name)),
      ),
      ...when(
        c.hung.length > 0 && told.length > 0 && aborts.length === 0,
        -2.5,
        'no abort was counted before it began',
        told.flatMap((a) => seriesCite(window, a.e.target.id, a.name)),
      ),
      ...when(
        c.hung.length > 0 && computed.length > 0,
        -3,
        `${names(computed)} went on computing prompts`,
        computed.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
      ...standsInstead(window, c, -3),
      ...nothingHangs(c, -4),
    ];
  },
  next: () =>
    'Prefill\'s log around the first hung chat: an exception in the bootstrap thread after "Aborted by AbortReq" settles it. py-spy dump of its main process shows whether that thread lives. Only a restart of prefill heals it.',
};

function firstRead(window: Window, id: TargetId, name: SeriesName): number {
  return Math.min(...window.series(id).flatMap((s) => (s.name === name ? (s.points[0]?.at ?? []) : [])));
}
