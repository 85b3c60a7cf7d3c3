import { HydrationBoundary } from '@tanstack/react-query';
import { recordOf } from '@/app/api/incidents/record';
import { IncidentPage } from '@/components/incident/incident-page';
import { Desk } from '@/components/shell/desk';
import { incidentRecord, keptRecord } from '@/lib/client/queries';
import { runtime } from '@/lib/runtime';
import { firstPicture, type Query } from '../../first-picture';

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const id = decodeURIComponent((await params).id);
  const history = runtime().history();
  const record = recordOf(history, id);
  const kept = history?.kept(id);
  const state = await firstPicture(searchParams, (client) => {
    if (record) client.setQueryData(incidentRecord(id).queryKey, record);
    if (kept) client.setQueryData(keptRecord(id, false).queryKey, kept);
  });
  return (
    <HydrationBoundary state={state}>
      <Desk>
        <IncidentPage id={id} />
      </Desk>
    </HydrationBoundary>
  );
}
