import { hypotheses } from '@/lib/hypotheses';
import type { Ranked } from '@/lib/model/hypothesis';
import type { Window } from '@/lib/model/window';

const SHOWN = 5;
const EVIDENCE = 5;

/** Prior plus the sum of evidence, most probable first; the likeliest few are shown. */
export function rank(window: Window): Ranked[] {
  const ranked = Object.entries(hypotheses).map(([id, h]): Ranked => {
    const evidence = h.weigh(window).slice(0, EVIDENCE);
    const logOdds = h.prior + evidence.reduce((sum, e) => sum + e.weight, 0);
    return {
      id,
      claim: h.claim,
      prior: h.prior,
      logOdds: Math.round(logOdds * 100) / 100,
      probability: Math.round((1000 * 1) / (1 + Math.exp(-logOdds))) / 1000,
      evidence,
      next: h.next(window),
      implies: h.implies,
    };
  });
  return ranked.sort((a, b) => b.logOdds - a.logOdds).slice(0, SHOWN);
}
