/** Letter sizes for a wall, as CSS lengths: `name` is read at 16 arc minutes from the farthest seat, `verdict` at 20. */
export type WallSizes = { name: string; verdict: string };

const CAP_OF_FONT = 0.71;
const RAD_16 = 0.0047;
const RAD_20 = 0.0058;
const WIDE = 16 / Math.hypot(16, 9);
const INCH_MM = 25.4;

/** Sizes from the farthest reader's distance ("5m") and the screen's diagonal ("55in"); in shares of the screen, so that a 4K screen gets the same letters. */
export function wallSizes(wall: string | undefined, screen: string | undefined): WallSizes {
  const metres = within(number(wall) ?? 5, 0.5, 30);
  const inches = within(number(screen) ?? 55, 10, 200);
  const widthMm = inches * INCH_MM * WIDE;
  const share = (radians: number) => ((metres * 1_000 * radians) / CAP_OF_FONT / widthMm) * 100;
  const css = (radians: number) => `min(${share(radians).toFixed(3)}vw, ${((share(radians) * 16) / 9).toFixed(3)}vh)`;
  return { name: css(RAD_16), verdict: css(RAD_20) };
}

function number(text: string | undefined): number | undefined {
  const value = Number.parseFloat(text ?? '');
  return Number.isFinite(value) ? value : undefined;
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
