import { describe, expect, it } from 'vitest';
import { type Story, type Told, tell } from './story';

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

const front = (told: Told, second: number, name: string) => told.at(second).stacks[0]?.nodes.find((n) => n.id === name);
const verdictAt = (told: Told, second: number, name: string) => front(told, second, name)?.judgement.verdict;
const place = (told: Told, second: number, name: string) => front(told, second, name)?.judgement.place;
const alarms = (told: Told, name: string) => told.everyVerdict(name).filter((v) => v === 'hanging' || v === 'down');

const deadDecode: Story = {
  seconds: 240,
  chat: { router: 'ok 60s, hung', lb: 'ok 60s, headers' },
  series: {
    ...quiet,
    'decode loads_age_seconds@loads': '0.2x12 5+5x40',
    'prefill num_prefill_bootstrap_queue_reqs@loads': '0x12 1x1 3x40',
    'prefill realtime_tokens_total{prefill_compute}': '100+30x12 490x40',
    'decode realtime_tokens_total{decode}': '100+12x12 256x40',
    'prefill http_requests_active{chat}': '0x12 2x40',
    'decode http_requests_active{chat}': '0x12 2x40',
  },
};

describe('a decode scheduler that stopped while its counters read idle', () => {
  const told = tell(deadDecode);

  it('is called hanging at decode on every front-end within 30 s, with health green beside it', () => {
    for (const name of ['router', 'lb']) {
      expect(verdictAt(told, 90, name)).toBe('hanging');
      expect(place(told, 90, name)).toMatchObject({ kind: 'decode', target: 'decode', inferred: false });
      expect(front(told, 90, name)?.health?.status).toBe(200);
    }
  });

  it('holds while nothing changes, and is never called before it happened', () => {
    expect(
      told
        .everyVerdict('router')
        .slice(90, 240)
        .every((v) => v === 'hanging'),
    ).toBe(true);
    expect(
      told
        .everyVerdict('router')
        .slice(10, 60)
        .every((v) => v === 'ok'),
    ).toBe(true);
  });

  it('puts the stopped decode scheduler on top of the hypotheses and the name below', () => {
    const ranked = told.at(100).stacks[0]?.hypotheses ?? [];
    expect(ranked[0]?.id).toBe('decode-stuck');
    expect(ranked[0]?.evidence.length).toBeGreaterThan(1);
    expect(ranked.find((h) => h.id === 'wrong-model-name')?.logOdds ?? -99).toBeLessThan(-2);
  });

  it('tells it in one sentence that names health, place and count', () => {
    expect(told.at(120).stacks[0]?.sentence).toMatch(
      /^Both front-ends hang \(no header\) since \{.*\}\. \/health says 200 on each\. Requests stop at decode\. \d+ of \d+ probes\.$/,
    );
  });

  it('opens one incident and not more', () => {
    expect(told.effects.filter((e) => e.effect.kind === 'incident' && e.effect.change === 'opened')).toHaveLength(1);
  });
});

