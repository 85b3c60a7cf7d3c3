import { HydrationBoundary } from '@tanstack/react-query';
import { Desk } from '@/components/shell/desk';
import { TargetPage } from '@/components/target/target-page';
import { firstPicture, type Query } from '../../first-picture';

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  return (
    <HydrationBoundary state={await firstPicture(searchParams)}>
      <Desk>
        <TargetPage id={decodeURIComponent(id)} />
      </Desk>
    </HydrationBoundary>
  );
}
