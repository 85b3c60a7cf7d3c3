'use client';

import dynamic from 'next/dynamic';
import { createContext, type KeyboardEvent, memo, type ReactNode, useContext, useState, useSyncExternalStore } from 'react';
import { type Cursor, createCursor } from '@/lib/client/cursor';
import { inWords, type Line, reading } from '@/lib/client/series';
import type { Travel } from '@/lib/client/travel';
import { clockTime, count } from '@/lib/format';
import type { Band } from './chart';
import { useNear } from './near';
import { usePointing } from './pointing';
import { DASHES, PLOT, STROKES } from './strokes';
import { useZone } from './time';

/** The chart library loads when a chart comes near: sentence, map and probes do not wait for it. */
const Chart = dynamic(() => import('./chart').then((module) => module.Chart), {
  ssr: false,
  loading: () => <div aria-hidden="true" style={{ height: HEIGHT }} />,
});

const HEIGHT = 132;

const CursorContext = createContext<Cursor | undefined>(undefined);
const TravelContext = createContext<Travel | undefined>(undefined);

/** One cursor for all charts inside, and the one way through time that clicks and drags on them take. */
export function SharedCursor({ travel, children }: { travel: Travel; children: ReactNode }) {
  const [cursor] = useState(createCursor);
  return (
    <CursorContext value={cursor}>
      <TravelContext value={travel}>{children}</TravelContext>
    </CursorContext>
  );
}

type Props = { title: string; unit: string; isLoading: boolean; lines: readonly Line[]; from: number; to: number; bands: readonly Band[]; stepMs: number };

/** One chart with its legend, which reads the values under the shared cursor, or the last ones. */
export const ChartFrame = memo(function ChartFrame(props: Props) {
  const { title, unit, lines, from, to, bands, stepMs } = props;
  const cursor = useContext(CursorContext);
  const words = lines.map(inWords).join('; ');

  const travel = useContext(TravelContext);
  const { selection, handlers } = usePointing({ from, to, cursor, travel });
  const [place, isNear] = useNear<HTMLElement>();
  const step = (event: KeyboardEvent<HTMLDivElement>) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const here = cursor?.get();
    if (event.key === 'Escape' && here !== undefined) {
      event.preventDefault();
      cursor?.set(undefined);
    }
    if (event.key === 'Enter' && here !== undefined) travel?.hold(here);
    if (!way) return;
    event.preventDefault();
    const next = (cursor?.get() ?? to) + way * stepMs * (event.shiftKey ? 10 : 1);
    cursor?.set(Math.min(to, Math.max(from, next)));
  };

  return (
    <figure ref={place} className="min-w-0">
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
        className="relative cursor-crosshair touch-pan-y select-none"
        {...handlers}
        onKeyDown={step}
        onBlur={() => cursor?.set(undefined)}
      >
        {isNear ? (
          <Chart lines={lines} from={from} to={to} bands={bands} height={HEIGHT} label={`${title}: ${words}`} />
        ) : (
          <div aria-hidden="true" style={{ height: HEIGHT }} />
        )}
        <Selection range={selection} from={from} to={to} />
        <Pin at={travel?.range.at} from={from} to={to} />
        <CursorLine from={from} to={to} />
      </div>
    </figure>
  );
});

function Legend({ lines, to, stepMs, isLoading }: Props) {
  const pinned = useContext(TravelContext)?.range.at;
  const at = useCursor() ?? pinned;
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

/** What is being dragged over. */
function Selection({ range, from, to }: { range: { from: number; to: number } | undefined; from: number; to: number }) {
  if (!range) return null;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-1 bottom-[18px] bg-ink opacity-15"
      style={{ left: leftOf((range.from - from) / (to - from)), right: rightOf((range.to - from) / (to - from)) }}
    />
  );
}

/** The pinned second, and a veil over what was not yet known in it. */
function Pin({ at, from, to }: { at: number | undefined; from: number; to: number }) {
  if (at === undefined || at < from || at > to) return null;
  const share = (at - from) / (to - from);
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-1 bottom-[18px] border-l-2 border-unknown"
      style={{ left: leftOf(share), right: rightOf(1) }}
    >
      <div className="size-full bg-ground opacity-60" />
    </div>
  );
}

function leftOf(share: number): string {
  return `calc(${PLOT.left}px + (100% - ${PLOT.left + PLOT.right}px) * ${share})`;
}

function rightOf(share: number): string {
  return `calc(${PLOT.right}px + (100% - ${PLOT.left + PLOT.right}px) * ${1 - share})`;
}

function CursorLine({ from, to }: { from: number; to: number }) {
  const at = useCursor();
  const zone = useZone();
  if (at === undefined || at < from || at > to) return null;
  const share = (at - from) / (to - from);
  return (
    <div aria-hidden="true" className="pointer-events-none absolute top-1 bottom-[18px] w-px bg-ink" style={{ left: leftOf(share) }}>
      <span className={`absolute top-0 bg-ground px-1 text-2xs ${share > 0.7 ? 'right-0.5' : 'left-0.5'}`}>{clockTime(at, zone)}</span>
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
