/** Seeded chance: the same seed plays the same dice. `split` gives an independent one, so that one part's dice do not move another's. */
export type Prng = {
  /** In [0, 1). */
  next(): number;
  between(from: number, to: number): number;
  int(below: number): number;
  chance(share: number): boolean;
  /** Standard normal. */
  normal(): number;
  /** Hex digits. */
  hex(length: number): string;
  split(name: string): Prng;
};

export function prng(seed: number): Prng {
  const next = mulberry32(seed);
  return {
    next,
    between: (from, to) => from + (to - from) * next(),
    int: (below) => Math.floor(next() * below),
    chance: (share) => next() < share,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    hex: (length) => Array.from({ length }, () => Math.floor(next() * 16).toString(16)).join(''),
    split: (name) => prng(seed ^ hash(name)),
  };
}

function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function hash(text: string): number {
  let value = 2166136261;
  for (const letter of text) value = Math.imul(value ^ letter.charCodeAt(0), 16777619);
  return value;
}
