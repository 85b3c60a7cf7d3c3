import type { Conclusion, ConclusionKind, ExperimentTry } from '@/lib/model/experiment';
import { wilson } from '@/lib/stats';
import type { Front } from './front';
import { isHang } from './shown';

/** A conclusion before its rate is added. */
export type Draft = Pick<Conclusion, 'kind' | 'sentence' | 'confidence'>;

/** High from two tries each that say the same, medium from one. */
export function sureOf(fronts: readonly Front[], says: ((one: ExperimentTry) => boolean) | undefined): Conclusion['confidence'] {
  const tries = fronts.map((front) => (says === undefined ? front.real.length : front.real.filter(says).length));
  if (tries.every((count) => count >= 2)) return 'high';
  return tries.every((count) => count >= 1) ? 'medium' : 'low';
}

export function sureOfHangs(tries: readonly ExperimentTry[]): Conclusion['confidence'] {
  return tries.filter(isHang).length >= 2 ? 'medium' : 'low';
}

export function interval(failed: number, of: number): string {
  const { low, high } = wilson(failed, of);
  return ` (95 %: ${Math.round(low * 100)}-${Math.round(high * 100)} %)`;
}

export function say(kind: ConclusionKind, sentence: string, confidence: Conclusion['confidence']): Draft {
  return { kind, sentence, confidence };
}

export function verb(some: readonly unknown[], one: string, many: string): string {
  return some.length > 1 ? many : one;
}

export function sentenceList(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
