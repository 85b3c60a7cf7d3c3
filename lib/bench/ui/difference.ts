/** A colour in CIELAB. */
export type Lab = readonly [l: number, a: number, b: number];

/** CIEDE2000: how different two colours look; below about 2 nobody tells them apart side by side (Sharma, Wu and Dalal 2005, whose names are kept). */
export function difference([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const g = 0.5 * (1 - saturating((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2));
  const one = polar(a1 * (1 + g), b1);
  const two = polar(a2 * (1 + g), b2);
  const isGrey = one.chroma * two.chroma === 0;

  const dL = l2 - l1;
  const dC = two.chroma - one.chroma;
  const dh = isGrey ? 0 : turned(two.hue - one.hue);
  const dH = 2 * Math.sqrt(one.chroma * two.chroma) * Math.sin(radians(dh) / 2);

  const l = (l1 + l2) / 2;
  const chroma = (one.chroma + two.chroma) / 2;
  const hue = isGrey ? one.hue + two.hue : between(one.hue, two.hue);
  const t = 1 - 0.17 * cos(hue - 30) + 0.24 * cos(2 * hue) + 0.32 * cos(3 * hue + 6) - 0.2 * cos(4 * hue - 63);

  const sL = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const sC = 1 + 0.045 * chroma;
  const sH = 1 + 0.015 * chroma * t;
  const rT = -2 * saturating(chroma) * Math.sin(radians(60 * Math.exp(-(((hue - 275) / 25) ** 2))));
  return Math.sqrt((dL / sL) ** 2 + (dC / sC) ** 2 + (dH / sH) ** 2 + rT * (dC / sC) * (dH / sH));
}

/** From 0 for grey to 1 for the most colourful. */
function saturating(chroma: number): number {
  return Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));
}

function polar(a: number, b: number): { chroma: number; hue: number } {
  const hue = (Math.atan2(b, a) * 180) / Math.PI;
  return { chroma: Math.hypot(a, b), hue: hue < 0 ? hue + 360 : hue };
}

/** A turn by the shorter way round. */
function turned(degrees: number): number {
  if (degrees > 180) return degrees - 360;
  return degrees < -180 ? degrees + 360 : degrees;
}

function between(one: number, other: number): number {
  const sum = one + other;
  if (Math.abs(one - other) <= 180) return sum / 2;
  return sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function cos(degrees: number): number {
  return Math.cos(radians(degrees));
}
