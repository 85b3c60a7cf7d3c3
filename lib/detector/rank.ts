import { hypotheses } from '@/lib/hypotheses';
import type { Evidence, Hypothesis, Ranked } from '@/lib/model/hypothesis';
import type { Window } from '@/lib/model/window';

/** While all is well the likeliest few are enough. */
const WHILE_WELL = 5;
/** A sentence about three hundred engines leads to the first of them. */
const CITES = 6;

/** All suspicions, most probable first: prior plus the sum of all evidence. */
export function weigh(window: Window): Ranked[] {
  return Object.entries<Hypothesis>(hypotheses)
    .map(([id, h]): Ranked => {
      const evidence = h.weigh(window);
      const logOdds = h.prior + evidence.reduce((sum, e) => sum + e.weight, 0);
      return {
        id,
        claim: h.claim,
        prior: h.prior,
        logOdds: Math.round(logOdds * 100) / 100,
        probability: Math.round((1000 * 1) / (1 + Math.exp(-logOdds))) / 1000,
        evidence: evidence.map(led),
        next: h.next(window),
        implies: h.implies,
      };
    })
    .sort((a, b) => b.logOdds - a.logOdds);
}

/** What is shown: all of them, losers beside winners, as soon as there is something to explain; and where each stands in any case. */
export function rank(window: Window, isWell: boolean): { hypotheses: Ranked[]; odds: Record<string, number> } {
  const all = weigh(window);
  return { hypotheses: isWell ? all.slice(0, WHILE_WELL) : all, odds: Object.fromEntries(all.map((one) => [one.id, one.logOdds])) };
}

function led(e: Evidence): Evidence {
  return e.cites.length > CITES ? { ...e, cites: e.cites.slice(0, CITES) } : e;
}