describe('where requests stop', () => {
  it('one front-end that forwards nothing is blamed by name and its sibling stays ok', () => {
    const told = tell({ seconds: 150, chat: { router: 'ok 60s, hung', lb: 'ok' }, series: quiet });
    expect(verdictAt(told, 90, 'router')).toBe('hanging');
    expect(place(told, 90, 'router')).toMatchObject({ kind: 'front-end', name: 'router' });
    expect(
      told
        .everyVerdict('lb')
        .slice(10)
        .every((v) => v === 'ok'),
    ).toBe(true);
    expect(told.at(100).stacks[0]?.sentence).toContain('router :30001 hangs');
    expect(told.at(100).stacks[0]?.hypotheses[0]?.id).toBe('front-end-stuck');
  });

  it('decode waiting for KV that no prefill holds is a half-sent request', () => {
    const told = tell({
      seconds: 150,
      chat: { router: 'ok 60s, hung', lb: 'ok' },
      series: { ...quiet, 'decode num_decode_transfer_queue_reqs@loads': '0x13 1x2 2x2 3x40', 'decode http_requests_active{chat}': '0x13 1x2 2x2 3x40' },
    });
    expect(verdictAt(told, 105, 'router')).toBe('hanging');
    expect(place(told, 105, 'router')).toMatchObject({ kind: 'router path', name: 'router' });
    expect(verdictAt(told, 105, 'lb')).toBe('ok');
    expect(told.at(120).stacks[0]?.hypotheses[0]?.id).toBe('router-path-broken');
  });

  it('trap 26: a prefill scheduler that stands is prefill, though the queue grows at decode', () => {
    const told = tell({
      seconds: 150,
      chat: { router: 'ok 60s, role', lb: 'ok 60s, role' },
      series: {
        ...quiet,
        'prefill loads_age_seconds@loads': '0.2x12 5+5x40',
        'prefill realtime_tokens_total{prefill_compute}': '100+30x12 490x40',
        'decode num_decode_transfer_queue_reqs@loads': '0x13 2x2 4x40',
        'decode http_requests_active{chat}': '0x13 2x40',
        'prefill http_requests_active{chat}': '0x13 2x40',
      },
    });
    expect(verdictAt(told, 90, 'router')).toBe('hanging');
    expect(place(told, 90, 'router')?.kind).toBe('prefill');
    expect(front(told, 90, 'router')?.judgement.phase).toBe('no first token');
    expect(told.at(120).stacks[0]?.hypotheses[0]?.id).toBe('prefill-stuck');
  });

  it('computed but never arrived is the KV transfer', () => {
    const told = tell({
      seconds: 150,
      chat: { router: 'ok 60s, hung', lb: 'ok 60s, headers' },
      series: {
        ...quiet,
        'prefill num_prefill_inflight_queue_reqs@loads': '0x13 1x1 2x1 4x40',
        'decode num_decode_transfer_queue_reqs@loads': '0x13 1x1 2x1 4x40',
        'decode realtime_tokens_total{decode}': '100+12x12 256x40',
        'prefill http_requests_active{chat}': '0x13 2x40',
        'decode http_requests_active{chat}': '0x13 2x40',
      },
    });
    expect(place(told, 95, 'router')?.kind).toBe('kv-transfer');
    expect(verdictAt(told, 95, 'lb')).toBe('hanging');
    expect(told.at(120).stacks[0]?.hypotheses[0]?.id).toBe('kv-transfer-stuck');
    expect(told.at(120).stacks[0]?.kv?.verdict).toBe('hanging');
  });

  it('trap 28: both loops turning with an unread bootstrap is prefill', () => {
    const told = tell({
      seconds: 150,
      chat: { router: 'ok 60s, hung', lb: 'ok 60s, headers' },
      series: {
        ...quiet,
        'prefill num_prefill_bootstrap_queue_reqs@loads': '0x13 2x2 4x40',
        'decode num_decode_transfer_queue_reqs@loads': '0x13 2x2 4x40',
        'prefill realtime_tokens_total{prefill_compute}': '100+30x12 490x40',
        'decode realtime_tokens_total{decode}': '100+12x12 256x40',
        'decode http_requests_active{chat}': '0x13 2x40',
        'prefill http_requests_active{chat}': '0x13 2x40',
      },
    });
    expect(place(told, 95, 'router')?.kind).toBe('prefill');
  });

  it('an engine that answers on none of its pages is the response path', () => {
    const told = tell({ seconds: 150, chat: { router: 'ok 60s, hung', lb: 'ok 60s, headers' }, series: quiet, pages: { decode: 'ok 60s, timeout' } });
    expect(verdictAt(told, 90, 'router')).toBe('hanging');
    expect(place(told, 95, 'router')?.kind).toBe('response path');
  });

  it('without any counter a single front-end still hangs, its place left open', () => {
    const told = tell({ seconds: 150, chat: { router: 'ok 60s, hung' }, series: {}, pages: { prefill: 'not-exported', decode: 'not-exported' } });
    expect(verdictAt(told, 95, 'router')).toBe('hanging');
    expect(place(told, 95, 'router')?.inferred).toBe(true);
  });
});

