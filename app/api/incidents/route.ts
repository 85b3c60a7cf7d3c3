import { ALARM_STATES } from '@/lib/model/incident';
import { PLACES, VERDICTS } from '@/lib/model/verdict';
import { runtime } from '@/lib/runtime';
import { answer, handled } from '../answer';
import { toldNow } from '../now';
import { queryOf } from '../query';
import { searched } from './search';

export const dynamic = 'force-dynamic';

/** Incidents that touch the range, newest first, narrowed as asked. */
export const GET = handled((request) => {
  const query = queryOf(request, ['stack', 'verdict', 'place', 'state', 'acknowledged', 'text', 'from', 'to', 'limit']);
  const now = toldNow(runtime());
  const acknowledged = query.choice('acknowledged', ['yes', 'no']);
  const want = {
    stack: query.text('stack'),
    verdict: query.choice('verdict', VERDICTS),
    place: query.choice('place', PLACES),
    state: query.choice('state', ['open', ...ALARM_STATES]),
    acknowledged: acknowledged && acknowledged === 'yes',
    text: query.text('text'),
    ...query.range(now),
    limit: query.whole('limit', { least: 1, most: 500, otherwise: 50 }),
  };
  return answer({ incidents: searched(runtime().history(), want, now) });
});
