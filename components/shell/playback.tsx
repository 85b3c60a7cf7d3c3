'use client';

import { useEffect, useState } from 'react';
import { usePicturesAround } from '@/lib/client/pictures';
import type { Travel } from '@/lib/client/travel';

const SPEEDS = [1, 2, 5, 10, 30, 60] as const;
/** Browsers slow down pages that change their address more than a few times a second. */
const FRAMES_PER_S = 4;

/** Play the past from the pinned second on, at up to sixty times its speed. */
export function Playback({ travel }: { travel: Travel }) {
  const [speed, setSpeed] = useState<number>(10);
  const [wantsPlay, setWantsPlay] = useState(false);
  const at = travel.range.at;
  const isPlaying = wantsPlay && at !== undefined;
  const strideS = Math.max(1, Math.round(speed / FRAMES_PER_S));
  usePicturesAround(isPlaying ? at : undefined, strideS * 1_000);
  useEffect(() => {
    if (!isPlaying) return;
    const next = setTimeout(() => travel.step(strideS), (strideS / speed) * 1_000);
    return () => clearTimeout(next);
    // Each new second arms the next one.
  }, [isPlaying, strideS, speed, travel]);
  return (
    <div className={`flex items-center gap-1 ${at === undefined ? 'invisible max-lg:hidden' : ''}`}>
      <button type="button" onClick={() => setWantsPlay(!isPlaying)} className="min-h-6 min-w-12 rounded-sm border border-line px-1.5 hover:border-ink">
        {isPlaying ? 'stop' : 'play'}
      </button>
      <select
        aria-label="Speed"
        value={speed}
        onChange={(event) => setSpeed(Number(event.target.value))}
        className="min-h-6 rounded-sm border border-line bg-ground"
      >
        {SPEEDS.map((one) => (
          <option key={one} value={one}>
            x{one}
          </option>
        ))}
      </select>
    </div>
  );
}
