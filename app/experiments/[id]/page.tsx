import { HydrationBoundary } from '@tanstack/react-query';
import { ExperimentPage } from '@/components/experiment/experiment-page';
import { Desk } from '@/components/shell/desk';
import { experimentRecord } from '@/lib/client/queries';
import { runtime } from '@/lib/runtime';
import { firstPicture, type Query } from '../../first-picture';

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const id = decodeURIComponent((await params).id);
  const experiment = runtime().history()?.experiment(id);
  const state = await firstPicture(searchParams, (client) => {
    if (experiment) client.setQueryData(experimentRecord(id).queryKey, experiment);
  });
  return (
    <HydrationBoundary state={state}>
      <Desk>
        <ExperimentPage id={id} />
      </Desk>
    </HydrationBoundary>
  );
}
