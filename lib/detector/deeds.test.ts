import { describe, expect, it } from 'vitest';
import { alarmState, type Deed, type Effect, type Event, type Incident } from '@/lib/model/incident';
import type { Judgement, Verdict } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';
import { perform } from './deeds';
import { type IncidentLife, livesOf, returnedOf, stepIncident } from './incidents';

const T0 = 1_700_000_000_000;
const HOUR = 3_600_000;

/** A stack whose verdict is set by hand. */
function stack(memory: IncidentLife = {}) {
  let serial = 0;
  const event = (at: number, of: string, kind: Event['kind'], sentence: string, rest: Partial<Event> = {}): Effect => ({
    kind: 'event',
    event: { id: `${serial++}`, at, stack: of, kind, sentence, ...rest },
  });
  const told: Effect[] = [];
  return {
    memory,
    told,
    is(verdict: Verdict, second: number, place: Judgement['place'] = { kind: 'decode', target: 's.decode', inferred: false }) {
      const at = T0 + second * 1_000;
      const judgement: Judgement = { verdict, freshness: 'live', since: at, because: '', place };
      const fronts = [{ id: 's.router', judgement }];
      told.push(
        ...stepIncident(
          memory,
          { at, stack: 's' } as Window,
          judgement,
          fronts,
          () => 'it hangs',
          () => undefined,
          event,
        ),
      );
    },
    does(deed: Deed, second: number, record = memory.open ?? memory.last) {
      told.push(...perform(memory, record as Incident, deed, T0 + second * 1_000, event));
    },
    state: (second: number) => alarmState((memory.open ?? memory.last) as Incident, T0 + second * 1_000),
    log: () => told.flatMap((each) => (each.kind === 'event' ? [`${each.event.kind}: ${each.event.sentence}`] : [])),
    changes: () => told.flatMap((each) => (each.kind === 'incident' ? [each.change] : [])),
  };
}
const shelve: Deed = { kind: 'shelve', by: 'Ben', forMs: HOUR, reason: 'vendor is on it' };

describe('an incident', () => {
  it('is new until somebody acknowledges it, and the first one counts', () => {
    const s = stack();
    s.is('hanging', 0);
    expect(s.state(1)).toBe('new');
    s.does({ kind: 'acknowledge', by: 'Ada' }, 5);
    s.does({ kind: 'acknowledge', by: 'Ben' }, 9);
    expect(s.state(10)).toBe('acknowledged');
    expect(s.memory.open?.ack).toEqual({ by: 'Ada', at: T0 + 5_000 });
    expect(s.log().slice(1)).toEqual(['acknowledged: acknowledged by Ada', 'acknowledged: acknowledged by Ben']);
  });

  it('that clears unacknowledged waits for somebody, for a day, and is then done with by an acknowledgement', () => {
    const s = stack();
    s.is('hanging', 0);
    for (const second of [60, 80]) s.is('ok', second);
    expect(s.state(90)).toBe('returned');
    expect(returnedOf(s.memory.last, T0 + HOUR).returned?.id).toBe(s.memory.last?.id);
    expect(returnedOf(s.memory.last, T0 + 25 * HOUR)).toEqual({});
    s.does({ kind: 'acknowledge', by: 'Ada' }, 100);
    expect(s.state(101)).toBe('closed');
    expect(returnedOf(s.memory.last, T0 + HOUR)).toEqual({});
  });

  it('that heals front-end by front-end is remembered as it was at its widest', () => {
    const memory: IncidentLife = {};
    const event = (at: number, of: string, kind: Event['kind'], sentence: string): Effect => ({
      kind: 'event',
      event: { id: '', at, stack: of, kind, sentence },
    });
    const hangs = (second: number, ...ids: string[]) => {
      const at = T0 + second * 1_000;
      const judgement: Judgement = { verdict: ids.length > 0 ? 'hanging' : 'ok', freshness: 'live', since: at, because: '' };
      const fronts = ids.map((id) => ({ id, judgement }));
      return stepIncident(
        memory,
        { at, stack: 's' } as Window,
        judgement,
        fronts,
        () => `${ids.join(' and ')} hang`,
        () => undefined,
        event,
      );
    };
    hangs(0, 'a');
    hangs(5, 'a', 'b');
    hangs(50, 'b');
    expect(memory.open?.sentence).toBe('b hang');
    hangs(60);
    hangs(80);
    expect(memory.last?.sentence).toBe('a and b hang');
  });

  it('keeps its acknowledgement over a relapse within a minute', () => {
    const s = stack();
    s.is('hanging', 0);
    s.does({ kind: 'acknowledge', by: 'Ada' }, 5);
    for (const second of [60, 80, 100]) s.is(second < 100 ? 'ok' : 'hanging', second);
    expect(s.state(101)).toBe('acknowledged');
    expect(new Set(s.told.flatMap((each) => (each.kind === 'incident' ? [each.incident.id] : []))).size).toBe(1);
  });

  it('is out of service while probing of all that it concerns is paused by a person', () => {
    const s = stack();
    s.is('hanging', 0);
    expect(alarmState(s.memory.open as Incident, T0, new Set(['s.router']))).toBe('out of service');
  });

  it('takes a note without changing, and the note is in the log with its text', () => {
    const s = stack();
    s.is('hanging', 0);
    const before = s.memory.open;
    s.does({ kind: 'note', by: 'Ada', text: '**restarting** decode' }, 5);
    expect(s.memory.open).toEqual(before);
    expect(s.told.at(-1)).toMatchObject({ kind: 'event', event: { kind: 'note', by: 'Ada', data: { text: '**restarting** decode' } } });
  });
});

