import { HydrationBoundary } from '@tanstack/react-query';
import { IncidentPage } from '@/components/incident/incident-page';
import { Desk } from '@/components/shell/desk';
import { incidentRecord } from '@/lib/client/queries';
import { runtime } from '@/lib/runtime';
import { firstPicture, type Query } from '../../first-picture';

/** As /api/incidents/{id} tells it: with what led to it and what followed. */
const AROUND_MS = 120_000;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const id = decodeURIComponent((await params).id);
  const history = runtime().history();
  const incident = history?.incident(id);
  const state = await firstPicture(searchParams, (client) => {
    if (!history || !incident) return;
    const to = incident.closedAt === undefined ? undefined : incident.closedAt + AROUND_MS;
    const events = history.events({ stack: incident.stack, from: incident.openedAt - AROUND_MS, to, limit: 500 });
    client.setQueryData(incidentRecord(id).queryKey, { incident, events });
  });
  return (
    <HydrationBoundary state={state}>
      <Desk>
        <IncidentPage id={id} />
      </Desk>
    </HydrationBoundary>
  );
}
