import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Sample, SeriesName } from '@/lib/model/sample';
import { seriesKey } from '@/lib/model/sample';
import { recordedBy } from './fixtures/recorded';
import { dialects } from './index';

const here = (path: string) => fileURLToPath(new URL(`./fixtures/${path}`, import.meta.url));
const { recorded, answer } = recordedBy((path) => readFileSync(here(path), 'utf8'));
const recordings = (folder: string) => readdirSync(here(folder)).map((name) => `${folder}/${name}`);

const { sglang, vllm } = dialects;
const gateway = dialects['sglang-router'];
const balancer = dialects['mini-lb'];

function value(samples: readonly Sample[] | undefined, name: SeriesName, by?: string): number | undefined {
  return samples?.find((sample) => sample.name === name && sample.by === by)?.value;
}

const bodyOf = (file: string): unknown => JSON.parse(answer(file, '/').body ?? '');

describe('every dialect', () => {
  const pages = ['sglang-0.5.23', 'sglang-0.5.23/pd', 'sglang-router-0.3.2/gateway', 'vllm-0.32.0']
    .flatMap(recordings)
    .filter((name) => /\.prom$|metrics.*\.(txt|http)$/.test(name));

  it.each(Object.entries(dialects))('%s reads every recorded page into unique finite samples', (_, dialect) => {
    for (const name of pages) {
      const samples = dialect.metrics(recorded(name));
      expect(
        samples.every((sample) => Number.isFinite(sample.value)),
        name,
      ).toBe(true);
      expect(new Set(samples.map(seriesKey)).size, name).toBe(samples.length);
    }
  });

  it.each(Object.entries(dialects))('%s makes nothing of nonsense, and does not throw', (kind, dialect) => {
    expect(dialect.kind).toBe(kind);
    for (const foreign of [
      undefined,
      null,
      1,
      'x',
      [],
      {},
      { data: 1 },
      { data: [null, 1, {}, { id: 5 }] },
      { workers: [null, 3, { url: 'javascript:x' }] },
      { prefill: [{ port: -1 }], loads: [{}] },
    ]) {
      expect(dialect.models(foreign)).toEqual([]);
      if ('workers' in dialect) expect(dialect.workers?.(foreign)).toEqual([]);
      if ('loads' in dialect) expect(dialect.loads?.(foreign)).toBeUndefined();
    }
    expect(dialect.metrics('\u0000<html>\n{{{{')).toEqual([]);
    expect(dialect.recognise({})).toBeUndefined();
    expect(dialect.cmdline([])).toBeUndefined();
    expect(dialect.cmdline(['bash', '-c', 'python -m sglang.launch_server --port 30000'])).toBeUndefined();
  });
});

