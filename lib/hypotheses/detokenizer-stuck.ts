import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, nothingHangs, otherwise, readCase, seriesCite, standsInstead, topologyCite, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

/** Fewer tokens than these may be a health call's and a probe's in passing. */
const BEYOND_DOUBT = 20;

export const detokenizerStuck: Hypothesis = {
  claim: 'The engine computes and its answers do not get out: the detokenizer is stuck.',
  prior: -2.8,
  implies: { verdict: 'hanging', place: 'response path' },
  weigh(window) {
    const c = readCase(window);
    const work = c.decodes.map((e) => ({ ...e, ...motion(window, e.target.id, c.newestFrom) }));
    const swallows = work.filter((e) => (e.decodeTokens ?? 0) > BEYOND_DOUBT && e.generated === 0);
    const still = work.filter((e) => e.decodeTokens === 0);
    const mute = c.engines.filter((e) => e.reach === 'mute');
    return [
      ...otherwise(c),
      ...when(
        c.hung.length > 0 && swallows.length > 0,
        3.5,
        `${names(swallows)} computed ${swallows[0]?.decodeTokens} tokens and counted none as generated`,
        swallows.flatMap((e) => seriesCite(window, e.target.id, 'generation_tokens_total')),
      ),
      ...when(
        c.hung.length > 0 && work.length > 0 && still.length === work.length,
        -2.5,
        `${names(still)} computes nothing that could be held back`,
        still.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
      ...when(
        mute.length > 0,
        -2,
        `${names(mute)} is mute on every page: its HTTP process, not its detokenizer`,
        mute.flatMap((e) => topologyCite(e.target.id)),
      ),
      ...standsInstead(window, c, -3),
      ...nothingHangs(c, -4),
    ];
  },
  next: () =>
    'Compare realtime_tokens_total{mode="decode"} with generation_tokens_total over one chat; py-spy dump of sglang::detokenizer, or ps: state T is a stopped process.',
};
