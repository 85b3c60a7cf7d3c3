import { describe, expect, it } from 'vitest';
import { parseScenario } from '@/lib/scenarios/scenario';
import { soundStandingRun } from './jobs';
import { NO_HARM, type Run } from './outcome';

const text = 'id: X\ntitle: x\nlasts: 100\nstanding: { frontEnds: [{ name: fe, url: http://127.0.0.1:9 }] }\n';
const parsed = parseScenario(text, 'x.yaml');
if (!('scenario' in parsed)) throw new Error(JSON.stringify(parsed));
const { scenario } = parsed;

/** A run in which our own loop was late by this share of a deadline. */
const late = (share: number): Run => ({
  scenario,
  seed: 0,
  speed: 1,
  loads: 'snapshot',
  pace: { kind: 'sockets', scale: 1 },
  lines: [],
  chats: [],
  harm: NO_HARM,
  lags: [{ fromS: 1, toS: 2, share }],
  pauses: [],
  baselines: {},
  realSeconds: 0,
});

async function told(...shares: number[]) {
  const notes: string[] = [];
  const left = shares.map(late);
  const kept = await soundStandingRun(
    { scenario, seed: 0 },
    async () => left.shift() ?? late(0),
    (note) => notes.push(note),
  );
  return { share: kept.lags[0]?.share, notes };
}

describe('a run on a stack that exists', () => {
  it('that our own lag spoilt is void and made again, until one is sound', async () => {
    expect(await told(0.11, 0.01)).toEqual({ share: 0.01, notes: ['X seed 0 void: our own loop was late by 11 % of a deadline'] });
  });

  it('that is void each time is counted with a word on it', async () => {
    const { share, notes } = await told(0.11, 0.09, 0.08, 0.01);
    expect(share).toBe(0.08);
    expect(notes).toHaveLength(3);
    expect(notes[2]).toBe('X seed 0 void: our own loop was late by 8 % of a deadline; counted none the less, after so many tries');
  });
});
