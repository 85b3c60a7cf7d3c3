'use client';

import { type ComponentType, type RefObject, useEffect, useState } from 'react';

/** The width from which a page has a map. */
const WIDE = '(min-width: 40rem)';
const REST_MS = 1_500;

/** A component that is fetched once the page has rested; never on a screen too narrow for a map. What had the focus inside `box` has it again. */
export function useLate<P>(load: () => Promise<ComponentType<P>>, box: RefObject<HTMLElement | null>): ComponentType<P> | undefined {
  const [late, setLate] = useState<{ is: ComponentType<P>; focused: string | undefined }>();
  useEffect(() => {
    if (!window.matchMedia(WIDE).matches) return;
    let isGone = false;
    const begin = async () => {
      const is = await load();
      if (isGone) return;
      const focused = document.activeElement;
      const isInside = focused !== null && box.current?.contains(focused);
      setLate({ is, focused: isInside ? (focused.getAttribute('data-slot') ?? undefined) : undefined });
    };
    // When it cannot be fetched the plain map stays: it shows the same.
    const rest = () => void begin().catch(() => undefined);
    const timer = setTimeout(() => (window.requestIdleCallback ?? window.setTimeout)(rest), REST_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [load, box]);
  useEffect(() => {
    const id = late?.focused;
    if (id !== undefined)
      requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-slot="${CSS.escape(id)}"]`)?.focus({ preventScroll: true }));
  }, [late, box]);
  return late?.is;
}
