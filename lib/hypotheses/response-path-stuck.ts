import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, otherwise, probeCite, readCase, seriesCite, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

export const responsePathStuck: Hypothesis = {
  claim: 'The engine works and its answers do not get out (HTTP process or detokenizer).',
  prior: -2.8,
  implies: { verdict: 'hanging', place: 'response path' },
  weigh(window) {
    const c = readCase(window);
    const mute = c.engines.filter((e) => e.reach === 'mute');
    const busy = c.decodes.filter((e) => {
      const m = motion(window, e.target.id, c.newestFrom);
      return (m.decodeTokens ?? 0) > 20 && m.generated === 0;
    });
    const answering = c.engines.filter((e) => e.reach === 'answers');
    return [
      ...otherwise(c),
      ...when(
        mute.length > 0,
        5,
        `${names(mute)} accepts connections and answers on none of its pages`,
        mute.flatMap((e) => seriesCite(window, e.target.id, 'num_running_reqs')),
      ),
      ...when(
        c.hung.length > 0 && busy.length > 0,
        3,
        `${names(busy)} computes tokens and counts none as generated`,
        busy.flatMap((e) => seriesCite(window, e.target.id, 'generation_tokens_total')),
      ),
      ...when(
        mute.length === 0 && answering.length === c.engines.length && answering.length > 0 && busy.length === 0,
        -1.5,
        'the pages of every engine answer',
      ),
      ...when(c.hung.length === 0 && c.well.length > 0, -4, `${names(c.well)} get answers`, probeCite(c.well[0]?.newest?.p)),
    ];
  },
  next: () =>
    "Ask the engine's /v1/models: a mute HTTP process hangs there too; with it answering, compare realtime_tokens_total with generation_tokens_total over one chat.",
};
