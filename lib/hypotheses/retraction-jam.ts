import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, nothingHangs, otherwise, readCase, seriesCite, standsInstead, topologyCite, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

export const retractionJam: Hypothesis = {
  claim: 'Decode waits for room for requests that it took back, and meanwhile looks at no transfer at all.',
  prior: -3,
  implies: { verdict: 'hanging', place: 'decode' },
  weigh(window) {
    const c = readCase(window);
    const decodes = c.decodes.filter((e) => e.target.role === 'decode');
    if (decodes.length === 0) return when(true, -6, 'no decode engine is known here');
    const retracted = decodes.map((e) => ({ target: e.target, n: window.value(e.target.id, 'num_decode_retracted_queue_reqs') }));
    const told = retracted.filter((r) => r.n !== undefined);
    const jammed = told.filter((r) => (r.n ?? 0) > 0);
    const flowing = decodes.filter((e) => (motion(window, e.target.id, c.newestFrom).decodeTokens ?? 0) > 0);
    return [
      ...otherwise(c),
      ...when(
        jammed.length > 0,
        c.hung.length > 0 ? 4 : 1.5,
        `${jammed.map((r) => `${r.n} requests stand in the retracted queue of ${r.target.name}`).join(', ')}: nothing behind them is polled, and no time-out fires`,
        jammed.flatMap((r) => seriesCite(window, r.target.id, 'num_decode_retracted_queue_reqs')),
      ),
      ...when(
        told.length > 0 && jammed.length === 0,
        -3.5,
        `the retracted queue of ${names(told)} is empty`,
        told.flatMap((r) => seriesCite(window, r.target.id, 'num_decode_retracted_queue_reqs')),
      ),
      ...when(
        told.length === 0,
        -1,
        'this build does not tell its retracted queue',
        decodes.flatMap((e) => topologyCite(e.target.id)),
      ),
      ...when(
        c.hung.length > 0 && flowing.length > 0,
        -2,
        `${names(flowing)} makes tokens, so room will come`,
        flowing.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
      ...standsInstead(window, c, -2.5),
      ...nothingHangs(c, -3),
    ];
  },
  next: () =>
    "Compare decode's token_usage with the size of the retracted requests: if the smallest does not fit an empty pool, it never will. Abort the longest running ones, or restart decode with more room.",
};
