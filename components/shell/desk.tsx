'use client';

import type { ReactNode } from 'react';
import { useLink, usePastMoment } from '@/lib/client/queries';
import { Announcer } from './announcer';
import { BlindBanner } from './blind-banner';
import { TimeBar } from './time-bar';
import { TopBar } from './top-bar';

/** What surrounds every page at the desk. */
export function Desk({ children }: { children: ReactNode }) {
  const link = useLink();
  const past = usePastMoment();
  return (
    <div data-blind={link.state === 'blind' && past === undefined}>
      <header>
        <TopBar />
        <TimeBar />
      </header>
      <BlindBanner />
      <Announcer />
      <main id="content" className="mx-auto grid max-w-[120rem] grid-cols-[minmax(0,1fr)] gap-4 px-4 py-3">
        {children}
      </main>
    </div>
  );
}
