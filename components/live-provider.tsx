'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { openLive } from '@/lib/client/live';

/** The query cache and the one stream that feeds it. Around all pages, so that moving between them does not reconnect. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 2, refetchOnWindowFocus: false } } }));
  // The wall is looked at while nobody touches it, also behind a screen saver's idea of "hidden".
  useEffect(() => openLive(client, { keepWhenHidden: () => window.location.pathname === '/wall' }), [client]);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
