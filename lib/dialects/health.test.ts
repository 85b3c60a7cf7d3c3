import { describe, expect, it } from 'vitest';
import type { HealthSeen } from '@/lib/model/dialect';
import type { Kind } from '@/lib/model/target';
import { software } from './software';

const said = (kind: Kind, seen: Partial<HealthSeen> & { path: string }) => software.reads(kind, { exports: new Set(), tookMs: 3, status: 200, ...seen });

describe('what a green health proves', () => {
  it('of an SGLang engine is told by its latency: a second is the check, milliseconds are the plain handler', () => {
    expect(said('sglang', { path: '/health', tookMs: 1_004 }).by).toContain('generation check');
    expect(said('sglang', { path: '/health', tookMs: 1_004 }).proves).toContain('no forward pass');
    expect(said('sglang', { path: '/health', tookMs: 4 }).proves).toBe('The HTTP process answers. The scheduler was not asked.');
  });

  it('a 503 of an SGLang engine at once is a start, and one after twenty seconds a silent scheduler', () => {
    expect(said('sglang', { path: '/health', status: 503, tookMs: 2 }).by).toContain('start-up');
    expect(said('sglang', { path: '/health', status: 503, tookMs: 20_030 }).proves).toContain('No message of the scheduler');
  });

  it('of /ping depends on the build: newer ones repeat the last /health', () => {
    expect(said('sglang', { path: '/ping', exports: new Set(['loads_age_seconds']) }).by).toContain('last /health');
    expect(said('sglang', { path: '/ping' }).by).toBe('the HTTP process');
  });

  it('of a front-end is a constant, and of its readiness an old opinion', () => {
    expect(said('sglang-router', { path: '/health' }).proves).toContain('No worker was asked');
    expect(said('sglang-router', { path: '/readiness' }).proves).toContain('two to three minutes');
    expect(said('mini-lb', { path: '/health' }).by).toBe('a constant in the balancer');
  });

  it('of vLLM is that its engine is not known to be dead, which a frozen one is not', () => {
    expect(said('vllm', { path: '/health' }).proves).toMatch(/frozen one says 200 for ever.*only a chat does/);
  });

  it('of a node with rank > 0, of a bare model list and of strangers is nothing of the engine', () => {
    expect(said('dummy', { path: '/health' }).proves).toContain('200 for ever');
    expect(said('openai', { path: '/v1/models' }).proves).toBe('An HTTP answer, nothing more.');
    expect(said('unknown', { path: '/health' }).proves).toBe('An HTTP answer, nothing more.');
  });

  it('trap 19: no text takes for granted that health lies; it says what the answer covers', () => {
    const texts = (['sglang', 'sglang-router', 'mini-lb', 'vllm', 'openai', 'dummy'] as const).flatMap((kind) =>
      [{ tookMs: 3 }, { tookMs: 1_200 }, { status: 503, tookMs: 20_100 }].flatMap((more) => Object.values(said(kind, { path: '/health', ...more }))),
    );
    expect(texts.filter((text) => /\blie[sd]?\b|\blying\b|\bfake health\b|\bwrong\b/i.test(text))).toEqual([]);
  });
});

describe('the health URLs that we leave alone', () => {
  it('each say why', () => {
    for (const kind of ['sglang', 'sglang-router', 'mini-lb'] as const)
      expect(software.otherHealth(kind).find((each) => each.path === '/health_generate')?.notAsked).toMatch(/\w{4}/);
  });
});
