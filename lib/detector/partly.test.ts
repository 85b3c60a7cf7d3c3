import { describe, expect, it } from 'vitest';
import { rateOf } from './episode';
import { type Story, type Told, tell } from './story';

/** A well, lightly used PD pair whose loops turn; 5 s a step, ten minutes long. */
const quiet = {
  'prefill loads_age_seconds@loads': '0.2x120',
  'decode loads_age_seconds@loads': '0.2x120',
  'prefill num_queue_reqs@loads': '0x120',
  'prefill num_prefill_bootstrap_queue_reqs@loads': '0x120',
  'prefill num_prefill_inflight_queue_reqs@loads': '0x120',
  'decode num_queue_reqs@loads': '0x120',
  'decode num_decode_transfer_queue_reqs@loads': '0x120',
  'prefill realtime_tokens_total{prefill_compute}': '100+30x120',
  'decode realtime_tokens_total{decode}': '100+12x120',
  'prefill http_requests_active{chat}': '0x120',
  'decode http_requests_active{chat}': '0x120',
  'prefill http_requests_total{chat}': '10+1x120',
  'decode http_requests_total{chat}': '10+1x120',
};
const story = (chat: Story['chat'], series: Record<string, string> = {}, more: Partial<Story> = {}) =>
  tell({ seconds: 300, chat, series: { ...quiet, ...series }, ...more });
const judged = (told: Told, second: number, name = 'router') => told.at(second).stacks[0]?.nodes.find((n) => n.id === name)?.judgement;
const alarms = (told: Told, name = 'router') => told.everyVerdict(name).filter((v) => v === 'hanging' || v === 'down');

/** Rank 2 of four holds requests and finishes none from second 60 on. */
const rank2 = {
  'decode realtime_tokens_total{decode}': '_x120',
  'decode num_queue_reqs@loads': '_x120',
  ...Object.fromEntries([0, 1, 3].map((rank) => [`decode realtime_tokens_total{decode}#${rank}@loads`, '100+12x120'])),
  ...Object.fromEntries([0, 1, 3].map((rank) => [`decode num_queue_reqs#${rank}@loads`, '0x120'])),
  ...Object.fromEntries([0, 1, 3].map((rank) => [`decode num_running_reqs#${rank}@loads`, '1x120'])),
  'decode realtime_tokens_total{decode}#2@loads': '100+12x12 244x107',
  'decode num_running_reqs#2@loads': '0x120',
};

describe('a part of the requests stops', () => {
  const everyFourth = `ok 66s, ${'hung 13s, ok 37s, '.repeat(4)}ok`;
  const told = story(
    { router: everyFourth, lb: `ok 80s, ${'hung 13s, ok 37s, '.repeat(4)}ok` },
    { ...rank2, 'decode num_queue_reqs#2@loads': '0x12 1x2 2x105' },
  );

  it('at one rank that holds and finishes none while the others work, which is named with its rank', () => {
    const j = judged(told, 130);
    expect(j).toMatchObject({ verdict: 'hanging', detail: 'intermittent', place: { kind: 'decode', name: 'decode', rank: '2' } });
    expect(j?.because).toContain('rank 2 of decode');
  });

  it('and good answers between do not refute it', () => {
    const since = told.everyVerdict('router').indexOf('hanging');
    expect(since).toBeGreaterThan(66);
    expect(told.everyVerdict('router').slice(since)).not.toContain('ok');
  });

  it('is told with the load under which it happens, where all silent chats were sent under more than the good ones', () => {
    const whenHung = `1x12 ${'40x3 1x5 '.repeat(4)}1x60`;
    const loaded = story(
      { router: everyFourth, lb: 'ok' },
      { ...rank2, 'decode num_queue_reqs#2@loads': '0x12 1x2 2x105', 'decode num_running_reqs#0@loads': whenHung },
    );
    const because = judged(loaded, 290)?.because;
    expect(because).toMatch(/while more than \d+ were running/);
  });

  it('tells a rate that leaves out the first failure, by which the episode is known at all', () => {
    const episode = (...is: ('good' | 'silent')[]) => is.map((each) => ({ is: each }) as Parameters<typeof rateOf>[0][number]);
    expect(rateOf(episode('good', 'silent', 'good', 'good', 'silent'))).toMatchObject({ failed: 1, of: 4 });
    expect(rateOf(episode('silent', 'silent', 'silent'))).toMatchObject({ failed: 3, of: 3 });
    expect(rateOf(episode('good', 'good'))).toMatchObject({ failed: 0, of: 2 });
    expect(rateOf([])).toBeUndefined();
    const rate = judged(told, 290)?.rate;
    expect(rate?.low).toBeLessThan(0.25);
    expect(rate?.high).toBeGreaterThan(0.25);
  });

  it('and it is over when that rank computes again', () => {
    const healed = story(
      { router: 'ok 66s, hung 13s, ok 20s, hung 13s, ok', lb: 'ok' },
      {
        ...rank2,
        'decode realtime_tokens_total{decode}#2@loads': '100+12x12 244x17 256+12x90',
        'decode num_queue_reqs#2@loads': '0x12 1x2 2x14 0x90',
      },
    );
    expect(judged(healed, 130)?.verdict).toBe('hanging');
    expect(judged(healed, 299)?.verdict).toBe('ok');
  });

  const chats = { router: 'ok 66s, hung 13s, ok 37s, hung 13s, ok', lb: 'ok' };

  it('at an instance that has been gone for long and is still on the list, while others of its kind serve', () => {
    const ghost = story(
      chats,
      {},
      {
        engines: { prefill: 'prefill', decode: 'decode', 'decode-2': 'decode' },
        pages: { 'decode-2': 'ok 60s, refused' },
        workers: { router: ['prefill', 'decode', 'decode-2'] },
      },
    );
    expect(judged(ghost, 140)).toMatchObject({ verdict: 'hanging', detail: 'intermittent', place: { kind: 'router path', name: 'router' } });
    expect(judged(ghost, 140)?.because).toContain('decode-2');
  });

  it('but a stranger on the list whose role nobody tells is no such proof', () => {
    expect(alarms(story(chats, {}, { workers: { router: ['prefill', 'decode', 'http://127.0.0.1:39999'] } }))).toEqual([]);
  });
});

