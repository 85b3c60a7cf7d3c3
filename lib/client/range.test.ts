import { describe, expect, it } from 'vitest';
import { absolute, fixed, rangeOf, shifted, zoomedOut } from './range';

const NOW = Date.UTC(2026, 11, 1, 14, 5, 33);
const iso = (at: number) => new Date(at).toISOString();
const lengthMin = ({ from, to }: { from: number; to: number }) => (to - from) / 60_000;

describe('the range of a view', () => {
  it('is the last quarter of an hour and live when nothing is asked', () => expect(rangeOf({}, NOW)).toEqual({ from: NOW - 900_000, to: NOW, isLive: true }));

  it('follows the clock while it is relative', () => expect(rangeOf({ from: 'now-1h' }, NOW)).toEqual({ from: NOW - 3_600_000, to: NOW, isLive: true }));

  it('stands still once it has an end', () => expect(rangeOf({ from: iso(NOW - 600_000), to: iso(NOW - 60_000) }, NOW).isLive).toBe(false));

  it('holds a lone second inside, with something after it', () => {
    const range = rangeOf({ t: iso(NOW - 3_600_000) }, NOW);
    expect(range.at).toBe(NOW - 3_600_000);
    expect(range.from).toBeLessThan(NOW - 3_600_000);
    expect(range.to).toBeGreaterThan(NOW - 3_600_000);
    expect(lengthMin(range)).toBe(15);
  });

  it('stays where it is while seconds are stepped', () => {
    const one = rangeOf({ t: iso(NOW - 3_600_000) }, NOW);
    const next = rangeOf({ t: iso(NOW - 3_599_000) }, NOW);
    expect([next.from, next.to]).toEqual([one.from, one.to]);
  });

  it('takes a range that ends before it begins for none', () => expect(rangeOf({ from: iso(NOW), to: iso(NOW - 1) }, NOW).from).toBeLessThan(NOW));
});

describe('moving a range', () => {
  const range = { from: NOW - 1_200_000, to: NOW - 600_000, isLive: false };
  const read = (view: ReturnType<typeof fixed>) => rangeOf(view, NOW);

  it('doubles on zooming out', () => expect(lengthMin(read(zoomedOut(range, NOW)))).toBe(20));

  it('never looks past now', () => {
    expect(read(zoomedOut({ ...range, to: NOW }, NOW)).to).toBeLessThanOrEqual(NOW);
    expect(read(shifted(range, 4, NOW)).to).toBe(NOW);
  });

  it('steps back by a share of itself', () => expect(read(shifted(range, -0.5, NOW)).to).toBe(NOW - 900_000));

  it('is never shorter than a minute', () => expect(lengthMin(read(fixed(NOW - 2_000, NOW)))).toBe(1));
});

describe('a link for others', () => {
  it('holds a live view at this second', () => expect(absolute({ theme: 'dark' }, NOW)).toEqual({ theme: 'dark', t: '2026-12-01T14:05:33Z' }));

  it('writes a relative range out', () => {
    expect(absolute({ from: 'now-15m' }, NOW)).toEqual({ t: '2026-12-01T14:05:33Z', from: '2026-12-01T13:50:33Z', to: '2026-12-01T14:05:33Z' });
  });

  it('writes a relative second out', () => expect(absolute({ t: 'now-1m' }, NOW).t).toBe('2026-12-01T14:04:33Z'));
});
