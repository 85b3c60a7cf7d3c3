import type { Sample, SeriesName } from '@/lib/model/sample';
import type { Role } from '@/lib/model/target';
import { asArray, asNumber, asObject, asText, type Foreign } from './payload';

const MAX_RANKS = 1024;

/**
 * Reads `/v1/loads`. Only builds whose entries carry a `timestamp` (SGLang 0.5.23, seen running) answer it from shared memory;
 * on others it is a question to the scheduler, never polled: undefined.
 */
export function sglangLoads(body: unknown): Sample[] | undefined {
  const page = asObject(body);
  const entries = asArray(page?.loads)
    .slice(0, MAX_RANKS)
    .map(asObject)
    .filter((entry) => entry !== undefined);
  if (entries.length === 0 || entries.some((entry) => asNumber(entry.timestamp) === undefined)) return undefined;
  const now = secondsOf(page?.timestamp);
  return entries.flatMap((entry) => entrySamples(entry, entries.length > 1, now));
}

/** The same page where the scheduler itself had to answer: its numbers are live, and that it answered is the heart-beat. */
export function sglangLoadsAsked(body: unknown): Sample[] {
  const entries = asArray(asObject(body)?.loads)
    .slice(0, MAX_RANKS)
    .map(asObject)
    .filter((entry) => entry !== undefined);
  return entries.flatMap((entry) => entrySamples(entry, entries.length > 1, undefined));
}

/** Role of the engine as its load page tells it, and its version. */
export function loadsIdentity(body: unknown): { role: Role; version?: string } {
  const page = asObject(body);
  const mode = asText(asObject(asObject(asArray(page?.loads)[0])?.disaggregation)?.mode);
  const version = asText(page?.version, 40);
  return { role: roleOfMode(mode), ...(version === undefined ? {} : { version }) };
}

/** `disaggregation_mode` as SGLang writes it everywhere: `null` is a word there and means unified. */
export function roleOfMode(mode: unknown): Role {
  if (mode === 'prefill' || mode === 'decode') return mode;
  return mode === 'null' || mode === null || mode === 'unified' ? 'unified' : 'unknown';
}

function entrySamples(entry: Foreign, isOneOfMany: boolean, now: number | undefined): Sample[] {
  const queues = asObject(entry.queues);
  const pd = asObject(entry.disaggregation);
  const said = asNumber(entry.timestamp);
  const values: [SeriesName, unknown][] = [
    ['num_running_reqs', entry.num_running_reqs],
    // num_waiting_reqs would count the PD queues in; the metrics page's gauge does not.
    ['num_queue_reqs', queues?.waiting],
    ['token_usage', entry.token_usage],
    ['gen_throughput', entry.gen_throughput],
    ['num_prefill_bootstrap_queue_reqs', pd?.prefill_bootstrap_queue_reqs ?? pd?.prefill_prealloc_queue_reqs],
    ['num_prefill_inflight_queue_reqs', pd?.prefill_inflight_queue_reqs],
    ['num_decode_prealloc_queue_reqs', pd?.decode_prealloc_queue_reqs],
    ['num_decode_transfer_queue_reqs', pd?.decode_transfer_queue_reqs],
    ['num_decode_retracted_queue_reqs', pd?.decode_retracted_queue_reqs],
    // The two stamps come from two processes: a hair below zero is zero.
    ['loads_age_seconds', now === undefined || said === undefined ? undefined : Math.max(0, now - said)],
  ];
  const dp = asNumber(entry.dp_rank);
  const rank = dp !== undefined && Number.isInteger(dp) && dp >= 0 && dp < MAX_RANKS ? dp : undefined;
  return values.flatMap(([name, foreign]): Sample[] => {
    const value = asNumber(foreign);
    if (value === undefined) return [];
    return [{ name, value, source: 'loads', ...(isOneOfMany && rank !== undefined ? { rank: String(rank) } : {}) }];
  });
}

function secondsOf(stamp: unknown): number | undefined {
  if (typeof stamp === 'number') return asNumber(stamp);
  const ms = typeof stamp === 'string' ? Date.parse(stamp) : Number.NaN;
  return Number.isFinite(ms) ? ms / 1000 : undefined;
}
