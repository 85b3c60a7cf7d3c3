'use client';

import { useState } from 'react';
import { absolute } from '@/lib/client/range';
import { useTravel } from '@/lib/client/travel';
import { useView } from '@/lib/client/url-state';
import { withQuery } from '@/lib/client/view';

/** Copies a link that shows the same screen at the same second, also when this view is live. */
export function CopyLink() {
  const { now } = useTravel();
  const [view] = useView();
  const [told, setTold] = useState('');
  const copy = async () => {
    const { origin, pathname, hash } = window.location;
    const url = `${origin}${withQuery(pathname, now ? absolute(view, now) : view)}${hash}`;
    try {
      await navigator.clipboard.writeText(url);
      setTold('Copied');
    } catch {
      setTold('Not allowed by the browser');
    }
  };
  return (
    <button
      type="button"
      data-key="c"
      onClick={copy}
      onBlur={() => setTold('')}
      className="min-h-6 min-w-20 rounded-sm px-1.5 text-soft hover:text-ink hover:underline"
    >
      <span aria-live="polite">{told || 'Copy link'}</span>
    </button>
  );
}
