import { describe, expect, it } from 'vitest';
import type { NodeView } from '@/lib/model/snapshot';
import type { Verdict } from '@/lib/model/verdict';
import { layout } from './layout';
import { promoted } from './promoted';

const decodes = (verdicts: Record<number, Verdict>) =>
  Array.from({ length: 150 }, (_, index) => ({
    id: `d${index}`,
    role: 'decode',
    url: `http://10.0.0.${index}:30000`,
    judgement: { verdict: verdicts[index] ?? 'ok', freshness: 'live', since: 0, because: '' },
  })) as NodeView[];
const told = (verdicts: Record<number, Verdict>) => {
  const nodes = decodes(verdicts);
  return promoted(nodes, layout(nodes))[0]!;
};

describe('what stands above a lane of cells', () => {
  it('is a word that all are well', () => expect(told({})).toMatchObject({ words: 'all 150 ok', slots: [] }));

  it('names the worst first and those of one verdict in the order of their cells', () => {
    const { words, slots } = told({ 7: 'degraded', 90: 'hanging', 12: 'hanging' });
    expect(words).toBe('3 of 150 abnormal');
    expect(slots.map((slot) => slot.id)).toEqual(['d12', 'd90', 'd7']);
  });

  it('says how many there are when not all have room', () => {
    const { words, slots } = told({ 1: 'down', 2: 'down', 3: 'down', 4: 'down', 5: 'down', 6: 'hanging' });
    expect(words).toBe('6 of 150 abnormal, the first 4');
    expect(slots.map((slot) => slot.id)).toEqual(['d6', 'd1', 'd2', 'd3']);
  });
});
