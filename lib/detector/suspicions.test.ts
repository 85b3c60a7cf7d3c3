import { describe, expect, it } from 'vitest';
import { hypotheses } from '@/lib/hypotheses';
import type { Citation, Ranked } from '@/lib/model/hypothesis';
import { type Story, tell } from './story';

/** A well, lightly used PD pair whose loops turn; 5 s a step, and well enough told that every suspicion has something to look at. */
const quiet = {
  'prefill loads_age_seconds@loads': '0.2x60',
  'decode loads_age_seconds@loads': '0.2x60',
  'prefill num_queue_reqs@loads': '0x60',
  'decode num_queue_reqs@loads': '0x60',
  'prefill num_prefill_bootstrap_queue_reqs@loads': '0x60',
  'prefill num_prefill_inflight_queue_reqs@loads': '0x60',
  'decode num_decode_prealloc_queue_reqs@loads': '0x60',
  'decode num_decode_transfer_queue_reqs@loads': '0x60',
  'decode num_decode_retracted_queue_reqs@loads': '0x60',
  'decode token_usage': '0.2x60',
  'prefill realtime_tokens_total{prefill_compute}': '100+30x60',
  'decode realtime_tokens_total{decode}': '100+12x60',
  'decode generation_tokens_total': '100+12x60',
  'decode num_aborted_requests_total': '3x60',
  'prefill num_bootstrap_failed_reqs_total': '0x60',
  'decode num_transfer_failed_reqs_total': '0x60',
  'prefill http_requests_active{chat}': '0x60',
  'decode http_requests_active{chat}': '0x60',
  'prefill http_requests_total{chat}': '10+1x60',
  'decode http_requests_total{chat}': '10+1x60',
  'prefill http_responses_total{chat:5xx}': '0x60',
};
const both = { router: 'ok 60s, hung', lb: 'ok 60s, headers' };
const well = { router: 'ok', lb: 'ok' };
const still = {
  'prefill realtime_tokens_total{prefill_compute}': '100+30x12 490x48',
  'decode realtime_tokens_total{decode}': '100+12x12 256x48',
  'decode generation_tokens_total': '100+12x12 256x48',
};
const workers = { router: ['prefill', 'decode'], lb: ['prefill', 'decode'] };
const story = (chat: Story['chat'], series: Record<string, string> = {}, more: Partial<Story> = {}): Story => ({
  seconds: 150,
  chat,
  series: { ...quiet, ...series },
  workers,
  ...more,
});

