import type { QueryClient } from '@tanstack/react-query';
import { type Delta, type Json, patch } from '@/lib/delta';
import type { Snapshot } from '@/lib/model/snapshot';
import { type Packed, unpack } from '@/lib/packed';

/** How well this tab is connected. `blind` after three missed frames; `ageMs` since the last frame, by this machine's monotonic clock. */
export type Link = { state: 'connecting' | 'live' | 'blind' | 'hidden'; ageMs: number; since?: number };

export const LINK_KEY = ['link'] as const;
export const SNAPSHOT_KEY = ['snapshot'] as const;

// One frame a second is promised; half a second of grace for a loaded browser.
const BLIND_AFTER_MS = 3_500;
// A connection that is open but mute (a proxy that lost its far side) is opened anew.
const MUTE_MS = 15_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;

/** Feed the query cache from the stream until the returned function is called. One per tab: HTTP/1.1 allows six connections per host. */
export function openLive(client: QueryClient, options: { keepWhenHidden: () => boolean }): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_RETRY_MS;
  let lastFrame = performance.now();
  let lastOpen = performance.now();
  /** What the last frame told; the next may tell only what has changed since. */
  let shown: Snapshot | undefined;

  const tell = (link: Link) => client.setQueryData<Link>(LINK_KEY, (old) => (old && sameLink(old, link) ? old : link));

  const close = () => {
    clearTimeout(retry);
    source?.close();
    source = undefined;
  };

  const again = () => {
    close();
    // Spread, so that a room full of walls does not come back in one second.
    retry = setTimeout(open, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, LAST_RETRY_MS);
  };

  function open() {
    close();
    lastOpen = performance.now();
    shown = undefined;
    source = new EventSource('/api/stream?form=packed');
    source.onmessage = (event) => {
      const snapshot = readFrame(event.data, shown);
      // A change of what we have not: the next connection begins with a whole frame.
      if (!snapshot) return again();
      shown = snapshot;
      wait = FIRST_RETRY_MS;
      lastFrame = performance.now();
      client.setQueryData(SNAPSHOT_KEY, snapshot);
      tell({ state: 'live', ageMs: 0 });
    };
    source.onerror = again;
  }

  const look = () => {
    if (!source && document.hidden && !options.keepWhenHidden()) return;
    const now = performance.now();
    const ageMs = now - lastFrame;
    if (ageMs > BLIND_AFTER_MS) tell({ state: 'blind', ageMs: Math.floor(ageMs / 1_000) * 1_000, since: client.getQueryData<Snapshot>(SNAPSHOT_KEY)?.at });
    if (source && now - Math.max(lastFrame, lastOpen) > MUTE_MS) again();
  };

  const onVisibility = () => {
    if (document.hidden && !options.keepWhenHidden()) {
      close();
      tell({ state: 'hidden', ageMs: 0 });
    } else if (!source) {
      lastFrame = performance.now();
      tell({ state: 'connecting', ageMs: 0 });
      open();
    }
  };

  open();
  const watch = setInterval(look, 1_000);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    close();
    clearInterval(watch);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}

function sameLink(a: Link, b: Link): boolean {
  return a.state === b.state && a.ageMs === b.ageMs && a.since === b.since;
}

/** A frame is whole or a change of the frame before. Our own JSON is trusted in its shape; a torn frame, and a change of another frame than ours, are none. */
export function readFrame(data: unknown, before: Snapshot | undefined): Snapshot | undefined {
  try {
    const frame = typeof data === 'string' ? (JSON.parse(data) as Packed | { since: number; change: Delta }) : undefined;
    if (frame === undefined) return undefined;
    if (!('change' in frame)) return unpack(frame) as unknown as Snapshot;
    return before?.at === frame.since ? (patch(before as unknown as Json, frame.change) as unknown as Snapshot) : undefined;
  } catch {
    return undefined;
  }
}
