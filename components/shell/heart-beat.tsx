'use client';

import { useLink, usePastMoment, useSnapshot } from '@/lib/client/queries';
import { elapsed } from '@/lib/format';
import { Time } from '../ui/time';

/** Server clock, the collector's tick and the age of what is shown: the tick comes from the collector's loop, not from the web server. */
export function HeartBeat() {
  const beat = useSnapshot(({ at, tick, self }) => ({ at, tick, sentence: self.sentence, freshness: self.freshness }));
  const link = useLink();
  const past = usePastMoment();
  const isLate = link.state === 'blind' || (beat && beat.freshness !== 'live');
  return (
    <p className="flex items-center gap-2 text-2xs text-soft" title={beat?.sentence}>
      <span
        aria-hidden="true"
        className={`size-2 rounded-full ${isLate || !beat ? 'border-2 border-unknown' : beat.tick % 2 === 0 ? 'bg-soft' : 'bg-hairline'}`}
      />
      {beat ? (
        <>
          <span className="font-mono">
            <Time at={beat.at} />
          </span>
          <span className="min-w-20 max-sm:hidden">tick {beat.tick}</span>
          <span className="inline-block min-w-20">
            {past !== undefined ? 'not live' : link.state === 'blind' ? `no frame ${elapsed(link.ageMs)}` : WORDS[link.state]}
          </span>
        </>
      ) : (
        <span>waiting for the first frame</span>
      )}
    </p>
  );
}

const WORDS = { connecting: 'connecting', live: 'live', hidden: 'resting', blind: 'blind' } as const;
