import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, nothingHangs, otherwise, probeCite, readCase, seriesCite, topologyCite, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

export const httpProcessMute: Hypothesis = {
  claim: "An engine's HTTP process is blocked: it accepts connections and answers on none of its pages.",
  prior: -2.8,
  implies: { verdict: 'hanging', place: 'response path' },
  weigh(window) {
    const c = readCase(window);
    const mute = c.engines.filter((e) => e.reach === 'mute');
    const answering = c.engines.filter((e) => e.reach === 'answers');
    const working = mute.length === 0 ? [] : c.engines.filter((e) => !mute.includes(e) && (motion(window, e.target.id, c.newestFrom).decodeTokens ?? 0) > 0);
    return [
      ...otherwise(c),
      ...when(
        mute.length > 0,
        5,
        `${names(mute)} accepts connections and answers on none of its pages`,
        mute.flatMap((e) => topologyCite(e.target.id)),
      ),
      ...when(
        mute.length > 0 && c.hung.length > 0,
        1,
        `chats through ${names(c.hung)} wait for it`,
        c.hung.flatMap((f) => probeCite(f.silentRun[0])),
      ),
      ...when(
        mute.length === 0 && answering.length === c.engines.length && answering.length > 0,
        -4,
        'the pages of every engine answer',
        answering.flatMap((e) => topologyCite(e.target.id)),
      ),
      ...when(
        working.length > 0,
        -0.5,
        `${names(working)} goes on computing`,
        working.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
      ...nothingHangs(c, -3),
    ];
  },
  next: () =>
    "On its host: py-spy dump of the engine's main process. A blocked event loop shows one frame that never changes; a stopped process shows state T in ps. The scheduler may be well.",
};
