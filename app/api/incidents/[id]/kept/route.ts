import { runtime } from '@/lib/runtime';
import { answer, handled, quoted, refusal } from '../../../answer';
import { queryOf } from '../../../query';
import { known } from '../../deed';

export const dynamic = 'force-dynamic';

/** What was taken when the incident opened and is kept with it. */
export const GET = handled<{ params: Promise<{ id: string }> }>(async (request, { params }) => {
  queryOf(request, []);
  const { id } = await params;
  known(id);
  const kept = runtime().history()?.kept(id);
  if (kept === undefined) throw refusal(404, `Nothing was taken when ${quoted(id)} opened: an older Wedgewatch, or no room to write.`);
  return answer(kept);
});
