import { runtime } from '@/lib/runtime';
import { answer, handled, refusal } from '../answer';
import { toldNow } from '../now';
import { queryOf } from '../query';

export const dynamic = 'force-dynamic';

/** What the screen shows now, or showed at a moment of the past. */
export const GET = handled((request) => {
  const now = toldNow(runtime());
  const at = queryOf(request, ['at']).moment('at', now);
  const live = runtime().snapshot();
  if (at === undefined || (live !== undefined && at >= live.at)) {
    if (live === undefined) throw refusal(503, 'Nothing has been seen yet; the first picture is there a second after the start.', { 'retry-after': '1' });
    return answer(live);
  }
  const shown = runtime().history()?.snapshotAt(at);
  if (shown === undefined) throw refusal(404, `Nothing is kept of ${isoOf(at)}; ${reach()}.`);
  return answer(shown);
});

function reach(): string {
  const span = runtime().history()?.span();
  return span === undefined ? 'there is no history yet' : `history reaches from ${isoOf(span.from)} to ${isoOf(span.to)}`;
}

function isoOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString();
}
