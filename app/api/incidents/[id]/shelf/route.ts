import { runtime } from '@/lib/runtime';
import { handled, refusal, written } from '../../../answer';
import { sameOrigin } from '../../../guard';
import { spanOf } from '../../../moment';
import { queryOf } from '../../../query';
import { changed, done, known, nameOf, wordsOf } from '../../deed';

export const dynamic = 'force-dynamic';

type Context = { params: Promise<{ id: string }> };
const HOUR_MS = 3_600_000;
const LONGEST_REASON = 300;

/** Silence this alarm for a time, by name and for a reason. */
export const POST = handled<Context>(async (request, { params }) =>
  changed(request, (await params).id, ['by', 'for', 'reason'], (body) => ({
    kind: 'shelve',
    by: nameOf(body.by),
    forMs: spanFor(body.for),
    reason: wordsOf('reason', body.reason, LONGEST_REASON).replace(/\s+/g, ' '),
  })),
);

/** Let it sound again. */
export const DELETE = handled<Context>(async (request, { params }) => {
  sameOrigin(request, runtime().config());
  const by = queryOf(request, ['by']).text('by');
  const { id } = await params;
  if (known(id).shelf === undefined) throw refusal(409, 'This incident is not shelved; there is nothing to take off.');
  return done(id, { kind: 'unshelve', by: by === undefined ? 'somebody on the page or the API' : nameOf(by) });
});

function spanFor(value: unknown): number {
  if (value === undefined) return HOUR_MS;
  const ms = typeof value === 'string' ? spanOf(value) : undefined;
  if (ms === undefined || ms < 60_000 || ms > 24 * HOUR_MS)
    throw refusal(400, `for: ${written(value)} is no duration from 1m to 24h; write one, such as "1h".`);
  return ms;
}
