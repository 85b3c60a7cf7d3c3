import { runtime } from '@/lib/runtime';
import { answer, handled, quoted, refusal } from '../../answer';
import { queryOf } from '../../query';

export const dynamic = 'force-dynamic';

/** One probe's record. */
export const GET = handled<{ params: Promise<{ id: string }> }>(async (request, { params }) => {
  queryOf(request, []);
  const { id } = await params;
  const found = runtime().history()?.probe(id);
  if (found === undefined) throw refusal(404, `No probe has the id ${quoted(id)}; it may be older than what is kept, and /api/probes lists the latest.`);
  return answer(found);
});
