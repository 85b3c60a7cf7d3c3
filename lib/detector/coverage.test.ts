import { describe, expect, it } from 'vitest';
import type { CoverageView } from '@/lib/model/snapshot';
import { type Story, tell } from './story';

const still = '100x60';
const moves = '100+12x60';

function coverageAt(second: number, story: Omit<Story, 'seconds'>): CoverageView {
  const found = tell({ seconds: second, ...story }).at(second).stacks[0]?.coverage;
  if (!found) throw new Error('no coverage is shown');
  return found;
}

const rankOf = (c: CoverageView, target: string, rank?: string) => c.ranks.find((row) => row.target === target && row.rank === rank);
const pairOf = (c: CoverageView, prefill: string, decode: string) => c.pairs.find((row) => row.prefill === prefill && row.decode === decode);

const two = { 'prefill-0': 'prefill', 'decode-0': 'decode', 'decode-1': 'decode' } as const;

describe('who gave a good answer', () => {
  it('with one pair it is that pair, by any good chat', () => {
    const c = coverageAt(60, { chat: { router: 'ok' } });
    expect(rankOf(c, 'prefill')).toMatchObject({ is: 'answered' });
    expect(rankOf(c, 'decode')?.probe).toMatch(/^p\d+/);
    expect(c.ranks.map((row) => row.because)).toEqual(c.ranks.map(() => expect.stringContaining('there is no other')));
  });

  it('of two decodes it is the one whose tokens moved while the chat was out, and the other was not seen', () => {
    const c = coverageAt(90, {
      chat: { router: 'ok' },
      engines: two,
      series: {
        'decode-0 realtime_tokens_total{decode}': moves,
        'decode-1 realtime_tokens_total{decode}': still,
        'decode-0 num_requests_total': still,
        'decode-1 num_requests_total': still,
      },
    });
    expect(rankOf(c, 'decode-0')).toMatchObject({ is: 'answered', because: 'our chat: no other decode moved meanwhile' });
    expect(rankOf(c, 'decode-1')).toMatchObject({ is: 'not seen', because: 'nothing since we watch' });
  });

  it('where both moved nobody can tell whose answer it was, but each counts its own finished requests', () => {
    const series = { 'decode-0 realtime_tokens_total{decode}': moves, 'decode-1 realtime_tokens_total{decode}': moves };
    const blind = coverageAt(90, { chat: { router: 'ok' }, engines: two, series });
    expect(rankOf(blind, 'decode-1')).toMatchObject({ is: 'cannot be told', because: 'it exports no count of finished requests' });
    const counted = coverageAt(90, { chat: { router: 'ok' }, engines: two, series: { ...series, 'decode-1 num_requests_total': '5+1x60' } });
    expect(rankOf(counted, 'decode-1')).toMatchObject({ is: 'answered', because: 'its own count of finished requests rose' });
    expect(rankOf(counted, 'decode-1')?.probe).toBeUndefined();
  });

  it('of several ranks the silent one is not seen while the others answer', () => {
    const ranks = Object.fromEntries([0, 1, 2].map((rank) => [`decode realtime_tokens_total{decode}#${rank}`, rank === 2 ? still : moves]));
    const c = coverageAt(90, { chat: { router: 'ok' }, series: ranks });
    expect(rankOf(c, 'decode', '0')).toMatchObject({ is: 'answered' });
    expect(rankOf(c, 'decode', '2')).toMatchObject({ is: 'not seen' });
  });

  it('after ten minutes without one it is no longer so, and the last is told', () => {
    const c = coverageAt(800, { chat: { router: 'ok 60s, hung' } });
    expect(rankOf(c, 'decode')).toMatchObject({ is: 'not seen', because: 'nothing since' });
    expect(rankOf(c, 'decode')?.at).toBeGreaterThan(0);
  });

  it('a chat that got no answer proves nobody', () => {
    const c = coverageAt(60, { chat: { router: 'hung' } });
    expect(c.ranks.map((row) => row.is)).toEqual(['not seen', 'not seen']);
  });

  it('is told per pair: the pair that it must have been, and where several work that it cannot be told', () => {
    const quiet = coverageAt(90, {
      chat: { router: 'ok' },
      engines: two,
      kv: true,
      series: { 'decode-0 realtime_tokens_total{decode}': moves, 'decode-1 realtime_tokens_total{decode}': still },
    });
    expect(pairOf(quiet, 'prefill-0', 'decode-0')).toMatchObject({ is: 'answered' });
    expect(pairOf(quiet, 'prefill-0', 'decode-1')).toMatchObject({ is: 'cannot be told' });
    expect(pairOf(coverageAt(60, { chat: { router: 'ok' }, kv: true }), 'prefill', 'decode')).toMatchObject({ is: 'answered' });
  });
});