/** For each suspicion the story in which it is the truth, and the second by which it leads. */
const TRUTHS: Record<keyof typeof hypotheses, [Story, number]> = {
  'front-end-stuck': [story({ router: 'ok 60s, hung', lb: 'ok' }), 100],
  'router-path-broken': [
    story(
      { router: 'ok 60s, hung', lb: 'ok' },
      { 'decode num_decode_transfer_queue_reqs@loads': '0x13 1x2 2x2 3x43', 'decode http_requests_active{chat}': '0x13 1x2 2x2 3x43' },
    ),
    120,
  ],
  'ghost-worker': [
    story(
      { router: 'ok 60s, hung 12s, ok 24s, hung 12s, ok', lb: 'ok' },
      {},
      {
        engines: { prefill: 'prefill', decode: 'decode', 'decode-2': 'decode' },
        pages: { 'decode-2': 'ok 60s, refused' },
        workers: { router: ['prefill', 'decode', 'decode-2'], lb: ['prefill', 'decode'] },
      },
    ),
    125,
  ],
  'circuit-open': [story({ router: 'ok 60s, 503', lb: 'ok' }), 110],
  'unknown-name-hangs': [story({ router: 'ok 60s, hung', lb: 'ok' }, { ...still }, { models: { router: ['other'] } }), 100],
  'prefill-stuck': [
    story(both, {
      ...still,
      'prefill loads_age_seconds@loads': '0.2x12 5+5x48',
      'decode num_decode_transfer_queue_reqs@loads': '0x13 2x2 4x45',
      'prefill http_requests_active{chat}': '0x13 4x47',
      'decode http_requests_active{chat}': '0x13 4x47',
    }),
    100,
  ],
  'abort-damage': [
    story(both, {
      ...still,
      'decode num_aborted_requests_total': '3x11 4x49',
      'prefill num_prefill_bootstrap_queue_reqs@loads': '0x13 2x2 4x45',
      'decode num_decode_transfer_queue_reqs@loads': '0x13 2x2 4x45',
      'prefill http_requests_active{chat}': '0x13 4x47',
      'decode http_requests_active{chat}': '0x13 4x47',
    }),
    100,
  ],
  'long-prefill': [
    story(
      { router: 'ok 60s, slow', lb: 'ok 60s, slow' },
      {
        'prefill realtime_tokens_total{prefill_compute}': '100+30x12 490+9000x48',
        'decode realtime_tokens_total{decode}': '100+12x12 256x48',
        'prefill num_queue_reqs@loads': '0x12 6x48',
      },
    ),
    110,
  ],
  'kv-transfer-stuck': [
    story(both, {
      'decode realtime_tokens_total{decode}': '100+12x12 256x48',
      'decode generation_tokens_total': '100+12x12 256x48',
      'prefill num_prefill_inflight_queue_reqs@loads': '0x13 2x2 4x45',
      'decode num_decode_transfer_queue_reqs@loads': '0x13 2x2 4x45',
      'prefill http_requests_active{chat}': '0x13 4x47',
      'decode http_requests_active{chat}': '0x13 4x47',
    }),
    100,
  ],
  'stale-peer': [
    story(
      { router: 'ok 60s, hung', lb: 'ok 60s, headers' },
      {
        'decode realtime_tokens_total{decode}': '100+12x12 256x48',
        'decode generation_tokens_total': '100+12x12 256x48',
        'prefill num_prefill_inflight_queue_reqs@loads': '0x13 2x2 4x45',
        'decode num_decode_transfer_queue_reqs@loads': '0x13 2x2 4x45',
      },
      { pages: { prefill: 'ok 45s, refused 15s, ok' } },
    ),
    110,
  ],
  'slot-leak': [
    story(
      well,
      {
        'decode num_decode_transfer_queue_reqs@loads': '0x1 2x1 0x1 3x1 0x4 2x1 1x1 3x1 1x5 2x1 4x1 2x6 5x1 3x8 4x1 6x1 4x8 5x16',
        'decode num_aborted_requests_total': '3x10 4x10 5x10 9x30',
      },
      { seconds: 240 },
    ),
    235,
  ],
  'decode-stuck': [
    story(both, {
      ...still,
      'decode loads_age_seconds@loads': '0.2x12 5+5x48',
      'prefill num_prefill_bootstrap_queue_reqs@loads': '0x12 1x1 3x47',
      'prefill http_requests_active{chat}': '0x12 2x48',
      'decode http_requests_active{chat}': '0x12 2x48',
    }),
    100,
  ],
  'rank-stuck': [
    story(
      { router: 'ok 60s, hung 12s, ok 24s, hung 12s, ok', lb: 'ok' },
      {
        'decode realtime_tokens_total{decode}': '_x60',
        ...Object.fromEntries([0, 1, 3].map((rank) => [`decode realtime_tokens_total{decode}#${rank}`, '100+12x60'])),
        'decode realtime_tokens_total{decode}#2': '100+12x12 256x48',
        'decode num_queue_reqs@loads': '_x60',
        'decode num_queue_reqs#0@loads': '0x60',
        'decode num_queue_reqs#2@loads': '0x13 1x4 2x43',
      },
    ),
    120,
  ],
  'retraction-jam': [
    story(both, {
      ...still,
      'decode num_decode_retracted_queue_reqs@loads': '0x12 3x48',
      'prefill num_prefill_bootstrap_queue_reqs@loads': '0x13 2x2 4x45',
    }),
    100,
  ],
  'kv-room-full': [
    story(
      { router: 'ok 60s, slow', lb: 'ok 60s, slow' },
      {
        'decode token_usage': '0.2x12 0.99x48',
        'decode num_retracted_requests_total': '0x12 1+1x48',
        'decode num_decode_prealloc_queue_reqs@loads': '0x12 3x48',
      },
    ),
    110,
  ],
  'engine-stuck': [
    {
      seconds: 150,
      chat: { vllm: 'ok 60s, headers' },
      engines: { vllm: 'unified' },
      kinds: { vllm: 'vllm' },
      series: { 'vllm engine_steps_total': '100+6x12 172x48', 'vllm num_running_reqs': '0x60', 'vllm generation_tokens_total': '100+6x12 172x48' },
    },
    100,
  ],
  'engine-paused': [story(both, { ...still, 'decode num_queue_reqs@loads': '0x12 1x1 3x47', 'decode http_requests_active{chat}': '0x12 3x48' }), 100],
  'detokenizer-stuck': [
    story(both, {
      'decode generation_tokens_total': '100+12x12 256x48',
      'decode realtime_tokens_total{decode}': '100+12x12 256+40x48',
      'decode http_requests_active{chat}': '0x13 4x47',
      'prefill http_requests_active{chat}': '0x13 4x47',
    }),
    100,
  ],
  'http-process-mute': [story(both, still, { pages: { decode: 'ok 60s, timeout' } }), 110],
  'engine-gone': [story({ router: 'ok 60s, hung', lb: 'ok 60s, reset' }, still, { pages: { decode: 'ok 60s, refused' } }), 100],
  'engine-errors': [story({ router: 'ok 60s, 500', lb: 'ok 60s, headers' }, { ...still, 'prefill http_responses_total{chat:5xx}': '0x12 1+1x48' }), 100],
  'warming-up': [
    story(
      { router: 'ok 60s, hung', lb: 'ok 60s, headers' },
      { ...still, 'decode loads_age_seconds@loads': '0.2x12 0x4 2+5x44', 'prefill num_prefill_bootstrap_queue_reqs@loads': '0x16 2x44' },
      { pages: { decode: 'ok 55s, refused 20s, ok' } },
    ),
    95,
  ],
  'wrong-model-name': [story({ router: '404', lb: 'ok' }, {}, { models: { router: ['other'] } }), 60],
  'key-missing': [story({ router: 'ok 60s, 401', lb: 'ok' }), 100],
  'overload-not-wedge': [
    story(
      { router: 'ok 60s, slow', lb: 'ok 60s, slow' },
      {
        'decode num_queue_reqs@loads': '0x12 9x48',
        'decode realtime_tokens_total{decode}': '100+12x12 256+400x48',
        'decode generation_tokens_total': '100+12x12 256+400x48',
      },
    ),
    110,
  ],
  'observer-blind': [story(well, {}, { pauses: [[70, 100]] }), 104],
};

