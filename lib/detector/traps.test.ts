import { describe, expect, it } from 'vitest';
import { motion } from '@/lib/reading/engine';
import { type Story, type Told, tell } from './story';
import { Facts } from './window';

/** A well, lightly used PD pair whose loops turn; 5 s a step. */
const quiet = {
  'prefill loads_age_seconds@loads': '0.2x60',
  'decode loads_age_seconds@loads': '0.2x60',
  'prefill num_prefill_bootstrap_queue_reqs@loads': '0x60',
  'prefill num_prefill_inflight_queue_reqs@loads': '0x60',
  'decode num_decode_transfer_queue_reqs@loads': '0x60',
  'prefill realtime_tokens_total{prefill_compute}': '100+30x60',
  'decode realtime_tokens_total{decode}': '100+12x60',
  'prefill http_requests_active{chat}': '0x60',
  'decode http_requests_active{chat}': '0x60',
  'prefill http_requests_total{chat}': '10+1x60',
  'decode http_requests_total{chat}': '10+1x60',
};
const story = (chat: Story['chat'], series: Record<string, string> = {}, more: Partial<Story> = {}) =>
  tell({ seconds: 200, chat, series: { ...quiet, ...series }, ...more });
const judged = (told: Told, second: number, name = 'router') => told.at(second).stacks[0]?.nodes.find((n) => n.id === name)?.judgement;
const alarms = (told: Told, name = 'router') => told.everyVerdict(name).filter((v) => v === 'hanging' || v === 'down');

describe('a witness that is none', () => {
  it('trap 07: a failed scrape is unknown, never idle or frozen', () => {
    const lost = story({ router: 'ok', lb: 'ok' }, {}, { pages: { decode: 'ok 60s, timeout 20s, ok' } });
    expect(alarms(lost)).toEqual([]);
    expect(judged(lost, 70, 'decode')?.verdict).not.toBe('hanging');
    const hung = story({ router: 'ok 60s, hung', lb: 'ok' }, {}, { pages: { decode: 'ok 60s, not-exported', prefill: 'ok 60s, not-exported' } });
    expect(judged(hung, 120)?.verdict).toBe('hanging');
    expect(judged(hung, 120)?.because).not.toMatch(/idle|frozen/);
  });

  it('trap 09: what our own health calls add to a prefill is taken off its computed tokens', () => {
    const facts = new Facts(() => undefined);
    facts.absorb({
      kind: 'topology',
      at: 0,
      stack: 's',
      targets: [{ id: 'p', stack: 's', name: 'p', url: 'http://127.0.0.1:1', kind: 'sglang', role: 'prefill', known: ['config'], probed: false }],
      edges: [],
    });
    const page = (at: number, computed: number, health: number) =>
      facts.absorb({
        kind: 'scrape',
        at,
        target: 'p',
        source: 'metrics',
        outcome: 'ok',
        tookMs: 1,
        samples: [
          { name: 'realtime_tokens_total', by: 'prefill_compute', value: computed, source: 'metrics' },
          { name: 'http_requests_total', by: 'health', value: health, source: 'metrics' },
        ],
      });
    page(1_000, 100, 10);
    page(6_000, 103, 13);
    expect(motion(facts.view('s'), 'p', 1_000).prefillTokens).toBe(0);
    page(11_000, 120, 14);
    expect(motion(facts.view('s'), 'p', 1_000).prefillTokens).toBe(16);
  });

  it('trap 30: one request that is always there in a prefill may be our own health poll', () => {
    const told = story(
      { router: 'ok', lb: 'ok' },
      { 'prefill num_prefill_inflight_queue_reqs': '1x60', 'prefill num_running_reqs': '1x60', 'prefill num_prefill_inflight_queue_reqs@loads': '_x60' },
    );
    expect(new Set(told.everyVerdict('router').slice(20))).toEqual(new Set(['ok']));
    expect(new Set(told.everyVerdict('prefill').slice(20))).toEqual(new Set(['ok']));
  });
});

describe('whom to blame', () => {
  it('trap 22: an error text that names prefill does not put the place there when it is decode that refuses', () => {
    const told = story(
      { router: 'ok 60s, 503', lb: 'ok 60s, reset' },
      {},
      { pages: { decode: 'ok 60s, refused' }, says: 'No available prefill workers (all circuits open or unhealthy)' },
    );
    expect(judged(told, 110)).toMatchObject({ verdict: 'down', place: { kind: 'decode', name: 'decode' } });
  });

  it('trap 23: a good answer clears its own path only: the sibling fails on the same engines', () => {
    const told = story({ router: 'ok 60s, 500', lb: 'ok' }, { 'prefill http_responses_total{chat:5xx}': '0x12 1+1x48' });
    expect(judged(told, 110)).toMatchObject({ verdict: 'down', place: { kind: 'prefill' } });
    expect(judged(told, 110, 'lb')?.verdict).toBe('ok');
  });

  it('trap 24: quick 503s after a heal, with healthy engines, are an open circuit and no new fault of an engine', () => {
    const told = story(
      { router: 'ok 60s, hung 50s, 503 50s, ok', lb: 'ok 60s, headers 50s, ok' },
      {
        'decode loads_age_seconds@loads': '0.2x12 5+5x9 0.2x40',
        'decode http_requests_active{chat}': '0x12 2x9 0x40',
        'prefill num_prefill_bootstrap_queue_reqs@loads': '0x12 3x9 0x40',
        'decode realtime_tokens_total{decode}': '100+12x12 256x10 256+12x40',
      },
    );
    const after = [135, 140, 145, 150].map((second) => judged(told, second));
    expect(after.some((j) => j?.verdict === 'degraded' && j.detail === 'circuit open')).toBe(true);
    expect(after.some((j) => j?.verdict === 'down')).toBe(false);
  });
});

describe('what we ask for', () => {
  it('trap 15: chats are sent half as often where the queues are long already', () => {
    const crowd = story(
      { router: 'ok 60s, hung', lb: 'ok 60s, hung' },
      {
        'decode num_queue_reqs@loads': '0x12 20x48',
        'decode http_requests_active{chat}': '0x12 20x48',
        'decode realtime_tokens_total{decode}': '100+12x12 256+400x48',
      },
    );
    expect(judged(crowd, 120)?.detail).toBe('overload');
    expect(crowd.deadline('router').isCrowded).toBe(true);
    expect(story({ router: 'ok' }).deadline('router').isCrowded).toBe(false);
  });
});
