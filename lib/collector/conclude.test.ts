import { describe, expect, it } from 'vitest';
import type { ExperimentCell, ExperimentTry } from '@/lib/model/experiment';
import { conclude } from './conclude';

const one = (spell: string): ExperimentTry => ({
  probe: 'p',
  outcome: spell === 'hang' ? 'zero-bytes' : spell === '404' ? 'rejected' : 'ok',
  late: spell === 'hang',
  ended: spell !== 'hang',
  bytes: 0,
  elapsedMs: 1,
  sentence: '',
});
const cell = (target: string, whose: ExperimentCell['whose'], ...tries: string[]): ExperimentCell => ({
  target,
  model: `${whose}-of-${target}`,
  whose,
  tries: tries.map(one),
});
const said = (...cells: ExperimentCell[]) => conclude(cells, (id) => id);

describe('an experiment concludes', () => {
  it('systemic when every front-end hangs with every real id, surely or less so by the number of tries', () => {
    expect(
      said(cell('a', 'own', 'hang', 'hang'), cell('a', 'sibling', 'hang', 'hang'), cell('b', 'own', 'hang', 'hang'), cell('b', 'sibling', 'hang', 'hang')),
    ).toMatchObject({ kind: 'systemic', confidence: 'high' });
    expect(said(cell('a', 'own', 'hang'), cell('a', 'sibling'), cell('b', 'own', 'hang'))).toMatchObject({ kind: 'systemic', confidence: 'low' });
  });

  it('one front-end when only that one hangs, with any id', () => {
    expect(
      said(cell('a', 'own', 'hang', 'hang'), cell('a', 'sibling', 'hang', 'hang'), cell('b', 'own', 'ok', 'ok'), cell('b', 'sibling', 'ok', 'ok')),
    ).toMatchObject({ kind: 'one-front-end', sentence: expect.stringMatching(/^a hangs/) });
  });

  it('the name when own ids work and a sibling’s does not', () => {
    expect(said(cell('a', 'own', 'ok'), cell('a', 'sibling', '404'), cell('b', 'own', 'ok'), cell('b', 'sibling', 'ok'))).toMatchObject({
      kind: 'name',
      sentence: expect.stringContaining('refused'),
    });
  });

  it('hangs on unknown names when only the nonsense id hangs', () => {
    expect(said(cell('a', 'own', 'ok'), cell('a', 'nonsense', 'hang'))).toMatchObject({ kind: 'hangs-on-unknown-names' });
  });

  it('nothing hangs, whatever becomes of the nonsense id', () => {
    expect(said(cell('a', 'own', 'ok'), cell('a', 'nonsense', '404')).kind).toBe('none-hangs');
  });

  it('mixed when there is no pattern, or when nothing could be tried', () => {
    expect(said(cell('a', 'own', 'hang', 'ok'), cell('b', 'own', 'ok', 'ok')).kind).toBe('mixed');
    expect(said(cell('a', 'own'))).toMatchObject({ kind: 'mixed', confidence: 'low' });
  });
});
