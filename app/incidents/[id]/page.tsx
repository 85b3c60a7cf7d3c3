import { HydrationBoundary } from '@tanstack/react-query';
import { IncidentPage } from '@/components/incident/incident-page';
import { Desk } from '@/components/shell/desk';
import { firstPicture, type Query } from '../../first-picture';

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const id = decodeURIComponent((await params).id);
  return (
    <HydrationBoundary state={await firstPicture(searchParams)}>
      <Desk>
        <IncidentPage id={id} />
      </Desk>
    </HydrationBoundary>
  );
}
