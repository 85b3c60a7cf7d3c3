import { runtime } from '@/lib/runtime';
import { answer, handled, quoted, refusal } from '../../answer';
import { queryOf } from '../../query';

export const dynamic = 'force-dynamic';

/** What led to an incident, and what followed, is told along. */
const BEFORE_MS = 120_000;
const AFTER_MS = 120_000;
const MOST_EVENTS = 500;

/** One incident with the events of its stack around it, newest first. */
export const GET = handled<{ params: Promise<{ id: string }> }>(async (request, { params }) => {
  queryOf(request, []);
  const { id } = await params;
  const incident = runtime().history()?.incident(id);
  if (incident === undefined) throw refusal(404, `No incident has the id ${quoted(id)}; /api/incidents lists the latest.`);
  const from = incident.openedAt - BEFORE_MS;
  const to = incident.closedAt === undefined ? undefined : incident.closedAt + AFTER_MS;
  const events =
    runtime()
      .history()
      ?.events({ stack: incident.stack, from, ...(to === undefined ? {} : { to }), limit: MOST_EVENTS }) ?? [];
  return answer({ incident, events });
});
