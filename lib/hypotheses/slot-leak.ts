import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, nothingHangs, readCase, seriesCite, standsInstead, when } from '@/lib/reading/case';
import { floorOf, rise } from '@/lib/reading/floor';

const LOOK_BACK_MS = 200_000;

export const slotLeak: Hypothesis = {
  claim: 'Transfer slots leak: requests that ended keep theirs, until none is left.',
  prior: -2.8,
  implies: { verdict: 'degraded', place: 'kv-transfer' },
  weigh(window) {
    const c = readCase(window);
    if (!c.isSplit) return when(true, -6, 'prefill and decode are not split here');
    const floors = c.decodes.flatMap((e) => {
      const floor = floorOf(window, e.target.id, 'num_decode_transfer_queue_reqs');
      return floor ? [{ e, floor, rises: rise(floor) }] : [];
    });
    const rising = floors.filter((f) => f.rises && f.floor.falls > 1);
    const piling = floors.filter((f) => f.rises && f.floor.falls <= 1);
    const empties = floors.filter((f) => f.floor.floors.length > 0 && f.floor.floors.at(-1) === 0);
    const aborted = c.engines.reduce((sum, e) => sum + (window.moved(e.target.id, 'num_aborted_requests_total', window.at - LOOK_BACK_MS) ?? 0), 0);
    return [
      ...rising
        .slice(0, 1)
        .flatMap(({ e, rises }) =>
          when(
            true,
            4,
            `the transfer queue of ${e.target.name} never empties any more: its least length rose from ${rises?.from} to ${rises?.to} in ${Math.round((rises?.overMs ?? 0) / 60_000)} min`,
            seriesCite(window, e.target.id, 'num_decode_transfer_queue_reqs'),
          ),
        ),
      ...when(
        rising.length > 0 && aborted > 0,
        1,
        `${aborted} requests were aborted meanwhile, and an abort is where slots are lost`,
        c.engines.flatMap((e) => seriesCite(window, e.target.id, 'num_aborted_requests_total')),
      ),
      ...when(
        floors.length > 0 && rising.length === 0,
        -3,
        piling.length > 0
          ? `the transfer queue of ${names(piling.map((f) => f.e))} only grows: nothing passes through it, so those are requests that wait, not slots`
          : empties.length === floors.length
            ? 'every transfer queue empties again and again'
            : 'the floor of no transfer queue rises',
        floors.flatMap(({ e }) => seriesCite(window, e.target.id, 'num_decode_transfer_queue_reqs')),
      ),
      ...standsInstead(window, c, -2.5),
      ...(rising.length > 0 ? [] : nothingHangs(c, -1)),
    ];
  },
  next: () =>
    'Abort one streaming chat by hand and watch num_decode_transfer_queue_reqs: +1 that stays settles it. Until it is mended, a restart of decode before the slots are gone.',
};
