import { figures } from '@/lib/report/figures';
import { runtime } from '@/lib/runtime';
import { answer, handled } from '../answer';
import { toldNow } from '../now';
import { queryOf } from '../query';

export const dynamic = 'force-dynamic';

const DAY_MS = 86_400_000;
const MOST_EVENTS = 20_000;

/** How well the alarms themselves behave: how many, how dense, how stale, and who chatters. */
export const GET = handled((request) => {
  const now = toldNow(runtime());
  const { from = now - DAY_MS, to = now } = queryOf(request, ['from', 'to']).range(now);
  const history = runtime().history();
  return answer(
    figures(
      {
        incidents: history?.incidents({ from, to, limit: MOST_EVENTS }) ?? [],
        events: history?.events({ from, to, kinds: ['incident-opened', 'verdict'], limit: MOST_EVENTS }) ?? [],
      },
      { from, to, now },
    ),
  );
});
