import type { Expectation } from '@/lib/scenarios/scenario';
import type { Run } from '../outcome';
import { allowance, HEAL_S, wordOf } from './words';

/** A gateway whose circuit is still open may be called degraded this long after a heal. */
const CIRCUIT_S = 120;

/** What is wrong with how it cleared after the heal; undefined: nothing. */
export function clears({ lines, scenario, speed }: Run, e: Expectation, name: string): string | undefined {
  const heal = e.heal ?? 0;
  const within = (e.healBy ?? HEAL_S) * allowance(speed);
  const next = Math.min(scenario.lasts, ...scenario.truth.filter((other) => other.from > heal && other.verdict !== 'ok').map((other) => other.from));
  const after = lines.filter((line) => line.s >= heal + within && line.s <= next).map((line) => ({ s: line.s, ...wordOf(line, name) }));
  const bad = after.find((w) => w.verdict !== 'ok' && !(w.verdict === 'degraded' && w.detail === 'circuit open' && w.s <= heal + CIRCUIT_S));
  if (after.length > 0 && bad === undefined) return undefined;
  return `${name}: not clear ${within} s after the heal: ${bad ? `${bad.verdict}${bad.detail ? ` (${bad.detail})` : ''} at ${bad.s.toFixed(0)}` : 'no word'}`;
}