describe('SGLang 0.5.23', () => {
  it('reads a loaded decode', () => {
    const samples = sglang.metrics(recorded('sglang-0.5.23/pd/pd-decode-metrics-load.prom'));
    expect(value(samples, 'num_running_reqs')).toBe(7);
    expect(value(samples, 'num_decode_prealloc_queue_reqs')).toBe(3);
    expect(value(samples, 'num_decode_transfer_queue_reqs')).toBe(0);
    expect(value(samples, 'http_requests_active', 'chat')).toBe(10);
    expect(value(samples, 'http_requests_active', 'other')).toBe(1);
    expect(value(samples, 'http_responses_total', 'chat:2xx')).toBe(8 + 1);
    expect(value(samples, 'http_responses_total', 'chat:4xx')).toBe(4);
    expect(value(samples, 'realtime_tokens_total', 'decode')).toBe(412);
    expect(value(samples, 'generation_tokens_total')).toBe(24 + 25);
    expect(value(samples, 'prompt_tokens_total')).toBe(50 + 126);
    expect(value(samples, 'num_requests_total')).toBe(3 + 7);
    expect(value(samples, 'time_to_first_token_count')).toBe(3 + 11);
    expect(value(samples, 'num_aborted_requests_total')).toBe(1);
    expect(value(samples, 'num_transfer_failed_reqs_total')).toBe(1);
    expect(value(samples, 'scheduler_process_cpu_seconds_total')).toBeCloseTo(660.3746);
    expect(value(samples, 'scheduler_idle_seconds_total')).toBeCloseTo(773.7078);
    expect(value(samples, 'scheduler_stage_seconds_total')).toBeCloseTo(823.7894, 4);
    expect(samples.filter((sample) => sample.rank !== undefined)).toEqual([]);
    expect(samples.find((sample) => sample.name === 'num_running_reqs')?.alias).toBeUndefined();
  });

  it('sees the queue that grows on prefill while decode stands still', () => {
    const samples = sglang.metrics(recorded('sglang-0.5.23/pd/pdwedge-decode-prefill-metrics-50s.prom'));
    expect(value(samples, 'num_prefill_bootstrap_queue_reqs')).toBe(4);
    expect(value(samples, 'num_prefill_inflight_queue_reqs')).toBe(1);
    expect(value(samples, 'realtime_tokens_total', 'prefill_compute')).toBe(435);
    expect(value(samples, 'kv_transfer_count')).toBe(21);
    expect(value(samples, 'http_requests_active', 'chat')).toBe(4);
    expect(value(samples, 'http_requests_active', 'health')).toBe(1);
  });

  it('has no sample for what was not exported', () => {
    const samples = sglang.metrics(recorded('sglang-0.5.23/metrics-before-any-request.prom'));
    expect(samples.length).toBeGreaterThan(10);
    expect(samples.map((sample) => sample.name)).not.toContain('num_transfer_failed_reqs_total');
    expect(samples.map((sample) => sample.name)).not.toContain('kv_transfer_count');
  });

  it('reads the gateway-merged page with its other prefix and tells the exported name', () => {
    const samples = sglang.metrics(recorded('sglang-0.5.23/pd/pd-router-get-engine-metrics.http'));
    expect(value(samples, 'realtime_tokens_total', 'decode')).toBe(3057);
    expect(samples.find((sample) => sample.name === 'num_running_reqs')?.alias).toBe('sglang_num_running_reqs');
  });

  it('reads live load entries with the age of the scheduler\u2019s last word', () => {
    const samples = sglang.loads?.(bodyOf('sglang-0.5.23/load-v1-loads-include-all.http'));
    expect(value(samples, 'num_running_reqs')).toBe(8);
    expect(value(samples, 'num_queue_reqs')).toBe(12);
    expect(value(samples, 'token_usage')).toBe(0.6851);
    expect(value(samples, 'loads_age_seconds')).toBeCloseTo(0.344, 2);
    expect(samples?.every((sample) => sample.source === 'loads' && sample.rank === undefined)).toBe(true);
  });

  it('does not read load pages without entry time stamps: asking for them is a question to the scheduler', () => {
    expect(sglang.loads?.({ timestamp: 1, loads: [{ dp_rank: 0, num_running_reqs: 1 }] })).toBeUndefined();
  });

  it('keeps the DP ranks of a load page apart', () => {
    const samples = sglang.loads?.({
      timestamp: '2026-11-30T22:00:20Z',
      loads: [0, 1].map((rank) => ({ timestamp: 1796076000 + rank * 10, dp_rank: rank, num_running_reqs: rank + 4 })),
    });
    expect(samples?.map((sample) => [seriesKey(sample), sample.value])).toEqual([
      ['num_running_reqs{rank=0}@loads', 4],
      ['loads_age_seconds{rank=0}@loads', 20],
      ['num_running_reqs{rank=1}@loads', 5],
      ['loads_age_seconds{rank=1}@loads', 10],
    ]);
  });
});

