'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { liveSnapshot, usePastMoment } from './queries';
import { fixed, isoOf, type Range, rangeOf, shifted, zoomedOut } from './range';
import { useView } from './url-state';
import { parseMoment, type View } from './view';

/** The ways through time from here; each only writes the URL, and all that is drawn follows. */
export type Travel = {
  /** The last told second. */
  now: number;
  range: Range;
  pin(at: number): void;
  /** As pin, but what lies past the last told second holds that one: the right edge of a chart is no way to live. */
  hold(at: number): void;
  step(seconds: number): void;
  live(): void;
  /** Hold this second, or go on. */
  toggle(): void;
  select(from: number, to: number): void;
  last(span: string): void;
  zoomOut(): void;
  shift(share: number): void;
};

/** `everyMs`: how often "now" moves, for those that need not redraw each second. */
export function useTravel(everyMs = 1_000): Travel {
  const { data: now = 0 } = useQuery({ ...liveSnapshot, select: (snapshot) => Math.floor(snapshot.at / everyMs) * everyMs });
  const past = usePastMoment();
  const [view, setView] = useView();
  return useMemo(() => travel(now, rangeOf(past === undefined ? { ...view, t: undefined } : view, now), view, setView), [now, past, view, setView]);
}

function travel(now: number, range: Range, view: View, setView: (change: View) => void): Travel {
  const isWritten = view.from !== undefined || view.to !== undefined;
  const live = () => setView({ t: undefined, to: undefined, from: view.from?.startsWith('now') ? view.from : undefined });
  const pin = (at: number) => {
    if (at >= now) return live();
    const span = range.to - range.from;
    // A pinned second is always in sight; one that walks out of the range takes it along.
    const isOut = isWritten && (at < range.from || at > range.to);
    const held = isOut ? fixed(at - span / 2, at + span / 2) : range.isLive && isWritten ? fixed(range.from, range.to) : {};
    setView({ ...held, t: isoOf(at) });
  };
  return {
    now,
    range,
    pin,
    hold: (at) => pin(Math.min(at, now - 1_000)),
    step: (seconds) => pin((pinnedNow() ?? range.at ?? now) + seconds * 1_000),
    live,
    toggle: () => (range.at === undefined ? pin(now - 1_000) : live()),
    select: (from, to) => setView(fixed(from, to)),
    last: (span) => setView({ from: `now-${span}`, to: undefined, t: undefined }),
    zoomOut: () => setView(zoomedOut(range, now)),
    shift: (share) => setView(shifted(range, share, now)),
  };
}

/** The second in the address itself: two quick steps come before what is drawn has followed the first. */
function pinnedNow(): number | undefined {
  return parseMoment(new URL(window.location.href).searchParams.get('t') ?? undefined, 0) || undefined;
}
