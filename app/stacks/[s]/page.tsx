import { HydrationBoundary } from '@tanstack/react-query';
import { Desk } from '@/components/shell/desk';
import { StackPage } from '@/components/stack/stack-page';
import { firstPicture, type Query } from '../../first-picture';

export default async function Page({ params, searchParams }: { params: Promise<{ s: string }>; searchParams: Query }) {
  const { s } = await params;
  return (
    <HydrationBoundary state={await firstPicture(searchParams)}>
      <Desk>
        <StackPage id={decodeURIComponent(s)} />
      </Desk>
    </HydrationBoundary>
  );
}
