/** More than a chart can show. */
export const MOST_BUCKETS = 600;
const USUAL_BUCKETS = 300;
/** Sealed blocks are summarised by five minutes: coarser steps that are multiples of it are answered from the summaries. */
const SUMMARY_MS = 300_000;
const STEPS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400].map((seconds) => seconds * 1_000);

/** The least round step that keeps a span within a usual number of buckets. */
export function roundStep(spanMs: number): number {
  return STEPS_MS.find((step) => spanMs / step <= USUAL_BUCKETS) ?? wholeSummaries(spanMs / USUAL_BUCKETS);
}

/** A step as asked for, made a whole number of summaries where it is long. */
export function wholeSummaries(stepMs: number): number {
  return stepMs < SUMMARY_MS ? stepMs : Math.ceil(stepMs / SUMMARY_MS) * SUMMARY_MS;
}
