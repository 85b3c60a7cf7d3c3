import { describe, expect, it } from 'vitest';
import { levelUp, wishOf } from './keys';

const press = (key: string, more = {}) => ({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more });

describe('a key', () => {
  it('steps a second, and ten with Shift', () => {
    expect(wishOf(press('['), undefined, true)).toEqual({ kind: 'step', seconds: -1 });
    expect(wishOf(press('}', { shiftKey: true }), undefined, true)).toEqual({ kind: 'step', seconds: 10 });
  });

  it('goes to a page after g, and means itself otherwise', () => {
    expect(wishOf(press('i'), 'g', true)).toEqual({ kind: 'go', path: '/incidents' });
    expect(wishOf(press('i'), undefined, true)).toBeUndefined();
  });

  it('leaves the browser its own shortcuts', () => expect(wishOf(press('c', { ctrlKey: true }), undefined, true)).toBeUndefined());

  it('does nothing once single keys are switched off, while Ctrl K and Escape still work', () => {
    for (const key of ['?', '[', ' ', 'l', 'a', 'c']) expect(wishOf(press(key), undefined, false)).toBeUndefined();
    expect(wishOf(press('k', { ctrlKey: true }), undefined, false)).toEqual({ kind: 'palette' });
    expect(wishOf(press('Escape'), undefined, false)).toEqual({ kind: 'up' });
  });
});

describe('one level up', () => {
  it.each([
    ['/', undefined],
    ['/incidents/x', '/incidents'],
    ['/incidents', '/'],
    ['/targets/a', '/'],
  ])('of %s is %s', (path, up) => expect(levelUp(path)).toBe(up));
});
