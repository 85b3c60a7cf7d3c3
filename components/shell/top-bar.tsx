'use client';

import { usePathname } from 'next/navigation';
import { ViewLink } from '../ui/view-link';
import { CopyLink } from './copy-link';
import { HeartBeat } from './heart-beat';
import { Keys } from './keys';
import { ThemeToggle } from './theme-toggle';

/** Where one is, the ways from here, and the proof that the screen lives. */
export function TopBar() {
  const path = usePathname();
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-5 gap-y-1 border-b border-hairline px-4 py-1">
      <a href="#content" className="sr-only focus:not-sr-only">
        Skip to the content
      </a>
      <nav aria-label="Pages" className="flex items-center gap-x-5">
        {PAGES.map(([to, name]) => (
          <ViewLink
            key={to}
            path={to}
            aria-current={path === to ? 'page' : undefined}
            className={`flex min-h-6 items-center underline-offset-4 hover:underline ${to === '/' ? 'font-bold tracking-tight' : 'text-soft'} ${path === to && to !== '/' ? 'text-ink underline' : ''}`}
          >
            {name}
          </ViewLink>
        ))}
      </nav>
      <div className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-1">
        <HeartBeat />
        <Keys />
        <CopyLink />
        <ThemeToggle />
      </div>
    </div>
  );
}

const PAGES = [
  ['/', 'Wedgewatch'],
  ['/incidents', 'Incidents'],
  ['/wall', 'Wall'],
] as const;