const told = Object.entries(TRUTHS).map(([id, [truth, second]]) => ({ id, second, of: tell(truth) }));
const keyOf = (cite: Citation) => JSON.stringify(cite.kind === 'series' ? [cite.target, cite.key] : cite);
/** The same fault told otherwise. */
const variants = Object.entries<[Story, number]>({
  'ghost-worker': [
    story(
      { router: 'ok 60s, hung 12s, ok 24s, hung 12s, ok', lb: 'ok' },
      {},
      { workers: { ...workers, router: ['prefill', 'decode', 'http://192.0.2.10:30002'] }, strangers: 'decode' },
    ),
    120,
  ],
}).map(([id, [truth, second]]) => ({ id, second, of: tell(truth) }));
/** Stacks that tell next to nothing of themselves. */
const bare = Object.entries<Story>({
  'no pages': { seconds: 120, chat: both, pages: { prefill: 'not-exported', decode: 'not-exported' } },
  'one engine': { seconds: 120, chat: { engine: 'ok 60s, hung' }, engines: { engine: 'unified' } },
  'front-ends alone': { seconds: 120, chat: { router: 'ok 60s, reset', lb: 'ok' }, engines: {} },
}).map(([id, of]) => ({ id, second: 100, of: tell(of) }));
const everyMoment = [...told, ...variants, ...bare].flatMap(({ id, second, of }) => [50, 75, second].map((at) => ({ id, at, ranked: of.weighed(at) })));

describe('the suspicions', () => {
  it('are at least fourteen', () => {
    expect(Object.keys(hypotheses).length).toBeGreaterThanOrEqual(14);
  });

  it.each([...told, ...variants])('$id leads where it is the truth', ({ id, second, of }) => {
    expect(of.weighed(second).slice(0, 3).map(shown)).toEqual([expect.stringContaining(id), expect.anything(), expect.anything()]);
  });

  it.each(Object.keys(hypotheses))('%s loses where it is not the truth, for a reason that it tells', (id) => {
    const lost = everyMoment.filter((moment) => moment.id !== id).map((moment) => moment.ranked.find((one) => one.id === id));
    expect(lost.some((one) => (one?.logOdds ?? 0) < -3 && one?.evidence.some((each) => each.weight < 0))).toBe(true);
  });

  it('are all unlikely while all is well', () => {
    expect(
      tell(story(well))
        .weighed(100)
        .filter((one) => one.logOdds > -2.5)
        .map(shown),
    ).toEqual([]);
  });

  it('tell no fact twice: within one, no two sentences lean on the same record', () => {
    const twice = everyMoment.flatMap(({ id, at, ranked }) =>
      ranked.flatMap((one) => {
        const keys = one.evidence.flatMap((each) => [...new Set(each.cites.map(keyOf))]);
        return keys.filter((key, i) => keys.indexOf(key) !== i).map((key) => `${one.id} in "${id}" at ${at}: ${key}`);
      }),
    );
    expect([...new Set(twice)]).toEqual([]);
  });

  it('link every sentence to a raw record', () => {
    const unlinked = everyMoment.flatMap(({ ranked }) =>
      ranked.flatMap((one) => one.evidence.filter((each) => each.cites.length === 0).map((each) => `${one.id}: ${each.because}`)),
    );
    expect([...new Set(unlinked.filter((words) => !/not split here|is known here|ranks apart/.test(words)))]).toEqual([]);
  });

  it('add up: log-odds are the prior and the sum of what is shown', () => {
    for (const one of everyMoment.flatMap((moment) => moment.ranked)) {
      const sum = one.evidence.reduce((all, each) => all + each.weight, one.prior);
      expect(one.logOdds).toBeCloseTo(sum, 1);
    }
  });

  it('each tell what would settle it', () => {
    for (const one of everyMoment.flatMap((moment) => moment.ranked)) expect(one.next.length, one.id).toBeGreaterThan(30);
  });

  it('are shown all, losers beside the winner, once there is something to explain', () => {
    const wedge = told.find(({ id }) => id === 'decode-stuck');
    expect(wedge?.of.at(100).stacks[0]?.hypotheses).toHaveLength(Object.keys(hypotheses).length);
    expect(wedge?.of.at(40).stacks[0]?.hypotheses).toHaveLength(5);
  });
});

function shown(one: Ranked): string {
  return `${one.id} ${one.logOdds}: ${one.evidence.map((each) => `${each.weight} ${each.because}`).join(' | ')}`;
}
