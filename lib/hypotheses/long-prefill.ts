import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, probeCite, readCase, seriesCite, standsInstead, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

const LOOK_BACK_MS = 20_000;
/** More than health calls and our own chats could ever be. */
const MANY_TOKENS = 2_000;

export const longPrefill: Hypothesis = {
  claim: 'Prefill is busy with very long prompts: others wait behind them, and its health check fails meanwhile.',
  prior: -2.6,
  implies: { verdict: 'degraded', place: 'prefill' },
  weigh(window) {
    const c = readCase(window);
    if (c.prefills.length === 0) return when(true, -6, 'no prefill engine is known here');
    const work = c.prefills.map((e) => ({ ...e, n: motion(window, e.target.id, window.at - LOOK_BACK_MS).prefillTokens }));
    const busy = work.filter((e) => (e.n ?? 0) >= MANY_TOKENS);
    const idle = work.filter((e) => e.n !== undefined && e.n < MANY_TOKENS);
    const decoded = c.decodes.reduce((sum, e) => sum + (motion(window, e.target.id, window.at - LOOK_BACK_MS).decodeTokens ?? 0), 0);
    const red = busy.filter((e) => {
      const h = window.health(e.target.id);
      return h !== undefined && (h.exchange.status === 503 || h.late);
    });
    const late = c.fronts.filter((f) => f.newest?.is === 'slow' || f.newest?.is === 'silent');
    return [
      ...when(
        busy.length > 0,
        3,
        `${busy.map((e) => `${e.target.name} computed ${e.n} prompt tokens in ${LOOK_BACK_MS / 1000} s`).join(', ')}`,
        busy.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
      ...when(
        busy.length > 0 && decoded < MANY_TOKENS / 100 && late.length > 0,
        1.5,
        `decode has next to nothing to do meanwhile (${decoded} tokens)`,
        c.decodes.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
      ...when(
        red.length > 0,
        1.5,
        `the health check of ${names(red)} fails, as it does while one chunk runs`,
        red.flatMap((e) => probeCite(window.health(e.target.id))),
      ),
      ...when(
        idle.length === c.prefills.length,
        -4,
        `${names(idle)} computed ${Math.max(...idle.map((e) => e.n ?? 0))} prompt tokens at most in ${LOOK_BACK_MS / 1000} s`,
        idle.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
      ...when(
        late.length === 0 && c.well.length > 0,
        -1.5,
        `${names(c.well)} ${c.well.length > 1 ? 'answer' : 'answers'} in time`,
        c.well.flatMap((f) => probeCite(f.newest?.p)),
      ),
      ...(busy.length > 0 ? standsInstead(window, { ...c, stands: c.stands.filter((e) => e.heartbeatBy !== 'health') }, -3) : []),
    ];
  },
  next: () =>
    'Look for the long ones in the access log; a limit on prompt length or a prefill of their own for long prompts settles it. The health check needs a longer time-out.',
};
