/**
 * Canonical series names: SGLang's own without prefix, since engineers search for those; dialects map the others onto them.
 * Unit is in the name where SGLang's name has one; counts otherwise. `loads_age_seconds` and `router_*` are ours.
 */
export const SERIES = {
  num_running_reqs: 'gauge',
  num_queue_reqs: 'gauge',
  num_prefill_bootstrap_queue_reqs: 'gauge',
  num_prefill_inflight_queue_reqs: 'gauge',
  num_decode_prealloc_queue_reqs: 'gauge',
  num_decode_transfer_queue_reqs: 'gauge',
  num_decode_retracted_queue_reqs: 'gauge',
  token_usage: 'gauge',
  gen_throughput: 'gauge',
  /** label `by`: endpoint class `chat` | `health` | `other`. */
  http_requests_active: 'gauge',
  http_requests_total: 'counter',
  /** label `by`: `chat:2xx`, `chat:4xx`, `chat:5xx`, `other:2xx`... */
  http_responses_total: 'counter',
  /** label `by`: `prefill_compute` | `prefill_cache` | `decode`. */
  realtime_tokens_total: 'counter',
  prompt_tokens_total: 'counter',
  generation_tokens_total: 'counter',
  num_requests_total: 'counter',
  num_aborted_requests_total: 'counter',
  num_bootstrap_failed_reqs_total: 'counter',
  num_transfer_failed_reqs_total: 'counter',
  num_retracted_requests_total: 'counter',
  time_to_first_token_count: 'counter',
  kv_transfer_count: 'counter',
  /** Steps of a vLLM engine; stands while it is stopped and while nobody asks. */
  engine_steps_total: 'counter',
  /** 0 while a vLLM engine sleeps by order (its memory lent out); absent elsewhere. */
  engine_awake: 'gauge',
  scheduler_process_cpu_seconds_total: 'counter',
  scheduler_idle_seconds_total: 'counter',
  scheduler_stage_seconds_total: 'counter',
  process_start_time_seconds: 'gauge',
  /** Age of the scheduler's last word: `/v1/loads` top-level timestamp minus the entry's own (SGLang >= 0.5.23). */
  loads_age_seconds: 'gauge',
  /** Requests inside the gateway older than label `by` seconds; from smg_http_inflight_request_age_count, summed over buckets. */
  router_inflight_reqs: 'gauge',
  /** label `by`: worker URL; 1 healthy, 0 not, -1 removed. */
  router_worker_health: 'gauge',
  /** label `by`: worker URL; 0 closed, 1 open, 2 half-open, -1 removed. */
  router_worker_cb_state: 'gauge',
  router_http_requests_total: 'counter',
  /** label `by`: status class, `429` and `503` apart. */
  router_http_responses_total: 'counter',
  router_rejected_total: 'counter',
} as const satisfies Record<string, 'gauge' | 'counter'>;

/** A canonical series name. */
export type SeriesName = keyof typeof SERIES;

/** Queues and progress: what charts draw over time and what an incident keeps. */
export const QUEUES_AND_PROGRESS = [
  'num_queue_reqs',
  'num_running_reqs',
  'num_prefill_bootstrap_queue_reqs',
  'num_prefill_inflight_queue_reqs',
  'num_decode_prealloc_queue_reqs',
  'num_decode_transfer_queue_reqs',
  'num_decode_retracted_queue_reqs',
  'realtime_tokens_total',
  'generation_tokens_total',
] as const satisfies SeriesName[];

/** Written by the HTTP process itself: live whatever the scheduler does (sglang 0.5.23, seen running). All else on a metrics page is the scheduler's word. */
export const HTTP_WRITTEN: ReadonlySet<SeriesName> = new Set([
  'http_requests_active',
  'http_requests_total',
  'http_responses_total',
  'num_requests_total',
  'num_aborted_requests_total',
  'prompt_tokens_total',
  'generation_tokens_total',
  'time_to_first_token_count',
  'process_start_time_seconds',
]);

/** Which page a value was read from; `loads` is live where its entries carry timestamps, `metrics` gauges may be stale. */
export type SampleSource = 'metrics' | 'loads' | 'router';

/** One value as read in one scrape. Absent is not zero: a value that was not exported has no Sample. NaN and Inf are never emitted. */
export type Sample = {
  name: SeriesName;
  value: number;
  source: SampleSource;
  /** DP rank as text where the engine has several; absent otherwise. */
  rank?: string;
  /** Extra discriminator, see SERIES. */
  by?: string;
  /** The name under which the software exported it, when it differs from the canonical one with `sglang:` before it. */
  alias?: string;
};

/** Key of a series of one target: `name`, `name{rank=2}`, `name{by=chat}`, with `@loads` when the source is not the metrics page. */
export function seriesKey(sample: Pick<Sample, 'name' | 'source' | 'rank' | 'by'>): string {
  const labels = [sample.rank === undefined ? '' : `rank=${sample.rank}`, sample.by === undefined ? '' : `by=${sample.by}`].filter(Boolean).join(',');
  return sample.name + (labels ? `{${labels}}` : '') + (sample.source === 'loads' ? '@loads' : '');
}
