import { HydrationBoundary } from '@tanstack/react-query';
import { Desk } from '@/components/shell/desk';
import { Overview } from '@/components/stack/overview';
import { firstPicture, type Query } from './first-picture';

export default async function Page({ searchParams }: { searchParams: Query }) {
  return (
    <HydrationBoundary state={await firstPicture(searchParams)}>
      <Desk>
        <Overview />
      </Desk>
    </HydrationBoundary>
  );
}
