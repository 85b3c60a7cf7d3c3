'use client';

import { type ComponentType, type RefObject, useEffect, useState } from 'react';

/** A component that came late, and the slot that had the focus in what it takes the place of. */
type Late<P> = { is: ComponentType<P>; focused: string | undefined };

/** A component that is fetched when somebody first comes to `box`, by mouse or by keys: who only reads never loads it. */
export function useLate<P>(load: () => Promise<ComponentType<P>>, box: RefObject<HTMLElement | null>): Late<P> | undefined {
  const [late, setLate] = useState<Late<P>>();
  useEffect(() => {
    const here = box.current;
    if (!here) return;
    const gone = new AbortController();
    const begin = async () => {
      const is = await load();
      await released(here);
      const focused = document.activeElement;
      const isInside = focused !== null && here.contains(focused);
      if (!gone.signal.aborted) setLate({ is, focused: isInside ? (focused.getAttribute('data-slot') ?? undefined) : undefined });
    };
    // When it cannot be fetched the plain map stays: it shows the same.
    const come = () => void begin().catch(() => undefined);
    for (const sign of ['pointerover', 'focusin']) here.addEventListener(sign, come, { once: true, signal: gone.signal });
    return () => gone.abort();
  }, [load, box]);
  return late;
}

/** Resolves when no button is held down on it: a click whose two halves fall on two elements is none. */
function released(box: HTMLElement): Promise<void> {
  if (!box.matches(':active')) return Promise.resolve();
  return new Promise((resolve) => window.addEventListener('pointerup', () => setTimeout(resolve), { once: true }));
}
