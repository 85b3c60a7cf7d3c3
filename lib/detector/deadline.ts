import type { ProbeConfig } from '@/lib/model/config';
import type { ProbeResult } from '@/lib/model/probe';
import { quantile } from '@/lib/stats';

/** Good answers needed before a front-end's own history sets its deadline. */
const ENOUGH = 3;
const FLOOR_MS = 3_000;
const CEILING_MS = 20_000;

/** First-token deadline of one front-end: 4 x p99 of its own good, timely answers within 3-20 s; the configured one until three are known. */
export function firstTokenDeadline(
  probes: readonly ProbeResult[],
  config: ProbeConfig,
): { firstTokenMs: number; gapMs: number; from: 'configured' | 'learned' } {
  const ttfts = probes.filter((p) => p.outcome === 'ok' && !p.late && p.purpose !== 'experiment').flatMap((p) => p.reading?.ttftMs ?? []);
  const p99 = ttfts.length < ENOUGH ? undefined : quantile(ttfts, 0.99);
  if (p99 === undefined) return { firstTokenMs: config.firstTokenMs, gapMs: config.gapMs, from: 'configured' };
  return { firstTokenMs: Math.min(CEILING_MS, Math.max(FLOOR_MS, 4 * p99)), gapMs: config.gapMs, from: 'learned' };
}
