'use client';

import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Cursor } from '@/lib/client/cursor';
import type { Travel } from '@/lib/client/travel';
import { PLOT } from './strokes';

/** A hand that moved less than this has clicked. */
const DRAG_PX = 5;
/** A second click within this is a double one. */
const DOUBLE_MS = 250;

type Held = { at: number; x: number; isPan: boolean };

/** Pointing at a chart: hover moves the cursor, click pins, drag zooms, Shift-drag moves the span, double-click zooms out. */
export function usePointing({ from, to, cursor, travel }: { from: number; to: number; cursor: Cursor | undefined; travel: Travel | undefined }) {
  const held = useRef<Held>(undefined);
  const click = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [selection, setSelection] = useState<{ from: number; to: number }>();
  useEffect(() => () => clearTimeout(click.current), []);

  const momentOf = (event: MouseEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left - PLOT.left) / (box.width - PLOT.left - PLOT.right);
    return { at: from + Math.min(1, Math.max(0, share)) * (to - from), isInside: share >= 0 && share <= 1 };
  };
  const hasDragged = (event: PointerEvent<HTMLElement>) => held.current !== undefined && Math.abs(event.clientX - held.current.x) >= DRAG_PX;

  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      held.current = { at: momentOf(event).at, x: event.clientX, isPan: event.shiftKey };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const { at, isInside } = momentOf(event);
      cursor?.set(isInside ? at : undefined);
      const start = held.current;
      if (start && !start.isPan && hasDragged(event)) setSelection({ from: Math.min(start.at, at), to: Math.max(start.at, at) });
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const start = held.current;
      const { at } = momentOf(event);
      const wasDrag = hasDragged(event);
      held.current = undefined;
      setSelection(undefined);
      if (!start || !travel) return;
      if (!wasDrag) {
        clearTimeout(click.current);
        click.current = setTimeout(() => travel.hold(at), DOUBLE_MS);
      } else if (start.isPan) travel.shift((start.at - at) / (to - from));
      else travel.select(Math.min(start.at, at), Math.max(start.at, at));
    },
    onPointerCancel() {
      held.current = undefined;
      setSelection(undefined);
    },
    onPointerLeave: () => cursor?.set(undefined),
    onDoubleClick() {
      clearTimeout(click.current);
      travel?.zoomOut();
    },
  };
  return { selection, handlers };
}
