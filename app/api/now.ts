import type { Runtime } from '@/lib/runtime';

/** Now on the collector's clock, which runs faster than ours in the bench runner only. */
export function toldNow(watching: Runtime): number {
  const { timeScale } = watching.config();
  const { lastFrameAt } = watching.pulse();
  const seen = watching.snapshot()?.at;
  if (timeScale === 1 || seen === undefined || lastFrameAt === undefined) return Date.now();
  return seen + (Date.now() - lastFrameAt) * timeScale;
}
