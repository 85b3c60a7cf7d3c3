'use client';

import dynamic from 'next/dynamic';
import { createContext, type KeyboardEvent, memo, type PointerEvent, type ReactNode, useContext, useState, useSyncExternalStore } from 'react';
import { type Cursor, createCursor } from '@/lib/client/cursor';
import { inWords, type Line, reading } from '@/lib/client/series';
import { clockTime, count } from '@/lib/format';
import type { Band } from './chart';
import { DASHES, PLOT, STROKES } from './strokes';

/** The chart library loads after the picture that matters: sentence, map and probes do not wait for it. */
const Chart = dynamic(() => import('./chart').then((module) => module.Chart), {
  ssr: false,
  loading: () => <div aria-hidden="true" style={{ height: HEIGHT }} />,
});

const HEIGHT = 132;

const CursorContext = createContext<Cursor | undefined>(undefined);

/** One cursor for all charts inside. */
export function SharedCursor({ children }: { children: ReactNode }) {
  const [cursor] = useState(createCursor);
  return <CursorContext value={cursor}>{children}</CursorContext>;
}

type Props = { title: string; unit: string; isLoading: boolean; lines: readonly Line[]; from: number; to: number; bands: readonly Band[]; stepMs: number };

/** One chart with its legend, which reads the values under the shared cursor, or the last ones. */
export const ChartFrame = memo(function ChartFrame(props: Props) {
  const { title, unit, lines, from, to, bands, stepMs } = props;
  const cursor = useContext(CursorContext);
  const words = lines.map(inWords).join('; ');

  const point = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left - PLOT.left) / (box.width - PLOT.left - PLOT.right);
    cursor?.set(share < 0 || share > 1 ? undefined : from + share * (to - from));
  };
  const step = (event: KeyboardEvent<HTMLDivElement>) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Escape') cursor?.set(undefined);
    if (!way) return;
    event.preventDefault();
    const next = (cursor?.get() ?? to) + way * stepMs * (event.shiftKey ? 10 : 1);
    cursor?.set(Math.min(to, Math.max(from, next)));
  };

  return (
    <figure className="min-w-0">
      <figcaption className="text-xs font-semibold text-soft">
        {title} <span className="font-normal text-faint">{unit}</span>
      </figcaption>
      <Legend {...props} />
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${title}, cursor in time`}
        aria-valuemin={from}
        aria-valuemax={to}
        aria-valuenow={to}
        aria-valuetext={words}
        className="relative touch-pan-y"
        onPointerMove={point}
        onPointerLeave={() => cursor?.set(undefined)}
        onKeyDown={step}
        onBlur={() => cursor?.set(undefined)}
      >
        <Chart lines={lines} from={from} to={to} bands={bands} height={HEIGHT} label={`${title}: ${words}`} />
        <CursorLine from={from} to={to} />
      </div>
    </figure>
  );
});

function Legend({ lines, to, stepMs, isLoading }: Props) {
  const at = useCursor();
  return (
    <p className="flex min-h-8 flex-wrap content-start gap-x-3 text-2xs text-soft">
      {lines.map((line, index) => (
        <span key={line.id} className="inline-flex items-center gap-1 whitespace-nowrap">
          <svg aria-hidden="true" viewBox="0 0 18 4" className="h-1 w-[18px]">
            <path d="M0 2h18" stroke={STROKES[index % STROKES.length]} strokeWidth="2" strokeDasharray={DASHES[index % DASHES.length]} />
          </svg>
          {line.label}{' '}
          <span className="inline-block min-w-5 font-semibold text-ink">
            {isLoading ? '' : count(reading(line, at ?? to, at === undefined ? 6 * stepMs : stepMs * 1.5))}
          </span>
        </span>
      ))}
    </p>
  );
}

function CursorLine({ from, to }: { from: number; to: number }) {
  const at = useCursor();
  if (at === undefined || at < from || at > to) return null;
  const share = (at - from) / (to - from);
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-1 bottom-[18px] w-px bg-ink"
      style={{ left: `calc(${PLOT.left}px + (100% - ${PLOT.left + PLOT.right}px) * ${share})` }}
    >
      <span className={`absolute top-0 bg-ground px-1 text-2xs ${share > 0.7 ? 'right-0.5' : 'left-0.5'}`}>{clockTime(at, 'local')}</span>
    </div>
  );
}

function useCursor(): number | undefined {
  const cursor = useContext(CursorContext);
  return useSyncExternalStore(
    cursor?.subscribe ?? never,
    () => cursor?.get(),
    () => undefined,
  );
}

const never = () => () => {};
