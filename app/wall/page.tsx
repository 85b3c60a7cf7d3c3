import { HydrationBoundary } from '@tanstack/react-query';
import { Wall } from '@/components/wall/wall';
import { wallSizes } from '@/lib/client/wall';
import { firstPicture, type Query } from '../first-picture';

export default async function Page({ searchParams }: { searchParams: Query }) {
  const { wall, screen } = await searchParams;
  return (
    <HydrationBoundary state={await firstPicture(searchParams)}>
      <Wall sizes={wallSizes(one(wall), one(screen))} />
    </HydrationBoundary>
  );
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
