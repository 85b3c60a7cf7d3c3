'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { usePicturesAround } from '@/lib/client/pictures';
import { usePastMoment } from '@/lib/client/queries';
import { isoOf, RELATIVE } from '@/lib/client/range';
import { changeSettings } from '@/lib/client/settings';
import { type Travel, useTravel } from '@/lib/client/travel';
import { useView } from '@/lib/client/url-state';
import { parseMoment } from '@/lib/client/view';
import { clockTime, dateTime } from '@/lib/format';
import { useZone } from '../ui/time';
import { Playback } from './playback';
import { TimePicker } from './time-picker';

/** Which span the charts show, which second everything shows, and the ways to another one. */
export function TimeBar() {
  const travel = useTravel();
  const [view, setView] = useView();
  const past = usePastMoment();
  const zone = useZone();
  usePicturesAround(past, 1_000);
  // A relative second in a link means the second at which it was opened; written out, it stays that one.
  useEffect(() => {
    const at = view.t?.startsWith('now') && travel.now ? parseMoment(view.t, travel.now) : undefined;
    if (at !== undefined) setView({ t: at < travel.now ? isoOf(at) : undefined });
  }, [view.t, travel.now, setView]);
  return (
    <section aria-label="Time" className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 border-b border-hairline px-4 py-1 text-2xs">
      <Span travel={travel} from={view.from} isFixed={view.to !== undefined || (view.from !== undefined && !view.from.startsWith('now'))} />
      <div className="flex items-center max-sm:hidden">
        <Small label="Earlier by half of the span" onClick={() => travel.shift(-0.5)}>
          ‹
        </Small>
        <Small label="Later by half of the span" onClick={() => travel.shift(0.5)}>
          ›
        </Small>
        <Small label="Zoom out (z)" onClick={travel.zoomOut}>
          zoom out
        </Small>
      </div>
      <TimePicker travel={travel} />
      <Scrubber travel={travel} zone={zone} />
      <Playback travel={travel} />
      <Small
        label={zone === 'utc' ? 'UTC; change to local time' : 'local time; change to UTC'}
        onClick={() => changeSettings({ zone: zone === 'utc' ? 'local' : 'utc' })}
      >
        {zone === 'utc' ? 'UTC' : 'local time'}
      </Small>
      <button
        type="button"
        onClick={travel.live}
        aria-label={travel.range.isLive ? 'live' : 'go to live (l)'}
        className={`min-h-6 min-w-24 rounded-full border px-2 font-semibold ${travel.range.isLive ? 'border-hairline text-soft' : 'border-unknown text-unknown'}`}
      >
        {travel.range.isLive ? 'live' : 'go to live'}
      </button>
    </section>
  );
}

function Span({ travel, from, isFixed }: { travel: Travel; from: string | undefined; isFixed: boolean }) {
  const zone = useZone();
  const { range } = travel;
  return (
    <select
      aria-label="Span of the charts"
      value={isFixed ? 'fixed' : (from ?? 'now-15m').slice(4)}
      onChange={(event) => travel.last(event.target.value)}
      className="min-h-6 rounded-sm border border-line bg-ground px-1"
    >
      {isFixed ? (
        <option value="fixed">
          {dateTime(range.from, zone)} to {clockTime(range.to, zone)}
        </option>
      ) : null}
      {[...new Set([...RELATIVE, ...(isFixed || !from ? [] : [from.slice(4)])])].map((span) => (
        <option key={span} value={span}>
          last {span}
        </option>
      ))}
    </select>
  );
}

function Scrubber({ travel, zone }: { travel: Travel; zone: 'local' | 'utc' }) {
  const { range } = travel;
  const at = range.at ?? range.to;
  // The handle follows the hand at once, also while the page is still on its way.
  const [hand, setHand] = useState<{ at: number; from: number }>();
  const value = hand?.from === at ? hand.at : at;
  return (
    <input
      type="range"
      aria-label="Second that is shown"
      aria-valuetext={range.at === undefined ? 'live' : clockTime(at, zone)}
      min={Math.floor(range.from / 1_000)}
      max={Math.floor(Math.min(range.to, travel.now) / 1_000)}
      step={1}
      value={Math.floor(value / 1_000)}
      onChange={(event) => {
        const next = Number(event.target.value) * 1_000;
        setHand({ at: next, from: at });
        travel.pin(next);
      }}
      className="min-h-6 min-w-32 grow accent-(--ink-soft)"
    />
  );
}

/** A small button whose sign is too short to be its name. */
export function Small({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="min-h-6 min-w-6 rounded-sm px-1.5 text-soft hover:text-ink hover:underline"
    >
      {children}
    </button>
  );
}
