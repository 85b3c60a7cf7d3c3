import { quantile } from '@/lib/stats';
import type { FrontEndReading } from './front-end';

/** Answers this much later than a front-end's quick ones are no longer its usual speed, whatever the deadline. */
const FAR_LATER = 4;
const LATER_MS = 1_000;
/** Earlier answers needed to know the usual. */
const ENOUGH = 4;

/** How quick a front-end's answers are: its quick ones' time to the first token (ms), from when on a later one is far later, and the newest in a row that are. */
export type Pace = { quickMs: number; limitMs: number; slowRun: FrontEndReading['counted'] };

/** Measured by its quickest tenth: a median or a deadline learned from answers that slow down bit by bit would follow them. Undefined while too few are known. */
export function paceOf(r: FrontEndReading): Pace | undefined {
  const answered = r.counted.filter((c) => c.p.reading?.ttftMs !== undefined && (c.is === 'good' || c.is === 'slow'));
  const quickMs = quantile(
    answered.map((c) => c.p.reading?.ttftMs ?? 0),
    0.1,
  );
  if (quickMs === undefined || answered.length < ENOUGH + 1) return undefined;
  const limitMs = Math.max(FAR_LATER * quickMs, quickMs + LATER_MS);
  const quick = answered.findIndex((c) => (c.p.reading?.ttftMs ?? 0) <= limitMs);
  return { quickMs, limitMs, slowRun: answered.slice(0, quick < 0 ? answered.length : quick) };
}
