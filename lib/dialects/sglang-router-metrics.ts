import type { Sample, SeriesName } from '@/lib/model/sample';
import { canonical, type Mapping } from './canonical';
import { refusalClass } from './endpoint';
import { type Labels, type Line, parseExposition } from './prometheus-text';

const AGES = 'smg_http_inflight_request_age_count';
const AGE_STEPS = [0, 30, 60, 180, 300, 600];

const worker = (labels: Labels) => labels.worker ?? labels.worker_addr ?? labels.worker_url ?? labels.url;

/** `smg_*` since 2025-12-13 (#15106), `sgl_router_*` before and in the experimental router, `vllm_router_*` in vLLM's fork (vllm-project/router). */
const mappings = new Map<string, Mapping>([
  ['smg_worker_health', { name: 'router_worker_health', by: worker }],
  ['sgl_router_worker_health', { name: 'router_worker_health', by: worker, preference: 1 }],
  ['smg_worker_cb_state', { name: 'router_worker_cb_state', by: worker }],
  ['sgl_router_worker_cb_state', { name: 'router_worker_cb_state', by: worker, preference: 1 }],
  ['sgl_router_cb_state', { name: 'router_worker_cb_state', by: worker, preference: 2 }],
  ['vllm_router_worker_health', { name: 'router_worker_health', by: worker, preference: 3 }],
  ['vllm_router_cb_state', { name: 'router_worker_cb_state', by: worker, preference: 3 }],
  ['smg_http_requests_total', { name: 'router_http_requests_total' }],
  ['sgl_router_requests_total', { name: 'router_http_requests_total', preference: 1 }],
  ['smg_http_responses_total', { name: 'router_http_responses_total', by: (labels) => refusalClass(labels.status_code) }],
  ['sgl_router_responses_total', { name: 'router_http_responses_total', by: (labels) => refusalClass(labels.status_code ?? labels.status), preference: 1 }],
  ['vllm_router_requests_total', { name: 'router_http_requests_total', preference: 3 }],
  ['smg_http_rate_limit_total', { name: 'router_rejected_total', only: (labels) => labels.result === 'rejected' }],
]);
const wanted = new Set([...mappings.keys(), AGES]);

/** Every meaning that some version of the gateway exports. */
export const sglangRouterMeanings: SeriesName[] = [...new Set([...[...mappings.values()].map((mapping) => mapping.name), 'router_inflight_reqs' as const])];

/** Reads the gateway's own page. Its load numbers are left out on purpose: they read 0 while requests hang (sglang-router 0.3.2, seen running). */
export function sglangRouterMetrics(page: string): Sample[] {
  const { lines } = parseExposition(page, wanted);
  return [...canonical(lines, mappings, 'router', { rank: '', replicas: [] }, ''), ...ages(lines)];
}

/** The buckets are not cumulative: (gt, le]. A request older than N s sits in any bucket from N on. */
function ages(lines: readonly Line[]): Sample[] {
  const buckets = lines.filter((line) => line.name === AGES && Number.isFinite(line.value) && Number.isFinite(Number(line.labels.gt)));
  if (buckets.length === 0) return [];
  return AGE_STEPS.map((step) => ({
    name: 'router_inflight_reqs',
    value: buckets.filter((bucket) => Number(bucket.labels.gt) >= step).reduce((sum, bucket) => sum + bucket.value, 0),
    source: 'router',
    by: String(step),
    alias: AGES,
  }));
}
