'use client';

import { useSyncExternalStore } from 'react';

/** The last small thing that was done on this page and is told once: "copied 41". */
let told = '';
const listeners = new Set<() => void>();

/** Tell what was done; the same words twice are told twice. */
export function tell(text: string): void {
  told = told === text ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
}

export function useTold(): string {
  return useSyncExternalStore(
    subscribe,
    () => told,
    () => '',
  );
}

/** Put a text on the clipboard and tell so. */
export async function copyText(text: string, what = text): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(`Copied ${what}`);
  } catch {
    tell('The browser does not allow copying');
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
