import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Answer, Answers } from '@/lib/model/dialect';
import { seriesKey } from '@/lib/model/sample';
import { recordedBy } from './fixtures/recorded';
import { dialects } from './index';
import { recogniseTarget } from './recognise';

const { recorded } = recordedBy((path) => readFileSync(fileURLToPath(new URL(`./fixtures/${path}`, import.meta.url)), 'utf8'));
const missing: Answer = { path: '', status: 404, contentType: 'application/json', body: '{"detail":"Not Found"}', tookMs: 1 };
const ok = (body: string): Answer => ({ path: '', status: 200, body, tookMs: 1 });
const answers = (given: Record<string, Answer>): Answers => given;
const models = ok('{"object":"list","data":[{"id":"tiny","object":"model","created":1,"owned_by":"vllm","parent":null}]}');

/** As prometheus_client writes what vllm_router/services/metrics_service and routers/metrics_router.py declare. */
const page = `# HELP router_cpu_usage_percent CPU usage percent
# TYPE router_cpu_usage_percent gauge
router_cpu_usage_percent 3.1
# HELP vllm:num_requests_running Number of running requests
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{server="http://10.0.0.1:8000"} 2.0
vllm:num_requests_running{server="http://10.0.0.2:8000"} 3.0
# HELP vllm:num_incoming_requests_total Total valid incoming requests to router (including when no backends available).
# TYPE vllm:num_incoming_requests_total counter
vllm:num_incoming_requests_total{model="tiny"} 41.0
# HELP vllm:healthy_pods_total Number of healthy vLLM pods
# TYPE vllm:healthy_pods_total gauge
vllm:healthy_pods_total{server="http://10.0.0.1:8000"} 1.0
vllm:healthy_pods_total{server="http://10.0.0.2:8000"} 0.0
`;

describe('the router of the production stack', () => {
  const router = dialects['vllm-router'];

  it('is not taken for an engine, although it repeats its engines’ model list and has a version', () => {
    const seen = recogniseTarget(answers({ '/v1/models': models, '/version': ok('{"version":"0.1.9"}'), '/metrics': ok(page), '/ping': missing }));
    expect(seen).toMatchObject({ kind: 'vllm-router', role: 'router', version: '0.1.9' });
  });

  it('leaves a real engine to be one', () => {
    const engine = { '/v1/models': models, '/version': ok('{"version":"0.32.0"}'), '/metrics': ok(recorded('vllm-0.32.0/metrics-2-under-load.txt')) };
    expect(recogniseTarget(answers({ ...engine, '/ping': ok('') }))).toMatchObject({ kind: 'vllm', role: 'unified' });
    expect(recogniseTarget(answers({ ...engine, '/ping': missing }))).toMatchObject({ kind: 'vllm' });
  });

  it('counts what it holds over all engines, and tells which it believes healthy', () => {
    const samples = router.metrics(page).map((sample) => [seriesKey(sample), sample.value, sample.source]);
    expect(samples).toEqual([
      ['router_inflight_reqs{by=0}', 5, 'router'],
      ['router_http_requests_total', 41, 'router'],
      ['router_worker_health{by=http://10.0.0.1:8000}', 1, 'router'],
      ['router_worker_health{by=http://10.0.0.2:8000}', 0, 'router'],
    ]);
  });

  it('tells its engines by its command line, halves by their labels', () => {
    const line = 'vllm-router --port 8001 --service-discovery static --static-backends http://a:1,http://b:2 --static-models m,m --routing-logic';
    expect(router.cmdline(`${line} roundrobin`.split(' '))).toMatchObject({ kind: 'vllm-router', role: 'router', port: 8001 });
    expect(router.cmdline(`${line} roundrobin`.split(' '))?.workers.map(({ role }) => role)).toEqual(['unified', 'unified']);
    const split = `${line} disaggregated_prefill --static-model-labels p,d --prefill-model-labels p --decode-model-labels d`;
    expect(router.cmdline(split.split(' '))?.workers).toEqual([
      { url: 'http://a:1', role: 'prefill' },
      { url: 'http://b:2', role: 'decode' },
    ]);
  });

  it('shares its name with a Rust fork of SGLang’s gateway, which is told by its flags and its page', () => {
    const line = 'vllm-router --worker-urls http://a:1 http://b:2 --policy round_robin'.split(' ');
    expect(router.cmdline(line)).toBeUndefined();
    expect(dialects['sglang-router'].cmdline(line)).toMatchObject({ kind: 'sglang-router', role: 'router' });
    const samples = dialects['sglang-router'].metrics('vllm_router_worker_health{worker="http://a:1"} 1\nvllm_router_requests_total{route="/v1/x"} 7\n');
    expect(samples.map(seriesKey)).toEqual(['router_worker_health{by=http://a:1}', 'router_http_requests_total']);
  });
});

