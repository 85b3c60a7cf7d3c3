import { describe, expect, it } from 'vitest';
import { type Story, type Told, tell } from './story';

/** A vLLM server that takes chats itself; 5 s a step. */
const vllm = (chat: string, series: Record<string, string>, more: Partial<Story> = {}): Told =>
  tell({ seconds: 150, chat: { vllm: chat }, engines: { vllm: 'unified' }, kinds: { vllm: 'vllm' }, series, ...more });
const at = (told: Told, second: number, name = 'vllm') => told.at(second).stacks[0]?.nodes.find((n) => n.id === name)?.judgement;

describe('a vLLM server', () => {
  it('frozen while idle is hanging at the engine within 30 s, and the page says that only a chat tells', () => {
    const told = vllm('ok 60s, headers', { 'vllm engine_steps_total': '100+6x12 172x48', 'vllm num_running_reqs': '0x60' });
    expect(told.everyVerdict('vllm').slice(10, 60)).not.toContain('hanging');
    expect(at(told, 90)).toMatchObject({ verdict: 'hanging', place: { kind: 'engine', target: 'vllm', inferred: false }, phase: 'no first token' });
    expect(at(told, 90)?.because).toContain('only a chat tells');
  });

  it('frozen under load is witnessed by its own counters: requests run and no step is made', () => {
    const told = vllm('ok 60s, headers', { 'vllm engine_steps_total': '100+300x12 3700x48', 'vllm num_running_reqs': '6x60' });
    expect(at(told, 90)).toMatchObject({ verdict: 'hanging', place: { kind: 'engine', target: 'vllm' } });
    expect(at(told, 90)?.because).toContain('vllm holds running requests and makes no step');
  });

  it('put to sleep hangs at the engine by its own word, and is not called stuck', () => {
    const told = vllm('ok 60s, headers', { 'vllm engine_steps_total': '100+6x12 172x48', 'vllm engine_awake': '1x12 0x48' });
    expect(at(told, 60)?.verdict).toBe('ok');
    expect(at(told, 90)).toMatchObject({ verdict: 'hanging', place: { kind: 'engine', target: 'vllm', inferred: false } });
    expect(at(told, 90)?.because).toContain('vllm says of itself that it sleeps');
    const top = (second: number) => told.at(second).stacks[0]?.hypotheses[0];
    expect(top(100)?.id).toBe('engine-paused');
  });

  it('that makes steps for others while our chat waits is late by load, not stuck', () => {
    const told = vllm('ok 60s, slow', {
      'vllm engine_steps_total': '100+300x60',
      'vllm generation_tokens_total': '100+900x60',
      'vllm num_running_reqs': '16x60',
      'vllm num_queue_reqs': '0x12 20x48',
    });
    expect(told.everyVerdict('vllm')).not.toContain('hanging');
    expect(at(told, 140)).toMatchObject({ verdict: 'degraded', place: { kind: 'engine' } });
  });

  it('whose pages and chats are refused is down at the engine within 20 s', () => {
    const told = vllm(
      'ok 60s, refused',
      { 'vllm engine_steps_total': '100+6x60' },
      { health: { vllm: 'ok 60s, refused' }, pages: { vllm: 'ok 60s, refused' } },
    );
    expect(at(told, 80)).toMatchObject({ verdict: 'down', place: { kind: 'engine', target: 'vllm' } });
  });

  it('that answers its health slowly is not thereby known to work', () => {
    const told = vllm('ok 60s, headers', { 'vllm num_running_reqs': '0x60' });
    expect(at(told, 100)).toMatchObject({ verdict: 'hanging', place: { kind: 'engine' } });
  });
});

describe('a vLLM pair behind a proxy that counts nothing', () => {
  const pair = (prefill: string, decode: string): Told =>
    tell({
      seconds: 150,
      chat: { proxy: 'ok 60s, hung' },
      engines: { prefill: 'prefill', decode: 'decode' },
      kinds: { prefill: 'vllm', decode: 'vllm' },
      series: { 'prefill engine_steps_total': prefill, 'decode engine_steps_total': decode },
    });

  it('hangs at the first half that makes no step for our chats', () => {
    expect(at(pair('100+1x12 112x48', '100+6x12 172x48'), 100, 'proxy')).toMatchObject({ verdict: 'hanging', place: { kind: 'prefill', inferred: true } });
    expect(at(pair('100+1x60', '100+6x12 172x48'), 100, 'proxy')).toMatchObject({ verdict: 'hanging', place: { kind: 'decode', inferred: true } });
  });
});

describe('a stopped detokenizer', () => {
  const told = (running: string, more: Record<string, string> = {}) =>
    tell({
      seconds: 150,
      chat: { router: 'ok 60s, hung', lb: 'ok 60s, headers' },
      series: {
        ...more,
        'prefill loads_age_seconds@loads': '0.2x60',
        'decode loads_age_seconds@loads': '0.2x60',
        'prefill num_running_reqs@loads': '0x60',
        'decode num_running_reqs@loads': running,
        'decode num_decode_transfer_queue_reqs@loads': '0x60',
        'decode realtime_tokens_total{decode}': '100+5x14 170x46',
        'decode generation_tokens_total': '100+6x12 172x48',
        'decode http_requests_active{chat}': '0x13 1x2 2x45',
      },
    });

  it('is seen on the response path by what its scheduler no longer holds, within 30 s', () => {
    for (const name of ['router', 'lb'])
      expect(at(told('0x60'), 90, name)).toMatchObject({ verdict: 'hanging', place: { kind: 'response path', name: 'decode' } });
  });

  it('is never sought at prefill, whose answer waits with the one of decode', () => {
    const waits = told('0x14 1x1 0x45', { 'prefill http_requests_active{chat}': '0x13 2x47' });
    for (const name of ['router', 'lb']) for (let second = 60; second < 150; second++) expect(at(waits, second, name)?.place?.name).not.toBe('prefill');
    expect(at(waits, 100, 'lb')).toMatchObject({ place: { kind: 'response path', name: 'decode' } });
  });

  it('is not named while the scheduler holds the chats', () => {
    expect(at(told('0x13 1x2 2x45'), 90, 'router')?.place?.kind).not.toBe('response path');
  });
});

describe('an engine that falls mute', () => {
  const told = (age: string, pages: string) =>
    tell({
      seconds: 150,
      chat: { router: 'ok 60s, hung', lb: 'ok 60s, headers' },
      series: { 'prefill loads_age_seconds@loads': '0.2x60', 'decode loads_age_seconds@loads': age },
      pages: { decode: pages },
    });

  it('is named on the response path within 30 s, before its seldom asked health check has failed too', () => {
    for (const name of ['router', 'lb'])
      expect(at(told('0.2x60', 'ok 60s, timeout'), 90, name)).toMatchObject({ verdict: 'hanging', place: { kind: 'response path', name: 'decode' } });
  });

  it('after its scheduler had stopped stays a matter of that scheduler', () => {
    const later = told('0.2x12 5+5x48', 'ok 75s, timeout');
    for (const second of [90, 120, 140]) expect(at(later, second, 'router')).toMatchObject({ verdict: 'hanging', place: { kind: 'decode' } });
  });
});
