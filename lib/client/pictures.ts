'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { liveSnapshot, snapshotAt } from './queries';

/** Fetch the pictures around a second, so that the next steps are at hand; `strideMs` is the way that one goes. */
export function usePicturesAround(at: number | undefined, strideMs: number): void {
  const client = useQueryClient();
  useEffect(() => {
    if (at === undefined) return;
    // A second that has not been told yet would be answered with the last one, and kept.
    const last = client.getQueryData(liveSnapshot.queryKey)?.at ?? 0;
    const wanted = [1, -1, 2, 3, 4].map((steps) => at + steps * strideMs);
    for (const second of wanted) if (second < last) void client.prefetchQuery(snapshotAt(second));
  }, [client, at, strideMs]);
}
