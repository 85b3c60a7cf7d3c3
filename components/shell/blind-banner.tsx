'use client';

import { useLink, usePastMoment, usePastTrouble, useSnapshot } from '@/lib/client/queries';
import { useTravel } from '@/lib/client/travel';
import { elapsed } from '@/lib/format';
import { Sentence } from '../ui/sentence';
import { Time } from '../ui/time';

/** Shouts when the picture may not be believed: no frames, a collector that was not looking, or a view that is not live. */
export function BlindBanner({ isWall = false }: { isWall?: boolean }) {
  const link = useLink();
  const past = usePastMoment();
  const trouble = usePastTrouble();
  const travel = useTravel();
  const self = useSnapshot((snapshot) => ({
    at: snapshot.at,
    freshness: snapshot.self.freshness,
    sentence: snapshot.self.sentence,
    since: snapshot.self.blind.findLast((span) => span.to === undefined)?.from,
  }));

  if (past !== undefined) {
    return (
      <Banner isWall={isWall}>
        <span className="font-bold tracking-wide">
          PAUSED at <Time at={past} withDate />
          {travel.now > past ? `, live is +${elapsed(travel.now - past)}` : ''}
        </span>
        <span>{trouble ?? 'This is what was shown then.'}</span>
        <button type="button" onClick={travel.live} className="min-h-6 rounded-sm border border-current px-2 font-semibold">
          Back to live
        </button>
      </Banner>
    );
  }
  if (link.state === 'blind') {
    return (
      <Banner isWall={isWall} isAlarm>
        <span className="font-bold tracking-wide">
          THIS SCREEN IS BLIND{link.since === undefined ? '' : ' since '}
          {link.since === undefined ? null : <Time at={link.since} />} ({elapsed(link.ageMs)})
        </span>
        <span className={isWall ? 'hidden' : ''}>
          No frame comes from the collector. What you see is the last that was known; it may be wrong by now. Trying to reconnect.
        </span>
      </Banner>
    );
  }
  if (self?.freshness === 'blind') {
    return (
      <Banner isWall={isWall} isAlarm>
        <span className="font-bold tracking-wide">
          THIS SCREEN IS BLIND
          {self.since === undefined ? null : (
            <>
              {' '}
              since <Time at={self.since} /> ({elapsed(self.at - self.since)})
            </>
          )}
        </span>
        <span className={isWall ? 'hidden' : ''}>
          <Sentence text={self.sentence} /> Nothing may be concluded about the stack.
        </span>
      </Banner>
    );
  }
  return null;
}

function Banner({ isAlarm = false, isWall, children }: { isAlarm?: boolean; isWall: boolean; children: React.ReactNode }) {
  return (
    <div
      role={isAlarm ? 'alert' : 'status'}
      className={`hatched sticky top-0 z-30 border-y-4 border-unknown bg-ground px-4 py-2 ${isWall ? 'text-wall-verdict leading-tight' : 'text-sm'}`}
    >
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-unknown">{children}</p>
    </div>
  );
}
