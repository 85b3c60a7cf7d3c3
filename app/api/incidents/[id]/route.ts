import { runtime } from '@/lib/runtime';
import { answer, handled } from '../../answer';
import { queryOf } from '../../query';
import { noSuchIncident, recordOf } from '../record';

export const dynamic = 'force-dynamic';

/** One incident with the events of its stack around it, and earlier ones of the same signature. */
export const GET = handled<{ params: Promise<{ id: string }> }>(async (request, { params }) => {
  queryOf(request, []);
  const { id } = await params;
  const record = recordOf(runtime().history(), id);
  if (record === undefined) throw noSuchIncident(id);
  return answer(record);
});
