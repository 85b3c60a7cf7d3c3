import { describe, expect, it } from 'vitest';
import { wallSizes } from './wall';

/** The size in px on a screen of 1920 x 1080. */
const px = (size: string) => Math.round((Number.parseFloat(size.replace('min(', '')) / 100) * 1_920);

describe('letters of the wall', () => {
  // 16' and 20' of arc, in px of a 1080p screen.
  it.each([
    ['5m', '55in', 52, 64],
    ['2m', '55in', 21, 26],
    ['5m', '43in', 66, 82],
    ['8m', '75in', 61, 76],
  ])('at %s from %s are %d px for names and %d px for verdicts', (wall, screen, name, verdict) => {
    const sizes = wallSizes(wall, screen);
    expect(Math.abs(px(sizes.name) - name)).toBeLessThanOrEqual(1);
    expect(Math.abs(px(sizes.verdict) - verdict)).toBeLessThanOrEqual(1);
  });

  it('fall back to five metres and 55 inches for nonsense', () => expect(wallSizes('far', 'big')).toEqual(wallSizes('5m', '55in')));
});
