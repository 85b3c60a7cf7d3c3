import type { ProbeResult } from '@/lib/model/probe';
import type { TargetId } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';
import { drips } from '@/lib/reading/drip';
import type { FrontEndReading } from '@/lib/reading/front-end';
import { leakOf } from '@/lib/reading/leak';
import { paceOf } from '@/lib/reading/pace';
import { overload } from './overload';
import { NOWHERE, type Raw, seconds } from './raw';

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
  const pace = paceOf(r);
  const [last, before] = pace?.slowRun.map((c) => c.p.reading?.ttftMs) ?? [];
  if (!pace || last === undefined || before === undefined) return undefined;
  const busy = overload(window, r.target.id, r);
  return {
    verdict: 'degraded',
    detail: 'slow',
    place: busy?.place ?? { kind: 'none', inferred: true },
    since: pace.slowRun.at(-1)?.p.sentAt,
    because: `first tokens after ${seconds(before)} and ${seconds(last)}, where ${seconds(pace.quickMs)} is quick${busy ? `; ${busy.because}` : ''}`,
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
