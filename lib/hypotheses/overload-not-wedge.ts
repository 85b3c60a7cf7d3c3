import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, probeCite, readCase, seriesCite, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

const LOOK_BACK_MS = 15_000;

export const overloadNotWedge: Hypothesis = {
  claim: 'The stack is saturated: late, not stuck.',
  prior: -2,
  implies: { verdict: 'degraded' },
  weigh(window) {
    const c = readCase(window);
    const tokens = c.engines
      .map((e) => ({ e, m: motion(window, e.target.id, window.at - LOOK_BACK_MS) }))
      .map(({ e, m }) => ({ target: e.target, n: (m.decodeTokens ?? 0) + (m.prefillTokens ?? 0) }));
    const flowing = tokens.filter((t) => t.n > 0);
    const crowded = c.engines.filter((e) => (e.queues.waiting ?? 0) + (e.queues.prealloc ?? 0) + (e.queues.bootstrap ?? 0) + (e.queues.transfer ?? 0) >= 4);
    const late = c.fronts.filter((f) => f.newest?.is === 'slow');
    const stands = c.engines.filter((e) => e.heartbeat === 'stands' && e.heartbeatBy !== 'health');
    const shed = c.fronts.filter((f) => f.newest?.is === 'shed');
    return [
      ...when(
        late.length > 0,
        2.5,
        `${names(late)} answered, late`,
        late.flatMap((f) => probeCite(f.newest?.p)),
      ),
      ...when(
        crowded.length > 0 && flowing.length > 0,
        2,
        `queues are long at ${names(crowded)} and tokens flow`,
        crowded.flatMap((e) => seriesCite(window, e.target.id, 'num_queue_reqs')),
      ),
      ...when(
        shed.length > 0,
        1.5,
        `${names(shed)} sheds load`,
        shed.flatMap((f) => probeCite(f.newest?.p)),
      ),
      ...when(
        c.hung.length > 0 && flowing.length === 0,
        -3,
        'no token moved anywhere while our chats were out',
        c.engines.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
      ...when(crowded.length === 0, -1.5, 'no queue is long'),
      ...when(
        c.hung.length > 0 && c.well.length > 0,
        -2.5,
        `${names(c.well)} is answered in time by the same engines`,
        c.well.flatMap((f) => probeCite(f.newest?.p)),
      ),
      ...when(
        stands.length > 0,
        -3,
        `the scheduler of ${names(stands)} stands; a busy one turns`,
        stands.flatMap((e) => seriesCite(window, e.target.id, 'loads_age_seconds')),
      ),
    ];
  },
  next: () => 'Wait for one deadline more with the load turned down: saturated chats complete late, wedged ones never.',
};