describe('SGLang of other builds', () => {
  const read = (page: string) => sglang.metrics(page).map((sample) => [seriesKey(sample), sample.value, sample.alias]);

  it('knows the older names and the misspelling', () => {
    expect(read('sglang:num_prefill_prealloc_queue_reqs 2\nsglang:num_prefill_infight_queue_reqs 3\n')).toEqual([
      ['num_prefill_bootstrap_queue_reqs', 2, 'sglang:num_prefill_prealloc_queue_reqs'],
      ['num_prefill_inflight_queue_reqs', 3, 'sglang:num_prefill_infight_queue_reqs'],
    ]);
  });

  it('prefers the present name where both are exported', () => {
    expect(read('sglang:num_prefill_prealloc_queue_reqs 2\nsglang:num_prefill_bootstrap_queue_reqs 3\n')).toEqual([
      ['num_prefill_bootstrap_queue_reqs', 3, undefined],
    ]);
    expect(read('sglang:num_prefill_bootstrap_queue_reqs 3\nsglang:num_prefill_prealloc_queue_reqs 2\n')).toEqual([
      ['num_prefill_bootstrap_queue_reqs', 3, undefined],
    ]);
  });

  it('never adds TP ranks, and keeps DP ranks apart', () => {
    const page = [0, 1, 2, 3].map((tp) => `sglang:num_running_reqs{tp_rank="${tp}",pp_rank="0",dp_rank="${tp >> 1}"} ${tp + 5}`).join('\n');
    expect(read(page)).toEqual([
      ['num_running_reqs{rank=0}', 5, undefined],
      ['num_running_reqs{rank=1}', 7, undefined],
    ]);
    expect(read('sglang:num_running_reqs{tp_rank="10"} 9\nsglang:num_running_reqs{tp_rank="2"} 4\n')).toEqual([['num_running_reqs', 4, undefined]]);
  });

  it('takes the total of priorities, not their sum', () => {
    expect(read('sglang:num_queue_reqs{priority=""} 5\nsglang:num_queue_reqs{priority="1"} 2\nsglang:num_queue_reqs{priority="2"} 3\n')).toEqual([
      ['num_queue_reqs', 5, undefined],
    ]);
  });

  it('counts KV transfers only where the family is a histogram', () => {
    expect(read('# TYPE sglang:kv_transfer_latency_ms gauge\nsglang:kv_transfer_latency_ms 7\n')).toEqual([]);
  });

  it('emits neither NaN nor infinities', () => {
    expect(read('sglang:token_usage NaN\nsglang:gen_throughput +Inf\nsglang:num_running_reqs 1\n')).toEqual([['num_running_reqs', 1, undefined]]);
  });
});

describe('the gateway 0.3.2', () => {
  it('trap 21: counts hanging requests by age', () => {
    const samples = gateway.metrics(recorded('sglang-router-0.3.2/gateway/metrics-3-hung-85s.prom'));
    expect(['0', '30', '60', '180', '300'].map((age) => value(samples, 'router_inflight_reqs', age))).toEqual([3, 3, 3, 0, 0]);
    expect(value(samples, 'router_worker_health', 'http://127.0.0.1:30002')).toBe(1);
    expect(value(samples, 'router_worker_cb_state', 'http://127.0.0.1:30000')).toBe(0);
    expect(value(samples, 'router_http_requests_total')).toBe(26);
    expect(value(samples, 'router_http_responses_total', '2xx')).toBe(16);
    expect(samples.every((sample) => sample.source === 'router')).toBe(true);
  });

  it('lists its workers', () => {
    expect(gateway.workers?.(bodyOf('sglang-0.5.23/pd/pd-router-get-workers.http'))).toEqual([
      { url: 'http://127.0.0.1:30110', role: 'prefill', model: 'tiny', isHealthy: true, load: 0 },
      { url: 'http://127.0.0.1:30112', role: 'decode', model: 'tiny', isHealthy: true, load: 0 },
    ]);
  });

  it('lists the ids of both roles', () => {
    expect(gateway.models(bodyOf('sglang-router-0.3.2/gateway/v1_models.http'))).toEqual(['qwen3-decode', 'qwen3-prefill']);
  });

  it('looks for its own page on port 29000 unless told otherwise', () => {
    expect(gateway.metricsUrls({ url: 'http://10.0.0.1:30001' })[0]).toBe('http://10.0.0.1:29000/metrics');
    expect(gateway.metricsUrls({ url: 'http://10.0.0.1:30001', metricsUrl: 'http://10.0.0.1:1/metrics' })).toEqual(['http://10.0.0.1:1/metrics']);
  });
});