describe('the proxies before a vLLM pair', () => {
  const proxy = dialects['vllm-proxy'];
  const bare = { '/v1/models': missing, '/ping': missing, '/version': missing, '/metrics': missing };

  it('are known by how they count their halves, though they list no models', () => {
    const toy = ok('{"status":"ok","prefill_instances":1,"decode_instances":2}');
    expect(recogniseTarget(answers({ ...bare, '/healthcheck': toy, '/status': missing }))).toMatchObject({ kind: 'vllm-proxy', role: 'balancer' });
    const demo = ok('{"prefill_node_count":1,"decode_node_count":1,"prefill_nodes":["localhost:8100"],"decode_nodes":["10.0.0.2:8200"]}');
    expect(recogniseTarget(answers({ ...bare, '/healthcheck': missing, '/status': demo }))).toMatchObject({ kind: 'vllm-proxy' });
    expect(proxy.workers?.(JSON.parse(demo.body ?? ''))).toEqual([
      { url: 'http://localhost:8100', role: 'prefill' },
      { url: 'http://10.0.0.2:8200', role: 'decode' },
    ]);
    expect(recogniseTarget(answers({ ...bare, '/status': ok('{"status":"fine"}') })).kind).toBe('not-llm');
  });

  it.each([
    ['python3 toy_proxy_server.py --port 8192 --prefiller-hosts a --prefiller-ports 1 --decoder-hosts b c --decoder-ports 2 3', 8192, ['a:1', 'b:2', 'c:3']],
    ['python toy_proxy_server.py', 8000, ['localhost:8100', 'localhost:8200']],
    [
      'python3 examples/disagg_proxy_demo.py --model m --prefill localhost:8100 --decode localhost:8200 localhost:8201 --port 8000',
      8000,
      ['localhost:8100', 'localhost:8200', 'localhost:8201'],
    ],
    ['python mooncake_connector_proxy.py --prefill http://p:1 8998 --decode http://d:2', 8000, ['p:1', 'd:2']],
  ])('are known by their command line: %s', (line, port, workers) => {
    const finding = proxy.cmdline(line.split(' '));
    expect(finding).toMatchObject({ kind: 'vllm-proxy', role: 'balancer', port });
    expect(finding?.workers.map(({ url }) => url)).toEqual(workers.map((address) => `http://${address}`));
    expect(finding?.workers[0]?.role).toBe('prefill');
    expect(finding?.workers.at(-1)?.role).toBe('decode');
  });

  it('stand before servers that tell their half only by a flag', () => {
    const role = (kv: string) =>
      dialects.vllm.cmdline(['vllm', 'serve', 'm', '--kv-transfer-config', JSON.stringify({ kv_connector: 'X', kv_role: kv })])?.role;
    expect(['kv_producer', 'kv_consumer', 'kv_both'].map(role)).toEqual(['prefill', 'decode', 'unified']);
  });
});

describe('anything else that lists models', () => {
  it('claims no health path at all: a list that answers proves nothing', () => {
    expect(recogniseTarget(answers({ '/v1/models': ok('{"data":[{"id":"x"}]}'), '/ping': missing }))).toMatchObject({ kind: 'openai', role: 'unified' });
    expect(dialects.openai.health).toEqual([]);
  });
});

describe('vLLM 0.32.0', () => {
  it('tells its steps', () => {
    const steps = dialects.vllm.metrics(recorded('vllm-0.32.0/metrics-2-under-load.txt')).find((sample) => sample.name === 'engine_steps_total');
    expect(steps).toMatchObject({ value: 538, alias: 'vllm:iteration_tokens_total_count' });
  });
});
