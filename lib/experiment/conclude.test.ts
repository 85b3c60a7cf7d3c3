import { describe, expect, it } from 'vitest';
import type { ExperimentCell, ExperimentTry } from '@/lib/model/experiment';
import { conclude } from './conclude';

type Spell = 'ok' | 'late' | 'hang' | '404' | '503' | 'cut';
const OUTCOMES = { ok: 'ok', late: 'ok', hang: 'zero-bytes', '404': 'rejected', '503': 'rejected', cut: 'closed-by-us' } as const;
const one = (spell: Spell): ExperimentTry => ({
  probe: 'p',
  outcome: OUTCOMES[spell],
  late: spell === 'hang' || spell === 'late',
  ended: spell !== 'hang',
  bytes: 0,
  elapsedMs: 1,
  sentence: spell === '503' ? '503 after 4 ms: no workers' : '',
});
const cell = (target: string, whose: ExperimentCell['whose'], ...tries: Spell[]): ExperimentCell => ({
  target,
  model: `${whose}-of-${target}`,
  whose,
  tries: tries.map(one),
});
const whole = (target: string, ...tries: Spell[]): ExperimentCell => ({ ...cell(target, 'own', ...tries), stream: false });
const long = (target: string, ...tries: Spell[]): ExperimentCell => ({ ...cell(target, 'own', ...tries), prompt: 'long' });
const said = (...cells: ExperimentCell[]) => conclude(cells, (id) => id);

