import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sglang } from '@/lib/dialects/sglang';
import { software } from '@/lib/dialects/software';
import { vllm } from '@/lib/dialects/vllm';
import type { HealthReading } from '@/lib/model/dialect';
import type { Observation } from '@/lib/model/observation';
import type { ProbeResult } from '@/lib/model/probe';
import type { Sample } from '@/lib/model/sample';
import type { ExportTable } from '@/lib/model/snapshot';
import type { Kind, Target } from '@/lib/model/target';
import { aProbe } from '@/lib/stores/examples';
import { once, viewClaims, viewExports } from './claims';
import { Facts } from './window';

const T0 = 1_800_000_000_000;
const target = (kind: Kind, role: Target['role'] = 'decode'): Target => ({
  id: 'x',
  stack: 's',
  name: 'x',
  url: 'http://x',
  kind,
  role,
  known: ['config'],
  probed: false,
});

function seen(of: Target, observations: Observation[]) {
  const facts = new Facts(() => undefined);
  facts.absorb({ kind: 'topology', at: T0, stack: 's', targets: [of], edges: [] });
  for (const o of observations) facts.absorb(o);
  return facts.view('s');
}

const health = (path: string, over: Partial<ProbeResult> & { status?: number; tookMs?: number }): Observation => {
  const { status = 200, tookMs = 3, ...rest } = over;
  const p = aProbe({ id: path, target: 'x', proves: 'health', probe: 'health', path, sentAt: T0, ...rest });
  return { kind: 'probe', at: T0, result: { ...p, exchange: { ...p.exchange, status, elapsedMs: tookMs } } };
};
const scrape = (at: number, samples: Sample[], source: Sample['source'] = 'metrics'): Observation => ({
  kind: 'scrape',
  at,
  target: 'x',
  source,
  outcome: 'ok',
  tookMs: 5,
  samples,
});

describe('the health truth table of a node', () => {
  it('has every health URL that was asked, with what code answered', () => {
    const of = target('sglang-router', 'router');
    const readings = once<HealthReading>();
    const rows = viewClaims(seen(of, [health('/readiness', { status: 503 }), health('/health', {})]), of, software, readings);
    expect(rows.map(({ path, status, says }) => [path, status, says])).toEqual([
      ['/readiness', 503, 'not ready'],
      ['/health', 200, 'up'],
      ['/liveness', undefined, 'not asked'],
      ['/health_generate', undefined, 'not asked'],
    ]);
    expect(readings.list[rows[1]?.reading ?? -1]?.proves).toContain('No worker was asked');
    expect(rows[3]?.notAsked).toContain('/readiness');
  });

  it('takes what discovery has asked anyway', () => {
    const of = target('sglang');
    const rows = viewClaims(
      seen(of, [{ kind: 'claims', at: T0 - 60_000, target: 'x', claims: [{ path: '/ping', status: 401, tookMs: 2.4 }] }]),
      of,
      software,
      once(),
    );
    expect(rows[0]).toMatchObject({ path: '/ping', status: 401, says: 'error', at: T0 - 60_000, tookMs: 2 });
  });

  it('says that nobody has answered yet while the check is out', () => {
    const of = target('sglang');
    const out = health('/health', {});
    if (out.kind === 'probe') out.result = { ...out.result, outcome: 'pending', exchange: { ...out.result.exchange, status: undefined, ended: false } };
    const readings = once<HealthReading>();
    const [row] = viewClaims(seen(of, [out]), of, software, readings);
    expect(row).toMatchObject({ says: 'slow' });
    expect(readings.list[row?.reading ?? -1]?.by).toBe('nobody yet');
  });
});

describe('the names under which a node exports', () => {
  const page = readFileSync('lib/dialects/fixtures/sglang-0.5.23/pd/pd-decode-metrics-load.prom', 'utf8');

  it('are told meaning by meaning, those that were renamed too, with what this build lacks', () => {
    const of = target('sglang');
    const exports = once<ExportTable>();
    const older = sglang.metrics(page.replaceAll('num_prefill_bootstrap_queue_reqs', 'num_prefill_prealloc_queue_reqs'));
    viewExports(seen(of, [scrape(T0, older)]), of, software, exports);
    const found = exports.list[0]?.found ?? [];
    expect(found).toContainEqual(['num_prefill_bootstrap_queue_reqs', 'sglang:num_prefill_prealloc_queue_reqs', 'metrics']);
    expect(found).toContainEqual(['num_running_reqs', 'sglang:num_running_reqs', 'metrics']);
    expect(exports.list[0]?.missing).toContain('loads_age_seconds');
    expect(exports.list[0]?.missing).not.toContain('num_running_reqs');
  });

  it('are those of vLLM where vLLM answers', () => {
    const of = target('vllm', 'unified');
    const exports = once<ExportTable>();
    const samples = vllm.metrics('vllm:num_requests_running{engine="0",model_name="m"} 3\n');
    viewExports(seen(of, [scrape(T0, samples)]), of, software, exports);
    expect(exports.list[0]?.found).toEqual([['num_running_reqs', 'vllm:num_requests_running', 'metrics']]);
    expect(exports.list[0]?.missing).toContain('generation_tokens_total');
  });

  it('are told once for nodes that export alike', () => {
    const of = target('sglang');
    const exports = once<ExportTable>();
    const a = viewExports(seen(of, [scrape(T0, sglang.metrics(page))]), of, software, exports);
    const b = viewExports(seen(of, [scrape(T0 + 5_000, sglang.metrics(page))]), of, software, exports);
    expect([a.exports, b.exports, exports.list.length]).toEqual([0, 0, 1]);
  });

  it('tell of a series that the page no longer holds, and since when', () => {
    const of = target('sglang');
    const both: Sample[] = [
      { name: 'num_running_reqs', value: 1, source: 'metrics' },
      { name: 'num_queue_reqs', value: 1, source: 'metrics' },
    ];
    const later = [1, 2, 3].map((i) => scrape(T0 + i * 5_000, both.slice(0, 1)));
    const view = viewExports(seen(of, [scrape(T0, both), ...later]), of, software, once());
    expect(view.vanished).toEqual([{ key: 'num_queue_reqs', at: T0 }]);
  });
});
