import { describe, expect, test } from 'vitest';
import { aKept, anEvent, anExperiment, anIncident, aProbe } from '@/lib/stores/examples';
import { timeline } from './timeline';

const AT = Date.UTC(2026, 10, 5, 14);
const incident = anIncident({ openedAt: AT });
const changed = (id: string, at: number, target: string, from: string | undefined, to: string) =>
  anEvent({ id, at, target, sentence: `${target}: ${from ?? 'not judged'} to ${to}`, data: { from, to } });

describe('the timeline', () => {
  const kept = aKept({
    at: AT,
    probes: [
      aProbe({ id: 'hung 2', sentAt: AT - 5_000, outcome: 'zero-bytes', late: true }),
      aProbe({ id: 'hung 1', sentAt: AT - 15_000, outcome: 'zero-bytes', late: true, sentence: 'zero bytes after 8.0 s' }),
      aProbe({ id: 'good', sentAt: AT - 25_000 }),
    ],
  });
  const decode = kept.first.nodes.find((node) => node.id === 'lab.decode');
  if (decode) decode.schedulerAgeS = 20;
  const entries = timeline({
    incident,
    kept,
    events: [
      anEvent({ id: 'n', at: AT + 60_000, kind: 'note', incident: 'i1', by: 'Ada', sentence: 'note by Ada', data: { text: '**x**' } }),
      anEvent({ id: 'o', at: AT + 1_000, kind: 'incident-opened', incident: 'i1', sentence: 'it hangs' }),
      changed('v', AT + 500, 'lab.router', 'ok', 'hanging'),
      changed('w', AT + 700, 'lab.balancer', 'ok', 'hanging'),
      changed('start', AT - 90_000, 'lab.router', undefined, 'unknown'),
      anEvent({ id: 'm', at: AT + 70_000, until: AT + 80_000, kind: 'mark', by: 'Ben', sentence: 'rolled back' }),
      anEvent({ id: 'other', at: AT, stack: 'elsewhere', sentence: 'not ours' }),
    ],
    experiments: [anExperiment({ startedAt: AT + 30_000, endedAt: AT + 40_000 })],
  });

  test('tells evidence, verdicts, experiments and deeds in their order', () => {
    expect(entries.map((each) => each.what)).toEqual([
      'last good chat',
      'frozen since',
      'first bad chat',
      'verdict',
      'verdict',
      'opened',
      'experiment',
      'experiment',
      'note',
      'mark',
    ]);
  });

  test('leads from the evidence to the raw record, and takes the first of the chats that hang', () => {
    expect(entries.find((each) => each.what === 'first bad chat')).toMatchObject({ at: AT - 15_000, lead: { kind: 'probe', id: 'hung 1' } });
    expect(entries.find((each) => each.what === 'frozen since')).toMatchObject({ at: AT - 20_000, lead: { kind: 'target', id: 'lab.decode' } });
  });

  test('marks the first that went bad, once', () => {
    expect(entries.filter((each) => each.isFirstOut).map((each) => each.key)).toEqual(['v']);
  });

  test('gives a note its text and a region its end', () => {
    expect(entries.find((each) => each.what === 'note')).toMatchObject({ by: 'Ada', note: '**x**' });
    expect(entries.find((each) => each.what === 'mark')?.sentence).toBe(`rolled back (until {${new Date(AT + 80_000).toISOString()}})`);
  });

  test('tells what is left where nothing was taken', () => {
    expect(timeline({ incident, events: [anEvent({ id: 'o', at: AT, kind: 'incident-opened', sentence: 'it hangs' })] })).toHaveLength(1);
  });
});
