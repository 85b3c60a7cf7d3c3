import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '@/lib/scenarios/scenario';
import { readScenario } from '@/lib/simulator/read';

/** A scenario file that is to be played. */
export type Chosen = { file: string; scenario: Scenario };

/** Played in virtual time: nothing happens in them for hours. */
export const LONG_S = 1_500;

/** The scenario files of a folder, in the order of their ids; every mistake of every file is told at once. */
export function chosenFrom(folder: string, only: readonly string[] | undefined): { chosen: Chosen[] } | { errors: string[] } {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    return { errors: [`--scenarios: "${folder}" is no folder; give one that holds scenario files (.yaml)`] };
  const files = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
  if (files.length === 0) return { errors: [`--scenarios: "${folder}" holds no scenario file (.yaml)`] };
  const read = files.map((name) => ({ file: join(folder, name), given: readScenario(join(folder, name)) }));
  const errors = read.flatMap(({ given }) => ('errors' in given ? given.errors : []));
  if (errors.length > 0) return { errors };
  const all = read.flatMap(({ file, given }) => ('scenario' in given ? [{ file, scenario: given.scenario }] : []));
  const untold = all.filter(({ scenario }) => scenario.truth.length === 0).map(({ file }) => `${file}: truth: is missing; say what must be told, and by when`);
  const twice = all.filter(({ scenario }, i) => all.findIndex((other) => other.scenario.id === scenario.id) !== i);
  const doubles = twice.map(({ file, scenario }) => `${file}: id: "${scenario.id}" is taken by another file of the folder; choose another`);
  const known = all.map(({ scenario }) => scenario.id);
  const strangers = (only ?? []).filter((id) => !known.some((one) => one.toUpperCase() === id.toUpperCase()));
  const unknown = strangers.map((id) => `--only: no scenario in ${folder} is called "${id}"; there are ${known.sort().join(', ')}`);
  const wrong = [...(only === undefined ? untold : []), ...doubles, ...unknown];
  if (wrong.length > 0) return { errors: wrong };
  const wanted = only?.map((id) => id.toUpperCase());
  // the demo's own story is no test
  const chosen = all.filter(({ scenario }) => (wanted === undefined ? scenario.id !== 'incident' : wanted.includes(scenario.id.toUpperCase())));
  return { chosen: chosen.sort((a, b) => a.scenario.id.localeCompare(b.scenario.id)) };
}

/** Whether it can be told in virtual time: nothing happens to our own process or network. */
export function isVirtualAble({ traits, timeline, variants }: Scenario): boolean {
  const steps = [...traits, ...timeline, ...variants.flatMap((one) => [...one.traits, ...one.timeline])];
  return !steps.some((step) => step.action === 'dash.pause' || step.action === 'dash.net');
}
