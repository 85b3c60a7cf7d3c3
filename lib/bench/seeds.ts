import { disguised, modelsOf } from '@/lib/scenarios/disguise';
import { forSeed, type Scenario } from '@/lib/scenarios/scenario';

/** A scenario as one seed plays it: what of the world is otherwise, so that a rule which needs the usual names, speed or phase is found out. */
export type Cast = {
  scenario: Scenario;
  seed: number;
  /** Factor on the baseline time to the first token. */
  speed: number;
  /** Told seconds by which the watching begins later; its loops sit on another grid besides, by `salt`. */
  phaseS: number;
  /** Part of every target's id: the loops' phases are hashes of it. */
  salt: string;
};

const SPEEDS = [1, 0.5, 4];
const PHASES_S = [0, 1.7, 3.1];
const FRONT_ENDS = [[], ['edge-a', 'balance 2', 'door three'], ['gw.prod', 'Gateway', 'lb-x']];
const OTHER = { ask: 'snapshot', snapshot: 'ask' } as const;

/** Seed 0 keeps the file's names at speed 1; the others rename, run at x0.5 and x4, shift the polling, and take both kinds of /v1/loads by turns. */
export function castFor(given: Scenario, seed: number): Cast {
  const turn = seed % SPEEDS.length;
  const scenario = disguised(forSeed(given, seed), { frontEnds: namesFor(given, seed), models: idsFor(given, seed) });
  const chosen = given.variants[seed % Math.max(1, given.variants.length)]?.loads;
  const loads = chosen ?? (seed % 2 === 0 ? given.stack.loads : OTHER[given.stack.loads]);
  return {
    scenario: { ...scenario, variants: [], stack: { ...scenario.stack, loads } },
    seed,
    speed: SPEEDS[turn] ?? 1,
    phaseS: (PHASES_S[turn] ?? 0) + Math.floor(seed / SPEEDS.length) * 0.9,
    salt: `s${seed}`,
  };
}

function namesFor({ stack }: Scenario, seed: number): Record<string, string> {
  if (seed === 0) return {};
  const names = FRONT_ENDS[seed % FRONT_ENDS.length] ?? [];
  const isFirst = seed < FRONT_ENDS.length;
  return Object.fromEntries(stack.frontEnds.map((one, i) => [one.name, `${names[i] ?? `door ${i}`}${isFirst && names[i] !== undefined ? '' : `-${seed}`}`]));
}

function idsFor(scenario: Scenario, seed: number): Record<string, string> {
  return seed === 0 ? {} : Object.fromEntries(modelsOf(scenario).map((id, i) => [id, `org/model-${seed}${i === 0 ? '' : String.fromCharCode(97 + i)}-chat`]));
}
