'use client';

import { useSettings } from '@/lib/client/settings';
import { clockTime, dateTime, type Zone } from '@/lib/format';

/** A moment in the reader's zone, with the UTC moment on hover. The server writes UTC, since it cannot know the zone. */
export function Time({ at, withDate = false }: { at: number; withDate?: boolean }) {
  const zone = useZone();
  const valid = Number.isFinite(at) && Math.abs(at) < 8.64e15;
  if (!valid) return <span>n/a</span>;
  return (
    <time dateTime={new Date(at).toISOString()} title={dateTime(at, 'utc')} className="whitespace-nowrap">
      {withDate ? dateTime(at, zone) : clockTime(at, zone)}
    </time>
  );
}

/** The reader's zone once hydrated: local unless they chose UTC. */
export function useZone(): Zone {
  return useSettings(ON_THE_SERVER).zone;
}

const ON_THE_SERVER = { zone: 'utc', singleKeys: 'on', name: '' } as const;
