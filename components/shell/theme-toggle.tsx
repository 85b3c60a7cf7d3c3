'use client';

import { useEffect } from 'react';
import { useView } from '@/lib/client/url-state';

/** Light or dark by the room, per screen: it lives in the URL. */
export function ThemeToggle() {
  const [view, setView] = useView();
  const theme = view.theme === 'dark' || view.theme === 'light' ? view.theme : undefined;
  useEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  }, [theme]);

  const toggle = () => {
    const isDark = theme ? theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
    setView({ theme: isDark ? 'light' : 'dark' });
  };
  return (
    <button type="button" data-key="theme" onClick={toggle} className="min-h-6 rounded-sm px-1.5 text-soft hover:text-ink hover:underline">
      Light / dark
    </button>
  );
}
