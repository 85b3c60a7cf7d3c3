import { runtime } from '@/lib/runtime';
import { answer, declined, handled, quoted, refusal } from '../../answer';
import { sameOrigin } from '../../guard';
import { queryOf } from '../../query';

export const dynamic = 'force-dynamic';

type Context = { params: Promise<{ id: string }> };

/** One experiment as far as it has come. */
export const GET = handled<Context>(async (request, { params }) => {
  queryOf(request, []);
  return answer(experiment((await params).id));
});

/** End it: what was found so far stays. */
export const DELETE = handled<Context>(async (request, { params }) => {
  sameOrigin(request, runtime().config());
  queryOf(request, []);
  const { id } = experiment((await params).id);
  const told = await runtime().command({ kind: 'cancel-experiment', id });
  if (!told.ok) throw declined(told.error);
  return answer({ id });
});

function experiment(id: string) {
  const found = runtime().history()?.experiment(id);
  if (found === undefined) throw refusal(404, `No experiment has the id ${quoted(id)}; /api/experiments lists the latest.`);
  return found;
}
