'use client';

import { useState } from 'react';

/** A button that copies a text and says so. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [told, setTold] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setTold('Copied');
    } catch {
      setTold('Not allowed by the browser');
    }
  };
  return (
    <button type="button" onClick={copy} onBlur={() => setTold('')} className="min-h-6 rounded-sm border border-line px-2 text-2xs hover:border-ink">
      <span aria-live="polite">{told || what}</span>
    </button>
  );
}
