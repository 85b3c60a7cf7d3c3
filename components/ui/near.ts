import { type RefObject, useEffect, useRef, useState } from 'react';

/** So far below the window's edge something counts as near: it is there before a scrolling eye is. */
const MARGIN = '300px';

/** Whether an element is in sight or nearly so; once true it stays true. */
export function useNear<Element extends HTMLElement>(): [RefObject<Element | null>, boolean] {
  const ref = useRef<Element>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null || isNear) return;
    const observer = new IntersectionObserver((entries) => setNear(entries.some((entry) => entry.isIntersecting)), { rootMargin: MARGIN });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isNear]);
  return [ref, isNear];
}
