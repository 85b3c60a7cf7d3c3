import { EVENT_KINDS } from '@/lib/model/incident';
import { runtime } from '@/lib/runtime';
import { answer, declined, handled, quoted, refusal, written } from '../answer';
import { jsonBody, sameOrigin } from '../guard';
import { nameOf, wordsOf } from '../incidents/deed';
import { momentOf } from '../moment';
import { toldNow } from '../now';
import { queryOf } from '../query';

export const dynamic = 'force-dynamic';

const KEYS = ['stack', 'by', 'text', 'at', 'until'];
const LONGEST_MARK = 500;

/** The log, newest first; events of no stack concern every stack. A mark on a region belongs to the range that it begins in. */
export const GET = handled((request) => {
  const query = queryOf(request, ['stack', 'kind', 'from', 'to', 'limit']);
  const stack = query.text('stack');
  const kind = query.choice('kind', EVENT_KINDS);
  const limit = query.whole('limit', { least: 1, most: 1_000, otherwise: 100 });
  const want = { ...(stack === undefined ? {} : { stack }), ...(kind === undefined ? {} : { kinds: [kind] }) };
  return answer({
    events:
      runtime()
        .history()
        ?.events({ ...want, ...query.range(toldNow(runtime())), limit }) ?? [],
  });
});

/** Mark a moment or a region: "rolled back the gateway". */
export const POST = handled(async (request) => {
  sameOrigin(request, runtime().config());
  queryOf(request, []);
  const body = await jsonBody(request);
  const foreign = Object.keys(body).find((key) => !KEYS.includes(key));
  if (foreign !== undefined) throw refusal(400, `${quoted(foreign)} is no key of this body; it takes ${KEYS.join(', ')}.`);
  const now = toldNow(runtime());
  const stack = stackOf(body.stack);
  const at = body.at === undefined ? now : momentIn('at', body.at, now);
  const until = body.until === undefined ? undefined : momentIn('until', body.until, now);
  if (until !== undefined && until <= at) throw refusal(400, `until: ${written(body.until)} is not after at; swap them.`);
  const told = await runtime().command({
    kind: 'mark',
    stack,
    at,
    ...(until === undefined ? {} : { until }),
    by: nameOf(body.by),
    text: wordsOf('text', body.text, LONGEST_MARK).replace(/\s+/g, ' '),
  });
  if (!told.ok) throw declined(told.error);
  return answer({ id: told.id ?? '' }, { status: 201 });
});

function stackOf(value: unknown): string {
  if (typeof value !== 'string') throw refusal(400, `stack: ${written(value)} is no text; name the stack, as in /api/snapshot.`);
  const isThere = runtime()
    .snapshot()
    ?.stacks.some((each) => each.id === value);
  if (!isThere) throw refusal(404, `No stack has the id ${quoted(value)}; /api/snapshot lists those that are watched.`);
  return value;
}

function momentIn(key: string, value: unknown, now: number): number {
  const at = typeof value === 'number' ? value : typeof value === 'string' ? momentOf(value, now) : undefined;
  if (at === undefined || !Number.isFinite(at) || at > now + 60_000 || at < 0)
    throw refusal(400, `${key}: ${written(value)} is no moment of the past; write ISO time with its zone, epoch in ms, "now" or "now-15m".`);
  return at;
}
