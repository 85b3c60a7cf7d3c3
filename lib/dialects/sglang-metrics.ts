import type { Sample, SeriesName } from '@/lib/model/sample';
import { canonical, type Mapping, type Places } from './canonical';
import { endpointClass, statusClass } from './endpoint';
import { type Labels, newMemo, parseExposition } from './prometheus-text';

// With priority scheduling (2026-03-04, #17026) the empty priority is the total over all.
const total = (labels: Labels) => (labels.priority ?? '') === '';

const same: SeriesName[] = [
  'num_running_reqs',
  'num_queue_reqs',
  'num_prefill_bootstrap_queue_reqs',
  'num_prefill_inflight_queue_reqs',
  'num_decode_prealloc_queue_reqs',
  'num_decode_transfer_queue_reqs',
  'num_decode_retracted_queue_reqs',
  'token_usage',
  'gen_throughput',
  'prompt_tokens_total',
  'generation_tokens_total',
  'num_requests_total',
  'num_aborted_requests_total',
  'num_bootstrap_failed_reqs_total',
  'num_transfer_failed_reqs_total',
  'num_retracted_requests_total',
  'scheduler_process_cpu_seconds_total',
  'scheduler_idle_seconds_total',
  'scheduler_stage_seconds_total',
];

const MODES = new Set(['prefill_compute', 'prefill_cache', 'decode']);
const byEndpoint = (labels: Labels) => endpointClass(labels.endpoint);
const byEndpointAndStatus = (labels: Labels) => `${endpointClass(labels.endpoint)}:${statusClass(labels.status_code)}`;

/** Exported names without prefix; `preference` orders several names of one series. */
const exported: Record<string, Mapping> = {
  ...Object.fromEntries(same.map((name) => [name, { name, only: total }])),
  // To 2026-05-04 (#24341); before 2025-09 with the misspelling.
  num_prefill_prealloc_queue_reqs: { name: 'num_prefill_bootstrap_queue_reqs', only: total, preference: 1 },
  num_prefill_infight_queue_reqs: { name: 'num_prefill_inflight_queue_reqs', only: total, preference: 1 },
  num_bootstrap_failed_reqs: { name: 'num_bootstrap_failed_reqs_total', preference: 1 },
  num_transfer_failed_reqs: { name: 'num_transfer_failed_reqs_total', preference: 1 },
  num_aborted_requests: { name: 'num_aborted_requests_total', preference: 1 },
  realtime_tokens_total: { name: 'realtime_tokens_total', by: ({ mode }) => (mode !== undefined && MODES.has(mode) ? mode : undefined) },
  time_to_first_token_seconds_count: { name: 'time_to_first_token_count' },
  // Gauges to 2026-03-03, histograms since (#19009): only a histogram has a _count, and only a count counts transfers.
  kv_transfer_latency_ms_count: { name: 'kv_transfer_count' },
  kv_transfer_speed_gb_s_count: { name: 'kv_transfer_count', preference: 1 },
  http_requests_active: { name: 'http_requests_active', by: byEndpoint },
  http_requests_total: { name: 'http_requests_total', by: byEndpoint },
  http_responses_total: { name: 'http_responses_total', by: byEndpointAndStatus },
};

// The engine writes `sglang:`; its /v1/loads page and the gateway's merged page `sglang_`.
const mappings = new Map<string, Mapping>([
  ...Object.entries(exported).flatMap(([name, mapping]): [string, Mapping][] => [
    [`sglang:${name}`, mapping],
    [`sglang_${name}`, mapping],
  ]),
  ['process_start_time_seconds', { name: 'process_start_time_seconds' }],
]);
const wanted = new Set(mappings.keys());
/** Every meaning that some version of SGLang exports on its page or by /v1/loads. */
export const sglangMeanings: SeriesName[] = [...new Set([...[...mappings.values()].map((mapping) => mapping.name), 'loads_age_seconds' as const])];
const ranks = { rank: 'dp_rank', replicas: ['tp_rank', 'pp_rank'] };
// Shared by all engines, which mostly serve the same series; only time depends on it.
const memo = newMemo();
const places: Places = new WeakMap();

/** Reads an engine's page. With --enable-metrics-for-all-schedulers each TP rank repeats its group's numbers: the lowest stands for its DP rank. */
export function sglangMetrics(page: string): Sample[] {
  return canonical(parseExposition(page, wanted, memo).lines, mappings, 'metrics', ranks, 'sglang:', places);
}
