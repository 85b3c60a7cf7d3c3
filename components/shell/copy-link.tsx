'use client';

import { useState } from 'react';
import { useSnapshot } from '@/lib/client/queries';

/** Copies a link that shows the same screen at the same second, also when this view is live. */
export function CopyLink() {
  const at = useSnapshot((snapshot) => Math.floor(snapshot.at / 1_000) * 1_000);
  const [told, setTold] = useState('');
  const copy = async () => {
    const url = new URL(window.location.href);
    if (at !== undefined && !url.searchParams.has('t')) url.searchParams.set('t', new Date(at).toISOString());
    try {
      await navigator.clipboard.writeText(url.toString());
      setTold('Copied');
    } catch {
      setTold('Not allowed by the browser');
    }
  };
  return (
    <button type="button" onClick={copy} onBlur={() => setTold('')} className="min-h-6 min-w-20 rounded-sm px-1.5 text-soft hover:text-ink hover:underline">
      <span aria-live="polite">{told || 'Copy link'}</span>
    </button>
  );
}
