import { describe, expect, it, vi } from 'vitest';
import { fakeClock } from '@/lib/io/fake-clock';
import { hash, nextSlot, startLoop } from './loop';

describe('a loop', () => {
  it('runs on a grid that is shifted by its name, the same at every start', async () => {
    const clock = fakeClock();
    const at: number[] = [];
    const stop = new AbortController();
    startLoop({ name: 'metrics', target: 'a', everyMs: () => 5_000, firstAfterMs: 0, run: async () => void at.push(clock.monotonic()) }, clock, stop.signal);
    await clock.advance(31_000);
    const phase = hash('a metrics') % 5_000;
    expect(at[0]).toBe(0);
    expect(at.slice(1).map((moment) => moment % 5_000)).toEqual(at.slice(1).map(() => phase));
    expect(at.length).toBeGreaterThanOrEqual(6);
    stop.abort();
  });

  it('never overlaps itself and skips the slots that it missed', async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    let out = 0;
    let most = 0;
    let runs = 0;
    const run = async () => {
      out += 1;
      runs += 1;
      most = Math.max(most, out);
      await clock.sleep(12_000);
      out -= 1;
    };
    startLoop({ name: 'slow', everyMs: () => 5_000, firstAfterMs: 0, run }, clock, stop.signal);
    await clock.advance(60_000);
    expect(most).toBe(1);
    expect(runs).toBeLessThanOrEqual(5);
    stop.abort();
  });

  it('counts an exception, says it once, and goes on', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    const clock = fakeClock();
    const stop = new AbortController();
    const run = async () => {
      throw new Error('no luck');
    };
    const loop = startLoop({ name: 'bad', everyMs: () => 1_000, firstAfterMs: 0, run }, clock, stop.signal);
    await clock.advance(10_000);
    expect(loop.state()).toMatchObject({ lastError: 'no luck' });
    expect(loop.state()?.errors).toBeGreaterThan(5);
    expect(said).toHaveBeenCalledTimes(1);
    said.mockRestore();
    stop.abort();
  });

  it('without work is not listed, and starts within a second when there is some', async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    let isActive = false;
    let runs = 0;
    const loop = startLoop(
      { name: 'later', everyMs: () => 30_000, firstAfterMs: 0, isActive: () => isActive, run: async () => void runs++ },
      clock,
      stop.signal,
    );
    await clock.advance(10_000);
    expect([loop.state(), runs]).toEqual([undefined, 0]);
    isActive = true;
    await clock.advance(1_000);
    expect([loop.state()?.name, runs]).toEqual(['later', 1]);
    stop.abort();
  });

  it('ends on the signal, in whatever sleep it is', async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const loop = startLoop({ name: 'x', everyMs: () => 1_000, run: async () => {} }, clock, stop.signal);
    await clock.advance(2_500);
    stop.abort();
    await loop.done;
  });

  it('is never nearer than half a period to its last start', () => {
    expect(nextSlot(4_999, 5_000, 5_000, 0)).toBe(10_000);
    expect(nextSlot(100, 120, 5_000, 0)).toBe(5_000);
  });
});
