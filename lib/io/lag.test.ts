import { describe, expect, it } from 'vitest';
import type { Clock } from './clock';
import { realClock } from './clock';
import { deadline } from './deadline';
import { fakeClock } from './fake-clock';
import { startHeartbeat } from './lag';

describe('our own lag', () => {
  it('shows a block that is still going on, before any timer could run', () => {
    const clock = realClock();
    const start = clock.monotonic();
    const heart = startHeartbeat(clock);
    while (clock.monotonic() - start < 120);
    expect(heart.worstSince(start)).toBeGreaterThan(80);
    heart.stop();
  });

  it('keeps a block that is over, for whoever was out at that time', async () => {
    const clock = realClock();
    const heart = startHeartbeat(clock);
    const start = clock.monotonic();
    while (clock.monotonic() - start < 120);
    await clock.sleep(30);
    while (heart.worstSince(start) === 0) await clock.sleep(5);
    expect(heart.worstSince(start)).toBeGreaterThan(80);
    expect(heart.worstSince(clock.monotonic() + 1)).toBeLessThan(80);
    heart.stop();
  });
});

describe('a deadline', () => {
  it('judges in time when the timer is in time', async () => {
    const clock = fakeClock();
    const fired: number[] = [];
    deadline(clock, 8_000, () => fired.push(clock.monotonic()));
    await clock.advance(10_000);
    expect(fired).toEqual([8_000]);
  });

  /** A clock whose timers run only when told, as late as told. */
  function lateClock() {
    let now = 0;
    const timers: { ms: number; then: () => void }[] = [];
    const after: Clock['after'] = (ms, then) => {
      timers.push({ ms, then });
      return () => {};
    };
    const clock: Clock = { ...fakeClock(), monotonic: () => now, after };
    const fireAt = (at: number) => {
      now = at;
      timers.at(-1)?.then();
    };
    return { clock, timers, fireAt };
  }

  it('waits as much longer as its timer was late, so that bytes in the kernel are read first', () => {
    const { clock, timers, fireAt } = lateClock();
    let fired = 0;
    deadline(clock, 200, () => fired++);
    fireAt(600);
    expect([fired, timers.at(-1)?.ms]).toEqual([0, 400]);
    fireAt(1_000);
    expect(fired).toBe(1);
  });

  it('does not wait for ever on a loop that is always late', () => {
    const { clock, fireAt } = lateClock();
    let fired = 0;
    deadline(clock, 100, () => fired++);
    for (let i = 1; i < 10 && fired === 0; i++) fireAt(i * 100_000);
    expect(fired).toBe(1);
  });
});
