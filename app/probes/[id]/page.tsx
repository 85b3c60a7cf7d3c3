import { HydrationBoundary } from '@tanstack/react-query';
import { ProbePage } from '@/components/probe/probe-page';
import { Desk } from '@/components/shell/desk';
import { probeRecord } from '@/lib/client/queries';
import { runtime } from '@/lib/runtime';
import { firstPicture, type Query } from '../../first-picture';

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const id = decodeURIComponent((await params).id);
  const probe = runtime().history()?.probe(id);
  const state = await firstPicture(searchParams, (client) => {
    if (probe) client.setQueryData(probeRecord(id).queryKey, probe);
  });
  return (
    <HydrationBoundary state={state}>
      <Desk>
        <ProbePage id={id} />
      </Desk>
    </HydrationBoundary>
  );
}
