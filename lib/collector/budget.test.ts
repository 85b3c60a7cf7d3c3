import { describe, expect, it } from 'vitest';
import { aborted, ask, type Budget, brokenOff, ended, FRESH, LIMITS, late, lost, mayAbort, sent } from './budget';

const S = 1_000;

/** Probes sent at these seconds, all hung. */
function hung(...seconds: number[]): Budget {
  return seconds.reduce((budget, second) => late(sent(budget, second * S, { id: `p${second}`, purpose: 'steady' }), `p${second}`), FRESH);
}

describe('in normal times', () => {
  it('one steady probe is out at a time', () => {
    const budget = sent(FRESH, 0, { id: 'a', purpose: 'steady' });
    expect(ask(budget, 60 * S, 'steady')).toMatchObject({ ok: false, why: expect.stringContaining('inside its deadline') });
    expect(ask(ended(budget, 'a', true), 60 * S, 'steady')).toEqual({ ok: true });
  });

  it('trap 15: no two probes of any purpose are nearer than 10 s, and it is said when the next may go', () => {
    const budget = ended(sent(FRESH, 0, { id: 'a', purpose: 'steady' }), 'a', false);
    for (const purpose of ['steady', 'confirm', 'heal', 'experiment'] as const) {
      expect(ask(budget, 9_999, purpose)).toMatchObject({ ok: false, at: 10 * S });
      expect(ask(budget, 10 * S, purpose)).toEqual({ ok: true });
    }
  });
});

describe('while everything hangs', () => {
  it('a second probe may follow as witness, the third place is kept for a heal probe for a minute', () => {
    expect(ask(hung(0), 10 * S, 'steady')).toEqual({ ok: true });
    expect(ask(hung(0, 10), 20 * S, 'steady')).toMatchObject({ ok: false, at: 70 * S });
    expect(ask(hung(0, 10), 20 * S, 'heal')).toEqual({ ok: true });
    expect(ask(hung(0, 10), 70 * S, 'steady')).toEqual({ ok: true });
  });

  it('never are more than three out: a heal probe closes the oldest', () => {
    const budget = hung(0, 10, 70);
    expect(ask(budget, 100 * S, 'confirm')).toMatchObject({ ok: false });
    expect(ask(budget, 100 * S, 'heal')).toEqual({ ok: true, close: 'p0' });
  });

  it('a blind probe closes the oldest after five minutes, and leaves the last abort to a heal probe', () => {
    const budget = hung(0, 10, 70);
    expect(ask(budget, 100 * S, 'steady')).toMatchObject({ ok: false, at: 370 * S });
    expect(ask(budget, 370 * S, 'steady')).toEqual({ ok: true, close: 'p0' });
    const once = aborted(budget, 300 * S);
    expect(ask(once, 400 * S, 'steady')).toMatchObject({ ok: false, at: 901 * S });
    expect(ask(once, 400 * S, 'heal')).toEqual({ ok: true, close: 'p0' });
    const twice = aborted(once, 310 * S);
    expect(ask(twice, 400 * S, 'heal')).toMatchObject({ ok: false, at: 901 * S });
  });

  it('a false witness does not burn both aborts at once', () => {
    const healed = late(sent(hung(10, 70), 100 * S, { id: 'h', purpose: 'heal' }, true), 'h');
    expect(ask(healed, 120 * S, 'heal')).toMatchObject({ ok: false, at: 160 * S });
    expect(ask(healed, 160 * S, 'heal')).toMatchObject({ ok: true });
  });
});

describe('when only some hang', () => {
  it('all three places sample the rate', () => {
    const mixed = late(sent(ended(sent(hung(0), 10 * S, { id: 'good', purpose: 'steady' }), 'good', true), 20 * S, { id: 'b', purpose: 'steady' }), 'b');
    expect(ask(mixed, 30 * S, 'steady')).toEqual({ ok: true });
  });
});

describe('when answers do not end', () => {
  it('each that we break off is an abort, and after two nothing is asked until one is free again', () => {
    const once = brokenOff(ended(sent(FRESH, 0, { id: 'a', purpose: 'steady' }), 'a', false), 1 * S);
    expect(ask(once, 20 * S, 'steady')).toEqual({ ok: true });
    const twice = brokenOff(ended(sent(once, 20 * S, { id: 'b', purpose: 'steady' }), 'b', false), 21 * S);
    expect(ask(twice, 40 * S, 'steady')).toMatchObject({ ok: false, at: 602 * S, why: expect.stringContaining('do not end') });
    expect(ask(ended(sent(twice, 602 * S, { id: 'c', purpose: 'steady' }), 'c', true), 620 * S, 'steady')).toEqual({ ok: true });
  });
});

describe('after a heal', () => {
  const heal = (budget: Budget) => ended(sent(budget, 100 * S, { id: 'h', purpose: 'heal' }), 'h', true);

  it('one good probe is not enough to call the older ones lost, a second is', () => {
    const once = heal(hung(0, 10));
    expect(lost(once)).toEqual([]);
    expect(lost(ended(sent(once, 112 * S, { id: 's', purpose: 'steady' }), 's', true))).toEqual(['p0', 'p10']);
  });

  it('good steady probes alone make nothing lost: the fault may come and go', () => {
    let budget = hung(0, 10);
    for (const at of [20, 30, 40]) budget = ended(sent(budget, at * S, { id: `g${at}`, purpose: 'steady' }), `g${at}`, true);
    expect(lost(budget)).toEqual([]);
  });
});

describe('over hours of a fault', () => {
  it('no strategy gets more than the limits through', () => {
    let budget = FRESH;
    const sentAt: number[] = [];
    const abortsAt: number[] = [];
    for (let now = 0; now < 3 * 3_600 * S; now += S) {
      budget = budget.out.reduce((b, out) => (now - out.sentAt >= 8 * S ? late(b, out.id) : b), budget);
      for (const purpose of ['heal', 'confirm', 'experiment', 'steady'] as const) {
        const permit = ask(budget, now, purpose);
        if (!permit.ok) continue;
        if (permit.close !== undefined) {
          budget = ended(aborted(budget, now), permit.close, false);
          abortsAt.push(now);
        }
        budget = sent(budget, now, { id: `${now}`, purpose }, permit.close !== undefined);
        sentAt.push(now);
      }
      expect(budget.out.length).toBeLessThanOrEqual(LIMITS.unfinished);
    }
    expect(abortsAt.length).toBeGreaterThan(10);
    for (const at of abortsAt) expect(abortsAt.filter((other) => other >= at - 600 * S && other <= at).length).toBeLessThanOrEqual(2);
    for (const [i, at] of sentAt.entries()) if (i > 0) expect(at - (sentAt[i - 1] ?? 0)).toBeGreaterThanOrEqual(10 * S);
  });

  it('an abort is free again ten minutes later, and a second for the way to the other side', () => {
    const budget = aborted(aborted(FRESH, 0), 100 * S);
    expect(mayAbort(budget, 600 * S, 0)).toEqual({ ok: false, at: 601 * S });
    expect(mayAbort(budget, 601 * S, 0)).toEqual({ ok: true });
    expect(mayAbort(budget, 601 * S, 1)).toEqual({ ok: false, at: 701 * S });
  });
});
