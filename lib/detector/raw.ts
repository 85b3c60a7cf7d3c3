import { hangPhase, type ProbeResult } from '@/lib/model/probe';
import type { Judgement, Place } from '@/lib/model/verdict';

/** A judgement before its history is added: what the facts of this moment say. `confirm`: another probe would settle it. */
export type Raw = Omit<Judgement, 'since' | 'freshness'> & { since?: number; confirm?: string };

export const NOWHERE: Place = { kind: 'none', inferred: false };

export function seconds(ms: number | undefined): string {
  return ms === undefined ? 'no time' : `${(ms / 1000).toFixed(1)} s`;
}

/** The phase of a hang is the deepest station that the silent chat has reached. */
export function phaseOf(p: ProbeResult): Judgement['phase'] {
  const outcome = hangPhase(p.outcome)
    ? p.outcome
    : p.exchange.marks.firstToken !== undefined
      ? 'stalled'
      : p.exchange.marks.headers !== undefined
        ? 'headers-only'
        : 'zero-bytes';
  return hangPhase(outcome);
}