describe('an experiment concludes', () => {
  it('systemic when every front-end hangs with every real id, surely or less so by the number of tries', () => {
    const all = [cell('a', 'own', 'hang'), cell('a', 'sibling', 'hang'), cell('b', 'own', 'hang'), cell('b', 'sibling', 'hang')];
    expect(said(...all)).toMatchObject({ kind: 'systemic', confidence: 'high', rate: { failed: 4, of: 4 }, sentence: expect.stringContaining('a and b') });
    expect(said(cell('a', 'own', 'hang'), cell('a', 'sibling'), cell('b', 'own', 'hang'))).toMatchObject({ kind: 'systemic', confidence: 'medium' });
  });

  it('systemic also while an unknown name is refused at once, and takes that as a sign that the front-end itself works', () => {
    expect(said(cell('a', 'own', 'hang', 'hang'), cell('a', 'nonsense', '404'), cell('b', 'own', 'hang', 'hang'), cell('b', 'sibling', '404'))).toMatchObject({
      kind: 'systemic',
      sentence: expect.stringMatching(/refused at once by a, so the front-end itself works/),
    });
  });

  it('no more than that it hangs when one front-end alone was asked', () => {
    expect(said(cell('a', 'own', 'hang', 'hang'))).toMatchObject({ kind: 'alone', confidence: 'high', sentence: expect.stringContaining('what is behind it') });
  });

  it('one front-end when only that one hangs, with any id', () => {
    expect(
      said(cell('a', 'own', 'hang', 'hang'), cell('a', 'sibling', 'hang', 'hang'), cell('b', 'own', 'ok', 'ok'), cell('b', 'sibling', 'ok', 'ok')),
    ).toMatchObject({ kind: 'one-front-end', confidence: 'high', sentence: expect.stringMatching(/^a hangs/) });
  });

  it('the name when own ids work and a sibling’s is refused', () => {
    expect(said(cell('a', 'own', 'ok'), cell('a', 'sibling', '404'), cell('b', 'own', 'ok'), cell('b', 'sibling', 'ok'))).toMatchObject({
      kind: 'name',
      sentence: expect.stringContaining('refused'),
    });
  });

  it('hangs on unknown names when only a name that it does not serve hangs', () => {
    expect(said(cell('a', 'own', 'ok'), cell('a', 'nonsense', 'hang'))).toMatchObject({
      kind: 'hangs-on-unknown-names',
      sentence: expect.stringMatching(/^a /),
    });
    expect(said(cell('a', 'own', 'ok'), cell('a', 'sibling', 'hang'), cell('b', 'own', 'ok')).kind).toBe('hangs-on-unknown-names');
  });

  it('nothing hangs, whatever becomes of the nonsense id, and below which rate it may still', () => {
    expect(said(cell('a', 'own', 'ok', 'ok'), cell('a', 'nonsense', '404'))).toMatchObject({
      kind: 'none-hangs',
      rate: { failed: 0, of: 2 },
      sentence: expect.stringMatching(/over or hits less than 66 %/),
    });
    expect(said(cell('a', 'own', 'ok', 'late')).sentence).toContain('1 came past the deadline');
  });

  it('intermittent with its rate when the same question hangs and is answered', () => {
    expect(said(cell('a', 'own', 'hang', 'ok', 'ok', 'ok'), cell('b', 'own', 'ok', 'ok'))).toMatchObject({
      kind: 'intermittent',
      sentence: expect.stringMatching(/^a hangs now and then: 1 of 4 chats \(95 %: 5-70 %\)/),
      rate: { failed: 1, of: 6 },
    });
  });

  it('intermittent, and not a way of asking or a name, when one of those contradicts itself', () => {
    expect(said(cell('a', 'own', 'ok', 'ok'), whole('a', 'hang', 'ok')).kind).toBe('intermittent');
    expect(said(cell('a', 'own', 'ok', 'ok'), cell('a', 'nonsense', 'hang', 'ok')).kind).toBe('intermittent');
  });

  it('failing now and then when some chats are refused fast among good ones', () => {
    expect(said(cell('a', 'own', 'ok', 'ok'), whole('a', '503', 'ok'))).toMatchObject({
      kind: 'fails',
      confidence: 'low',
      sentence: expect.stringMatching(/a refuses or breaks off 1 of 4 chats: 503/),
    });
  });

  it('a hang on unknown names surely only when its own id was answered again after it', () => {
    const at = (moment: number, of: ExperimentCell) => ({ ...of, tries: of.tries.map((one, index) => ({ ...one, at: moment + index * 20 })) });
    const later = said(at(0, cell('a', 'own', 'ok', 'ok')), at(10, cell('a', 'nonsense', 'hang')));
    const before = said(at(0, cell('a', 'own', 'ok')), at(10, cell('a', 'nonsense', 'hang')));
    expect([later.confidence, before.confidence]).toEqual(['high', 'low']);
    expect(later.kind).toBe('hangs-on-unknown-names');
  });

  it('failing when the answer is a fast refusal, in its own words', () => {
    expect(said(cell('a', 'own', '503', '503'), cell('b', 'own', 'ok', 'ok'))).toMatchObject({
      kind: 'fails',
      sentence: expect.stringMatching(/but a fails: 503 after 4 ms: no workers\. b answers\./),
    });
  });

  it('which way of asking hangs, when only one does', () => {
    expect(said(cell('a', 'own', 'ok', 'ok'), whole('a', 'hang')).kind).toBe('whole-answers-only');
    expect(said(cell('a', 'own', 'hang', 'hang'), whole('a', 'ok', 'ok')).kind).toBe('streams-only');
    expect(said(cell('a', 'own', 'ok'), whole('a', 'ok'), long('a', 'hang', 'hang')).kind).toBe('long-prompts-only');
  });

  it('mixed when one hangs and another fails, without a pattern', () => {
    expect(said(cell('a', 'own', 'hang', 'hang'), cell('b', 'own', '503', '503'))).toMatchObject({ kind: 'mixed', sentence: expect.stringContaining('503') });
  });

  it('nothing when nothing could be tried or all was cut short by us', () => {
    expect(said(cell('a', 'own'))).toMatchObject({ kind: 'untried', confidence: 'low' });
    expect(said(cell('a', 'own', 'cut')).kind).toBe('untried');
  });

  it('no more of a front-end that was not asked than that', () => {
    expect(said(cell('a', 'own', 'ok', 'ok'), cell('b', 'own')).sentence).toMatch(/1 front-end was not asked/);
  });
});