describe('late is not stuck', () => {
  it('chats that wait in engines which compute are a suspicion, and a hang only when they are silent for far longer', () => {
    const told = story(
      { router: 'ok 60s, hung', lb: 'ok 60s, hung' },
      { 'prefill http_requests_active{chat}': '0x12 2x107', 'prefill num_queue_reqs@loads': '0x12 2x107' },
      { seconds: 200 },
    );
    const first = told.everyVerdict('router').findIndex((v) => v !== 'ok' && v !== 'unknown');
    expect(judged(told, first + 10)?.verdict).toBe('degraded');
    expect(judged(told, 190)?.verdict).toBe('hanging');
  });
});

describe('a leak', () => {
  it('is degraded at the hand-over before any chat hangs: the floor of its queue rises and nothing that stands there is given back', () => {
    const told = story({ router: 'ok', lb: 'ok' }, { 'decode num_decode_transfer_queue_reqs@loads': '0x23 2x17 4x17 7x17 10x50' }, { seconds: 420 });
    const j = judged(told, 415);
    expect(j).toMatchObject({ verdict: 'degraded', detail: 'leak', place: { kind: 'kv-transfer' } });
    expect(j?.because).toMatch(/floor of the transfer queue of decode rose/);
  });

  it('is told with a forecast where the engine tells how full its KV room is', () => {
    const filling = { 'decode num_decode_transfer_queue_reqs@loads': '0x23 2x17 4x17 7x17 10x50', 'decode token_usage': '0.2x30 0.2+0.01x60' };
    const told = story({ router: 'ok', lb: 'ok' }, filling, { seconds: 420 });
    expect(judged(told, 415)?.because).toMatch(/KV room is 7\d % full and at this pace full in about \d min/);
  });

  it('is not told of a queue that empties between bursts', () => {
    const told = story({ router: 'ok', lb: 'ok' }, { 'decode num_decode_transfer_queue_reqs@loads': `${'0x2 9x3 '.repeat(20)}` }, { seconds: 420 });
    expect(judged(told, 415)?.verdict).toBe('ok');
  });

  it('is not told of a queue that grows with the traffic that comes through it', () => {
    const busy = {
      'decode num_decode_transfer_queue_reqs@loads': '0x23 2x17 4x79',
      'decode http_requests_total{chat}': '10+20x120',
      'prefill http_requests_total{chat}': '10+20x120',
    };
    const told = story({ router: 'ok', lb: 'ok' }, busy, { seconds: 420 });
    expect(judged(told, 415)?.verdict).toBe('ok');
  });
});

describe('some refused', () => {
  it('trap 10: with 429 among answered ones is shedding, a choice and no hang', () => {
    const told = story({ router: 'ok 60s, 429 12s, ok 12s, 429 12s, ok 12s, 429', lb: 'ok' });
    expect(judged(told, 140)).toMatchObject({ verdict: 'degraded', detail: 'shedding' });
    expect(alarms(told)).toEqual([]);
  });
});

describe('asked out of turn', () => {
  const asked = (told: Told, front: string, from: number, to: number) =>
    told.effects.filter(
      ({ second, effect }) => effect.kind === 'probe' && effect.target === front && effect.purpose === 'confirm' && second >= from && second <= to,
    );

  it('is a sibling when one chat is silent, since it may be asked sooner', () => {
    const told = story({ router: 'ok 60s, hung', lb: 'ok 60s, hung' }, {}, { seconds: 120 });
    const first = ['router', 'lb'].map((name) => told.everyVerdict(name).indexOf('degraded')).filter((s) => s > 0);
    const suspect = Math.min(...first);
    expect(['router', 'lb'].map((name) => asked(told, name, suspect, suspect).length)).toEqual([1, 1]);
  });

  it('is a chat when the only engine of its role refuses connections', () => {
    const told = story({ router: 'ok', lb: 'ok' }, {}, { pages: { decode: 'ok 60s, refused' }, seconds: 100 });
    expect(asked(told, 'router', 60, 70)).toHaveLength(1);
  });

  it('is none when another instance serves: a rolling restart is not to be stumbled over', () => {
    const engines = { prefill: 'prefill', decode: 'decode', 'decode-2': 'decode' } as const;
    const told = story({ router: 'ok', lb: 'ok' }, {}, { engines, pages: { 'decode-2': 'ok 60s, refused' }, seconds: 100 });
    expect(asked(told, 'router', 60, 100)).toHaveLength(0);
  });
});

describe('a rank that is stuck', () => {
  it('makes a front-end hang in part that was only lucky so far, once a sibling has hung there', () => {
    const told = story({ router: 'ok 66s, hung 13s, ok', lb: 'ok' }, { ...rank2, 'decode num_queue_reqs#2@loads': '0x12 1x2 2x105' });
    expect(judged(told, 120, 'lb')).toMatchObject({ verdict: 'hanging', detail: 'intermittent', place: { rank: '2' } });
  });
});
