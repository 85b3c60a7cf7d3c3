import { HydrationBoundary } from '@tanstack/react-query';
import { IncidentList } from '@/components/incident/incident-list';
import { Desk } from '@/components/shell/desk';
import { incidentsWhere } from '@/lib/client/queries';
import { runtime } from '@/lib/runtime';
import { firstPicture, type Query } from '../first-picture';

/** The whole list is there with the first paint; a narrowed one is asked for by the browser. */
export default async function Page({ searchParams }: { searchParams: Query }) {
  const incidents = runtime().history()?.incidents({ limit: 200 });
  const state = await firstPicture(searchParams, (client) => {
    if (incidents) client.setQueryData(incidentsWhere('').queryKey, incidents);
  });
  return (
    <HydrationBoundary state={state}>
      <Desk>
        <IncidentList />
      </Desk>
    </HydrationBoundary>
  );
}
