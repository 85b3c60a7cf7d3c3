import { describe, expect, it } from 'vitest';
import type { NodeView, StackView } from '@/lib/model/snapshot';
import type { Place, Verdict } from '@/lib/model/verdict';
import { foundBy, presetOf, shownBy } from './find-nodes';

const node = (id: string, role: NodeView['role'], verdict: Verdict = 'ok', probedAt?: number) =>
  ({
    id,
    name: id,
    role,
    kind: 'sglang',
    url: `http://10.0.0.1:${id.length}`,
    judgement: { verdict, freshness: 'live', since: 0, because: '' },
    strip: probedAt === undefined ? [] : [{ id: `p-${id}`, at: probedAt }],
  }) as unknown as NodeView;
const nodes = [
  node('fast', 'router', 'ok', 5),
  node('slow', 'balancer', 'hanging', 9),
  node('p0', 'prefill'),
  node('p1', 'prefill'),
  node('d0', 'decode', 'hanging'),
  node('d1', 'decode'),
];
const stack = (place?: Place) =>
  ({ nodes, dots: place ? [{ target: 'slow', probe: 'p-slow', place, moving: false, inferred: false }] : [] }) as Pick<StackView, 'nodes' | 'dots'>;

describe('what a map shows', () => {
  it('is everything unless the link names something else', () => {
    expect(presetOf('nonsense')).toBe('all');
    expect(shownBy('all', stack()).size).toBe(6);
  });

  it('can be what is not well', () => expect([...shownBy('abnormal', stack())]).toEqual(['slow', 'd0']));

  it('can be the way of the last probe, with all prefills that it may have taken and the decode at which it stopped', () => {
    expect([...shownBy('probe', stack({ kind: 'decode', target: 'd0', inferred: false }))]).toEqual(['slow', 'p0', 'p1', 'd0']);
  });

  it('ends the way where the probe went no further', () => {
    expect([...shownBy('probe', stack({ kind: 'front-end', inferred: false }))]).toEqual(['slow']);
    expect([...shownBy('probe', stack({ kind: 'prefill', target: 'p1', inferred: true }))]).toEqual(['slow', 'p1']);
  });

  it('is empty where nothing was ever probed', () => expect(shownBy('probe', { nodes: [node('d', 'decode')], dots: [] }).size).toBe(0));
});

describe('what is looked for on a map', () => {
  it('has all the words, in its name, role or verdict', () => expect([...(foundBy('decode hang', nodes) ?? [])]).toEqual(['d0']));
  it('is nothing while nothing is typed', () => expect(foundBy('  ', nodes)).toBeUndefined());
});
