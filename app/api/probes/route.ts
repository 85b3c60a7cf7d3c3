import { runtime } from '@/lib/runtime';
import { answer, handled } from '../answer';
import { knownTarget } from '../known';
import { toldNow } from '../now';
import { queryOf } from '../query';
import { OUTCOMES } from './outcomes';

export const dynamic = 'force-dynamic';

/** Records of probes, newest first. */
export const GET = handled((request) => {
  const query = queryOf(request, ['target', 'outcome', 'experiment', 'from', 'to', 'limit']);
  const [target, outcome, experiment] = [query.text('target'), query.choice('outcome', OUTCOMES), query.text('experiment')];
  if (target !== undefined) knownTarget(runtime(), target);
  const wanted = {
    ...(target === undefined ? {} : { target }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(experiment === undefined ? {} : { experiment }),
    ...query.range(toldNow(runtime())),
    limit: query.whole('limit', { least: 1, most: 500, otherwise: 50 }),
  };
  return answer({ probes: runtime().history()?.probes(wanted) ?? [] });
});
