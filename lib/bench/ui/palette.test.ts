import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contrast, lab, rgb, seenBy, type Vision } from './colour';
import { difference } from './difference';
import { palettes } from './palette';

const STATES = ['ok', 'degraded', 'hanging', 'down', 'unknown'] as const;
const VISIONS: Vision[] = ['normal', 'protan', 'deutan', 'tritan'];
const { light, dark, darkBySystem } = palettes(readFileSync(new URL('../../../app/globals.css', import.meta.url), 'utf8'));
const THEMES = [
  ['dark', dark],
  ['light', light],
] as const;

function colour(palette: Map<string, string>, name: string) {
  const value = palette.get(name);
  if (value === undefined) throw new Error(`the style sheet sets no --${name}`);
  return rgb(value);
}

const PAIRS = STATES.flatMap((one, index) => STATES.slice(index + 1).map((other) => [one, other] as const));

test('the measure gives the values that its authors published', () => {
  expect(difference([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
  expect(difference([50, 2.49, -0.001], [50, -2.49, 0.0011])).toBeCloseTo(7.2195, 4);
  expect(difference([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4);
  expect(difference([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514])).toBeCloseTo(0.9082, 4);
});

test('white on black has the greatest contrast there is, and grey is the same grey to every eye', () => {
  expect(contrast(rgb('#ffffff'), rgb('#000000'))).toBeCloseTo(21, 5);
  for (const vision of VISIONS) expect(difference(lab(seenBy(vision, rgb('#808080'))), lab(rgb('#808080')))).toBeLessThan(0.1);
});

test.each(THEMES)('no eye sees two states of the %s theme alike', (_, palette) => {
  for (const vision of VISIONS)
    for (const [one, other] of PAIRS) {
      const seen = [one, other].map((state) => lab(seenBy(vision, colour(palette, `verdict-${state}`))));
      expect(difference(seen[0]!, seen[1]!), `${one} and ${other} to a ${vision} eye`).toBeGreaterThanOrEqual(15);
    }
});

test.each(THEMES)('a state of the %s theme can be read as text on the page, and ink at five metres', (_, palette) => {
  for (const state of STATES) expect(contrast(colour(palette, `verdict-${state}`), colour(palette, 'ground')), state).toBeGreaterThanOrEqual(4.5);
  for (const ground of ['ground', 'raised', 'sunken']) {
    expect(contrast(colour(palette, 'ink'), colour(palette, ground)), `ink on ${ground}`).toBeGreaterThanOrEqual(7);
    for (const ink of ['ink-soft', 'ink-faint'])
      expect(contrast(colour(palette, ink), colour(palette, ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colour(palette, 'line'), colour(palette, ground)), `line on ${ground}`).toBeGreaterThanOrEqual(3);
  }
});

test.each(THEMES)('no line of a chart in the %s theme is taken for a wedge', (_, palette) => {
  const hanging = lab(colour(palette, 'verdict-hanging'));
  for (let n = 1; palette.has(`series-${n}`); n += 1) {
    expect(difference(lab(colour(palette, `series-${n}`)), hanging), `series ${n}`).toBeGreaterThanOrEqual(15);
    expect(contrast(colour(palette, `series-${n}`), colour(palette, 'ground')), `series ${n}`).toBeGreaterThanOrEqual(3);
  }
});

test('a system that asks for dark gets the dark theme', () => {
  expect(darkBySystem).toEqual(dark);
});
