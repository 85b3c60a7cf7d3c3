/** 95 % Wilson score interval of k of n, in 0..1, to the thousandth; the whole range when nothing was tried. */
export function wilson(k: number, n: number, z = 1.96): { low: number; high: number } {
  if (n === 0) return { low: 0, high: 1 };
  const p = k / n;
  const z2 = (z * z) / n;
  const centre = p + z2 / 2;
  const spread = z * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n));
  const told = (x: number) => Math.round(Math.min(1, Math.max(0, x / (1 + z2))) * 1000) / 1000;
  return { low: told(centre - spread), high: told(centre + spread) };
}

/** Quantile q in 0..1 by the nearest rank; undefined for an empty list. */
export function quantile(values: readonly number[], q: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))];
}

export function median(values: readonly number[]): number | undefined {
  return quantile(values, 0.5);
}
