/** A colour as the screen is told it: red, green and blue from 0 to 1, gamma-coded. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** How an eye sees: all three kinds of cone, or without the long, the middle or the short one. */
export type Vision = 'normal' | 'protan' | 'deutan' | 'tritan';

/** The colour of `#rrggbb`. */
export function rgb(hex: string): Rgb {
  const digits = /^#([0-9a-f]{6})$/i.exec(hex)?.[1];
  if (digits === undefined) throw new Error(`${hex} is no colour of six digits`);
  const at = (from: number) => Number.parseInt(digits.slice(from, from + 2), 16) / 255;
  return [at(0), at(2), at(4)];
}

/** WCAG 2.2: the contrast of two colours, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The colour as this vision sees it (Machado, Oliveira and Fernandes 2009, severity 1, in linear light). */
export function seenBy(vision: Vision, colour: Rgb): Rgb {
  return by(SIMULATION[vision], colour.map(linear) as unknown as Rgb).map((part) => coded(Math.min(1, Math.max(0, part)))) as unknown as Rgb;
}

/** The colour in CIELAB under D65. */
export function lab(colour: Rgb): [l: number, a: number, b: number] {
  const [x, y, z] = by(TO_XYZ, colour.map(linear) as unknown as Rgb).map((part, index) => cubed(part / (WHITE[index] ?? 1))) as [number, number, number];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

type Matrix = readonly [Rgb, Rgb, Rgb];

const SIMULATION: Record<Vision, Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const TO_XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE = [0.95047, 1, 1.08883];

function by(matrix: Matrix, [a, b, c]: Rgb): Rgb {
  const row = ([x, y, z]: Rgb) => x * a + y * b + z * c;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function coded(part: number): number {
  return part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
}

function cubed(part: number): number {
  return part > 216 / 24389 ? Math.cbrt(part) : (part * 24389) / 27 / 116 + 16 / 116;
}

function luminance(colour: Rgb): number {
  return by(TO_XYZ, colour.map(linear) as unknown as Rgb)[1];
}
