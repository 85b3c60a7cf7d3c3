import { runtime } from '@/lib/runtime';
import { answer, handled } from '../answer';
import { toldNow } from '../now';
import { queryOf } from '../query';

export const dynamic = 'force-dynamic';

/** Incidents that touch the range, newest first. */
export const GET = handled((request) => {
  const query = queryOf(request, ['stack', 'from', 'to', 'limit']);
  const stack = query.text('stack');
  const limit = query.whole('limit', { least: 1, most: 500, otherwise: 50 });
  return answer({
    incidents:
      runtime()
        .history()
        ?.incidents({ ...(stack === undefined ? {} : { stack }), ...query.range(toldNow(runtime())), limit }) ?? [],
  });
});
