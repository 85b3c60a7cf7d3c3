import type { Hypothesis } from '@/lib/model/hypothesis';
import { heartbeatCite, names, probeCite, readCase, seriesCite, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

const LOOK_BACK_MS = 15_000;
const CROWDED = 4;

export const overloadNotWedge: Hypothesis = {
  claim: 'The stack is saturated: late, not stuck.',
  prior: -2,
  implies: { verdict: 'degraded' },
  weigh(window) {
    const c = readCase(window);
    const tokens = c.engines
      .map((e) => ({ e, m: motion(window, e.target.id, window.at - LOOK_BACK_MS) }))
      .map(({ e, m }) => ({ target: e.target, n: (m.decodeTokens ?? 0) + (m.prefillTokens ?? 0), isTold: (m.decodeTokens ?? m.prefillTokens) !== undefined }));
    const flowing = tokens.filter((t) => t.n > 0);
    const computing = flowing.filter((t) => t.target.role === 'prefill');
    const decoded = flowing.filter((t) => t.target.role !== 'prefill');
    const queued = c.engines.map(({ target, queues: q }) => {
      const known = [q.waiting, q.prealloc, q.bootstrap, q.transfer].filter((n) => n !== undefined);
      return { target, n: known.length === 0 ? undefined : known.reduce((sum, n) => sum + n, 0) };
    });
    const told = queued.filter((e) => e.n !== undefined);
    const crowded = told.filter((e) => (e.n ?? 0) >= CROWDED);
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
        c.hung.length > 0 && flowing.length === 0 && tokens.some((t) => t.isTold),
        -3,
        'no token moved anywhere while our chats were out',
        c.engines.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
      ...when(
        late.length > 0 && computing.length > 0 && decoded.length === 0,
        -2,
        `only ${names(computing)} works, and decode has room: long prompts rather than load`,
        computing.flatMap((t) => seriesCite(window, t.target.id, 'realtime_tokens_total')),
      ),
      ...when(
        crowded.length === 0 && told.length > 0,
        -1.5,
        'no queue is long',
        told.flatMap((e) => seriesCite(window, e.target.id, 'num_queue_reqs')),
      ),
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
        stands.flatMap((e) => heartbeatCite(window, e)),
      ),
    ];
  },
  next: () => 'Wait for one deadline more with the load turned down: saturated chats complete late, wedged ones never.',
};
