import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Scenario } from '@/lib/scenarios/scenario';
import { readScenario } from '@/lib/simulator/read';
import { castFor } from './seeds';

const FOLDER = 'lib/scenarios';
const files = readdirSync(FOLDER).filter((name) => /^sc-.*\.yaml$/.test(name));

function read(name: string): Scenario {
  const given = readScenario(`${FOLDER}/${name}`);
  if ('errors' in given) throw new Error(given.errors.join('\n'));
  return given.scenario;
}

describe('three seeds', () => {
  it.each(files)('play %s at three speeds, with other names, in another phase and with both kinds of /v1/loads', (name) => {
    const scenario = read(name);
    const casts = [0, 1, 2].map((seed) => castFor(scenario, seed));
    expect(casts.map((one) => one.speed).sort()).toEqual([0.5, 1, 4]);
    expect(new Set(casts.map((one) => one.phaseS)).size).toBe(3);
    expect(new Set(casts.map((one) => one.salt)).size).toBe(3);
    expect(new Set(casts.map((one) => one.scenario.stack.loads)).size).toBe(2);
    expect(new Set(casts.map((one) => one.scenario.stack.model)).size).toBe(3);
    const names = casts.flatMap((one) => one.scenario.stack.frontEnds.map((fe) => fe.name));
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(files)('leave no old name of a front-end or model in %s', (name) => {
    const scenario = read(name);
    const old = [...scenario.stack.frontEnds.map((fe) => fe.name), scenario.stack.model];
    const { stack, traits, timeline, truth } = castFor(scenario, 1).scenario;
    const said = JSON.stringify([stack.frontEnds.map((fe) => fe.name), stack.model, traits, timeline, truth.map((one) => [one.target, one.place])]);
    expect(old.filter((word) => said.includes(`"${word}"`) || said.includes(` ${word}"`))).toEqual([]);
  });

  it('rename the ids that a front-end advertises, and leave a wrong one wrong', () => {
    const two = castFor(read('sc-25-two-names.yaml'), 2).scenario;
    expect(two.traits.filter((step) => step.action === 'fe.models').map((step) => step.args.ids)).toEqual([['org/model-2b-chat'], ['org/model-2c-chat']]);
    const wrong = castFor(read('sc-19-wrong-name.yaml'), 2).scenario;
    expect(wrong.traits.find((step) => step.action === 'dash.model')?.args).toEqual({ fe: 'gw.prod', id: 'deepseek-v4-flsah' });
  });

  it('beyond the third are named anew', () => {
    const scenario = read('sc-03-mute-front-end.yaml');
    const names = [1, 2, 4, 5, 7].flatMap((seed) => castFor(scenario, seed).scenario.stack.frontEnds.map((fe) => fe.name));
    expect(new Set(names).size).toBe(names.length);
  });
});
