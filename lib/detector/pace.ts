import type { ProbeResult } from '@/lib/model/probe';
import type { TargetId } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';
import { drips } from '@/lib/reading/drip';
import type { FrontEndReading } from '@/lib/reading/front-end';
import { leakOf } from '@/lib/reading/leak';
import { overload } from './overload';
import { NOWHERE, type Raw, seconds } from './raw';
import { quantile } from './stats';

/** Answers this much later than a front-end's quick ones are no longer its usual speed, whatever the deadline. */
const FAR_LATER = 4;
const LATER_MS = 1_000;
/** Earlier answers needed to know the usual. */
const ENOUGH = 4;

/** An answer past its deadline. */
export function slow(window: Window, r: FrontEndReading, p: ProbeResult): Raw {
  const busy = overload(window, r.target.id, r);
  const late = drips(p)
    ? `answers drop by drop: ${p.reading?.tokens} tokens in ${seconds(p.exchange.elapsedMs)}${p.outcome === 'pending' ? ' and no end yet' : ''}`
    : `answered late: first token after ${seconds(p.reading?.ttftMs)}, deadline ${seconds(p.deadlineMs)}`;
  const confirm = 'another chat would tell whether it stays slow';
  if (busy) return { verdict: 'degraded', detail: 'slow', place: busy.place, because: busy.because, confirm };
  // A single late answer after a good one is a burst in passing: a mark in the history.
  if (r.counted[1]?.is === 'good') return { verdict: 'ok', detail: 'one slow answer, being confirmed', place: NOWHERE, because: late, confirm };
  return { verdict: 'degraded', detail: 'slow', place: { kind: 'none', inferred: true }, because: late, confirm };
}

/** Within the deadline and yet twice in a row far later than usual: a deadline that is learned from slow answers would never tell. */
export function slower(window: Window, r: FrontEndReading): Raw | undefined {
  const ttfts = r.counted.flatMap((c) => (c.is === 'good' || c.is === 'slow' ? (c.p.reading?.ttftMs ?? []) : []));
  const [last, before, ...earlier] = ttfts;
  const quick = quantile(earlier, 0.1);
  if (last === undefined || before === undefined || quick === undefined || earlier.length < ENOUGH) return undefined;
  const limit = Math.max(FAR_LATER * quick, quick + LATER_MS);
  if (last <= limit || before <= limit) return undefined;
  const busy = overload(window, r.target.id, r);
  return {
    verdict: 'degraded',
    detail: 'slow',
    place: busy?.place ?? { kind: 'none', inferred: true },
    because: `first tokens after ${seconds(before)} and ${seconds(last)}, where ${seconds(quick)} is usual${busy ? `; ${busy.because}` : ''}`,
  };
}

/** Chats pass in their usual time while the floor of a hand-over queue rises: what is held there is never given back. */
export function leaking(window: Window, id: TargetId): Raw | undefined {
  const leak = leakOf(window, id);
  return (
    leak && {
      verdict: 'degraded',
      detail: 'leak',
      place: leak.place,
      since: leak.since,
      because: leak.because,
    }
  );
}