describe('mini_lb 0.3.2', () => {
  it('tells its workers\u2019 addresses and names, and nothing else of their arguments', () => {
    expect(balancer.workers?.(bodyOf('sglang-0.5.23/pd/pd-minilb-get-get-server-info.http'))).toEqual([
      { url: 'http://127.0.0.1:30110', role: 'prefill', model: 'tiny' },
      { url: 'http://127.0.0.1:30112', role: 'decode', model: 'tiny' },
    ]);
  });

  it('shows only the first prefill\u2019s id', () => {
    expect(balancer.models(bodyOf('sglang-router-0.3.2/mini-lb/v1_models.http'))).toEqual(['qwen3-prefill']);
  });

  it('is asked for its workers as a control call', () => {
    expect(balancer.workersPath).toEqual({ path: '/get_server_info', control: true });
  });
});

describe('vLLM 0.32.0', () => {
  it('reads a loaded page into SGLang\u2019s names', () => {
    const samples = vllm.metrics(recorded('vllm-0.32.0/metrics-2-under-load.txt'));
    expect(value(samples, 'num_running_reqs')).toBe(20);
    expect(value(samples, 'num_queue_reqs')).toBe(0);
    expect(value(samples, 'generation_tokens_total')).toBe(5516);
    expect(value(samples, 'num_requests_total')).toBe(8);
    expect(value(samples, 'time_to_first_token_count')).toBe(28);
    expect(value(samples, 'http_responses_total', 'chat:2xx')).toBe(8);
    expect(value(samples, 'http_responses_total', 'chat:4xx')).toBe(10);
    expect(value(samples, 'process_start_time_seconds')).toBeCloseTo(1796075195.91);
    expect(samples.find((sample) => sample.name === 'num_running_reqs')?.alias).toBe('vllm:num_requests_running');
    expect(samples.some((sample) => sample.rank !== undefined)).toBe(false);
    expect(value(samples, 'engine_awake')).toBe(1);
  });

  it('keeps several engines apart', () => {
    expect(vllm.metrics('vllm:num_requests_running{engine="0"} 1\nvllm:num_requests_running{engine="1"} 2\n').map(seriesKey)).toEqual([
      'num_running_reqs{rank=0}',
      'num_running_reqs{rank=1}',
    ]);
  });
});

describe('a hostile page', () => {
  it('takes for a rank only a small number, so that a page cannot make new series for ever', () => {
    const page = ['0', '007', 'x9', '1234', '1e3', ''].map((rank) => `sglang:num_queue_reqs{dp_rank="${rank}"} 1`).join('\n');
    expect(sglang.metrics(page).map(({ rank, value }) => [rank, value])).toEqual([
      ['0', 1],
      ['007', 1],
      [undefined, 4],
    ]);
    const loads = [0.5, -1, 1e9, 3].map((dp_rank) => ({ timestamp: 1, dp_rank, num_running_reqs: 1 }));
    expect(sglang.loads?.({ loads })?.map(({ rank }) => rank)).toEqual([undefined, undefined, undefined, '3']);
  });

  it('makes a bounded number of samples, with bounded labels', () => {
    const page = Array.from(
      { length: 60_000 },
      (_, index) => `smg_worker_health{worker="http://${'w'.repeat(400)}${index}"} 1\nsglang:num_running_reqs{dp_rank="${index}"} 1`,
    ).join('\n');
    for (const dialect of Object.values(dialects)) {
      const samples = dialect.metrics(page);
      expect(samples.length).toBeLessThanOrEqual(5000);
      expect(samples.every((sample) => (sample.by?.length ?? 0) <= 256)).toBe(true);
    }
  });
});
