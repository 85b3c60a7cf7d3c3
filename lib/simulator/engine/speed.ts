import type { Prng } from '../prng';

/** Seconds to the first token at speed 1: log-normal with median 0.4 and 99th percentile 0.9. */
export function firstTokenSeconds(speed: number, dice: Prng): number {
  return 0.4 * speed * Math.exp(0.3486 * dice.normal());
}

/** Seconds between two tokens of one stream at speed 1. */
export const TOKEN_SECONDS = 0.03;
