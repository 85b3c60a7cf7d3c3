import { runtime } from '@/lib/runtime';
import { answer, handled } from '../answer';
import { toldNow } from '../now';
import { queryOf } from '../query';

export const dynamic = 'force-dynamic';

/** The log, newest first; events of no stack concern every stack. */
export const GET = handled((request) => {
  const query = queryOf(request, ['stack', 'from', 'to', 'limit']);
  const stack = query.text('stack');
  const limit = query.whole('limit', { least: 1, most: 1_000, otherwise: 100 });
  return answer({
    events:
      runtime()
        .history()
        ?.events({ ...(stack === undefined ? {} : { stack }), ...query.range(toldNow(runtime())), limit }) ?? [],
  });
});