describe('down, misconfigured, degraded', () => {
  it('a decode that refuses is down at decode for the front-end that resets and for the one that hangs', () => {
    const told = tell({ seconds: 120, chat: { router: 'ok 60s, hung', lb: 'ok 60s, reset' }, series: quiet, pages: { decode: 'ok 60s, refused' } });
    for (const name of ['router', 'lb']) {
      expect(verdictAt(told, 82, name)).toBe('down');
      expect(place(told, 82, name)?.kind).toBe('decode');
    }
  });

  it('a wrong name refused with 404 is a setting of that front-end and names the valid ids', () => {
    const told = tell({ seconds: 40, chat: { router: '404', lb: 'ok' }, series: quiet, models: { router: ['big-chat'] } });
    expect(front(told, 20, 'router')?.judgement).toMatchObject({ verdict: 'misconfigured', detail: 'name', place: { kind: 'front-end', name: 'router' } });
    expect(front(told, 20, 'router')?.judgement.because).toContain('big-chat');
    expect(verdictAt(told, 20, 'lb')).toBe('ok');
  });

  it('a missing key is a setting', () => {
    const told = tell({ seconds: 100, chat: { router: 'ok 60s, 401', lb: 'ok' }, series: quiet });
    expect(front(told, 80, 'router')?.judgement).toMatchObject({ verdict: 'misconfigured', detail: 'key' });
  });

  it('fast 503s after a hang whose culprit is still silent keep it hanging there', () => {
    const told = tell({ ...deadDecode, chat: { router: 'ok 60s, hung 20s, 503', lb: 'ok 60s, headers' } });
    expect(front(told, 130, 'router')?.judgement).toMatchObject({ verdict: 'hanging', place: { kind: 'decode' } });
  });

  it('long queues with flowing tokens and late answers are overload, never a hang', () => {
    const told = tell({
      seconds: 240,
      chat: { router: 'ok 60s, slow', lb: 'ok 60s, slow' },
      series: {
        ...quiet,
        'decode num_decode_transfer_queue_reqs@loads': '0x12 12x40',
        'decode realtime_tokens_total{decode}': '100+12x12 256+900x40',
        'decode http_requests_active{chat}': '0x12 30x40',
        'prefill http_requests_active{chat}': '0x12 30x40',
      },
    });
    expect(alarms(told, 'router')).toEqual([]);
    expect(verdictAt(told, 120, 'router')).toBe('degraded');
    expect(told.at(200).stacks[0]?.hypotheses[0]?.id).toBe('overload-not-wedge');
  });

  it('a scheduler that stops after it has answered since its restart is no warm-up', () => {
    const told = tell({
      seconds: 260,
      chat: { router: 'ok 60s, refused 15s, ok 65s, hung', lb: 'ok 60s, reset 15s, ok 65s, headers' },
      series: { ...quiet, 'decode loads_age_seconds@loads': '0.2x12 _x3 0.2x12 5+5x60' },
      pages: { decode: 'ok 60s, refused 15s, ok' },
    });
    expect(verdictAt(told, 130, 'router')).toBe('ok');
    expect(front(told, 175, 'router')?.judgement).toMatchObject({ verdict: 'hanging', place: { kind: 'decode' } });
  });

  it('a silent scheduler that was seen to restart is warming up, and the grace ends', () => {
    const told = tell({
      seconds: 300,
      chat: { router: 'ok 60s, refused 15s, hung', lb: 'ok 60s, reset 15s, headers' },
      series: { ...quiet, 'decode loads_age_seconds@loads': '0.2x12 _x3 5+5x60' },
      pages: { decode: 'ok 60s, refused 15s, ok' },
    });
    expect(front(told, 120, 'router')?.judgement).toMatchObject({ verdict: 'degraded', detail: 'warm-up' });
    expect(verdictAt(told, 290, 'lb')).toBe('hanging');
  });
});

