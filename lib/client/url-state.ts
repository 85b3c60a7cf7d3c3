'use client';

import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import { readView, type View } from './view';

/** The view in the address bar, and a way to change some of its keys in place (no server round trip, no history entry). */
export function useView(): readonly [View, (change: View) => void] {
  const params = useSearchParams();
  const change = useCallback((part: View) => {
    const here = new URL(window.location.href);
    for (const [key, value] of Object.entries(part)) {
      if (value) here.searchParams.set(key, value);
      else here.searchParams.delete(key);
    }
    window.history.replaceState(null, '', here);
  }, []);
  const view = useMemo(() => readView(params), [params]);
  return [view, change];
}
