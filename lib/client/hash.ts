'use client';

import { useSyncExternalStore } from 'react';

/** The place on the page that the address names, decoded; empty where it names none, and on the server. */
export function useHash(): string {
  return useSyncExternalStore(subscribe, read, () => '');
}

function subscribe(told: () => void): () => void {
  window.addEventListener('hashchange', told);
  window.addEventListener('popstate', told);
  return () => {
    window.removeEventListener('hashchange', told);
    window.removeEventListener('popstate', told);
  };
}

function read(): string {
  const text = window.location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