describe('a shelf', () => {
  it('silences until its end, and then the alarm stands as before', () => {
    const s = stack();
    s.is('hanging', 0);
    s.does(shelve, 5);
    expect([s.state(6), s.state(3_604)]).toEqual(['shelved', 'shelved']);
    s.is('hanging', 3_604);
    expect(s.changes()).toEqual(['opened', 'shelved']);
    s.is('hanging', 3_605);
    expect(s.state(3_605)).toBe('new');
    expect(s.changes()).toEqual(['opened', 'shelved', 'unshelved']);
    expect(s.log().at(-1)).toBe('unshelved: the shelf of Ben has ended and the alarm still stands');
  });

  it('holds for the same alarm when it comes again, not for another one', () => {
    const s = stack();
    s.is('hanging', 0);
    s.does(shelve, 5);
    for (const second of [60, 80]) s.is('ok', second);
    s.is('hanging', 600);
    expect(s.state(601)).toBe('shelved');
    for (const second of [700, 720]) s.is('ok', second);
    s.is('hanging', 900, { kind: 'front-end', target: 's.router', inferred: false });
    expect(s.state(901)).toBe('new');
  });

  it('ends when somebody takes it off', () => {
    const s = stack();
    s.is('hanging', 0);
    s.does(shelve, 5);
    s.does({ kind: 'unshelve', by: 'Ada' }, 9);
    expect(s.state(10)).toBe('new');
    for (const second of [60, 80]) s.is('ok', second);
    s.is('hanging', 600);
    expect(s.state(601)).toBe('new');
  });

  it('outlives a restart of ours, for the open incident and for the next of its kind', () => {
    const s = stack();
    s.is('hanging', 0);
    s.does(shelve, 5);
    const open = s.memory.open as Incident;
    expect(new Map(livesOf([open], [])).get('s')?.open?.shelf).toEqual(open.shelf);
    const again = stack(new Map(livesOf([], [{ ...open, closedAt: T0 + 60_000 }])).get('s'));
    again.is('hanging', 600);
    expect(again.state(601)).toBe('shelved');
  });
});
