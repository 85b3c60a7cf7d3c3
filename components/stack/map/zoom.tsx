'use client';

import { useReactFlow, useViewport } from '@xyflow/react';

/** Nearer, farther, and all of it; told only where there is something to see by it. */
export function Zoom({ least, most }: { least: number; most: number }) {
  const flow = useReactFlow();
  const { zoom } = useViewport();
  const to = (next: number) => void flow.zoomTo(Math.min(most, Math.max(least, next)));
  return (
    <fieldset aria-label="Zoom of the map" className="absolute bottom-0 left-0 z-20 flex bg-ground text-2xs text-soft">
      <button type="button" aria-label="Zoom out of the map" disabled={zoom <= least + 0.001} onClick={() => to(zoom / 1.4)} className={BUTTON}>
        −
      </button>
      <button
        type="button"
        aria-label={`Map at ${Math.round(zoom * 100)} %; show it at 100 %`}
        onClick={() => void flow.setViewport({ x: 0, y: 0, zoom: 1 })}
        className={`${BUTTON} min-w-10`}
      >
        {Math.round(zoom * 100)} %
      </button>
      <button type="button" aria-label="Zoom into the map" disabled={zoom >= most - 0.001} onClick={() => to(zoom * 1.4)} className={BUTTON}>
        +
      </button>
      {least < 1 ? (
        <button type="button" onClick={() => to(least)} className={BUTTON}>
          all
        </button>
      ) : null}
    </fieldset>
  );
}

const BUTTON = 'min-h-6 min-w-6 px-1 hover:text-ink hover:underline disabled:opacity-40';