describe('what is no fault', () => {
  it('trap 08: a quiet night whose gauges keep an old value stays ok', () => {
    const told = tell({
      seconds: 280,
      chat: { router: 'ok', lb: 'ok' },
      series: {
        ...quiet,
        'decode num_running_reqs': '24x60',
        'decode realtime_tokens_total{decode}': '500x60',
        'prefill realtime_tokens_total{prefill_compute}': '500x60',
      },
    });
    expect(
      told
        .everyVerdict('router')
        .slice(10)
        .every((v) => v === 'ok'),
    ).toBe(true);
  });

  it('one lost chat is a suspicion at most, and the next good one ends it', () => {
    const told = tell({ seconds: 150, chat: { router: 'ok 60s, hung 12s, ok', lb: 'ok' }, series: quiet });
    expect(alarms(told, 'router')).toEqual([]);
    expect(verdictAt(told, 110, 'router')).toBe('ok');
  });

  it('one reset connection leaves the verdict ok', () => {
    const told = tell({ seconds: 150, chat: { router: 'ok 60s, reset 12s, ok', lb: 'ok' }, series: quiet });
    expect(
      told
        .everyVerdict('router')
        .slice(10)
        .every((v) => v === 'ok'),
    ).toBe(true);
  });

  it('two names for one model are a fact', () => {
    const told = tell({ seconds: 60, chat: { router: 'ok', lb: 'ok' }, series: quiet, models: { router: ['/models/big'], lb: ['big-chat'] } });
    expect(told.at(50).stacks[0]?.judgement.verdict).toBe('ok');
    expect(told.at(50).stacks[0]?.facts.join()).toContain('different model ids');
  });

  it('trap 13: our own pause is unknown for the gap and blames nobody', () => {
    const told = tell({ seconds: 150, chat: { router: 'ok', lb: 'ok' }, series: quiet, pauses: [[61, 86]] });
    expect(verdictAt(told, 86, 'router')).toBe('unknown');
    expect(told.at(86).self.freshness).toBe('blind');
    expect(alarms(told, 'router')).toEqual([]);
    expect(verdictAt(told, 106, 'router')).toBe('ok');
    expect(told.at(120).self.blind).toHaveLength(1);
  });
});

describe('healing', () => {
  it('trap 27: a scheduler that speaks again is worth a heal probe, and its good answer clears the alarm', () => {
    const told = tell({
      ...deadDecode,
      chat: { router: 'ok 60s, hung 60s, ok', lb: 'ok 60s, headers 60s, ok' },
      series: {
        ...deadDecode.series,
        'decode loads_age_seconds@loads': '0.2x12 5+5x11 0.2x40',
        'decode realtime_tokens_total{decode}': '100+12x12 256x12 256+12x40',
      },
    });
    expect(verdictAt(told, 119, 'router')).toBe('hanging');
    expect(told.effects.some((e) => e.effect.kind === 'probe' && e.effect.purpose === 'heal' && e.second >= 120)).toBe(true);
    for (const name of ['router', 'lb']) expect(verdictAt(told, 150, name)).toBe('ok');
    expect(told.effects.filter((e) => e.effect.kind === 'incident' && e.effect.change === 'closed')).toHaveLength(1);
  });

  it('an incident that was open before a restart of ours goes on under its name', () => {
    const open = { id: 'before', stack: 's', openedAt: 1, verdict: 'hanging' as const, targets: ['router'], sentence: 'it hung' };
    const told = tell({ ...deadDecode, chat: { router: 'hung', lb: 'headers' }, seconds: 60, open: [open] });
    expect(told.effects.some((e) => e.effect.kind === 'incident' && e.effect.change === 'opened')).toBe(false);
    expect(told.at(50).stacks[0]?.incident?.id).toBe('before');
    const calm = tell({ seconds: 60, chat: { router: 'ok', lb: 'ok' }, series: quiet, open: [open] });
    expect(calm.effects.filter((e) => e.effect.kind === 'incident').map((e) => e.effect.kind === 'incident' && e.effect.change)).toEqual(['closed']);
  });

  it('the same observations give the same snapshots', () => {
    const strip = (t: Told) => JSON.stringify(t.at(120)).replace(/"p\d+"/g, '"p"');
    expect(strip(tell(deadDecode))).toBe(strip(tell(deadDecode)));
  });
});

describe('a front-end that answers drop by drop', () => {
  it('is degraded, slow, as soon as its first deadline has passed with tokens flowing, and never hanging', () => {
    const told = tell({ seconds: 120, chat: { router: 'drip' }, series: quiet });
    expect(verdictAt(told, 14, 'router')).toBe('degraded');
    expect(front(told, 14, 'router')?.judgement).toMatchObject({ detail: 'slow' });
    expect(front(told, 14, 'router')?.judgement.because).toContain('drop by drop');
    expect(new Set(told.everyVerdict('router').slice(14))).toEqual(new Set(['degraded']));
  });

  it('keeps its good word when one such answer comes after good ones, and loses it with the second', () => {
    const told = tell({ seconds: 150, chat: { router: 'ok 60s, drip' }, series: quiet });
    expect(verdictAt(told, 59, 'router')).toBe('ok');
    expect(alarms(told, 'router')).toEqual([]);
    expect(verdictAt(told, 110, 'router')).toBe('degraded');
  });
});
