import type { Expectation, Scenario } from './scenario';
import type { Args, Step } from './step';
import { ACTIONS, type Param } from './vocabulary';

/** Other names for the same things: a rule that knows a front-end or a model by name is wrong. What is not named here keeps its name. */
export type Disguise = { frontEnds: Readonly<Record<string, string>>; models: Readonly<Record<string, string>> };

/** The same scenario with front-ends and models called otherwise, in its stack, its steps and its truth. */
export function disguised(scenario: Scenario, names: Disguise): Scenario {
  const frontEnd = (name: string) => names.frontEnds[name] ?? name;
  const model = (id: string) => names.models[id] ?? id;
  const steps = (list: readonly Step[]) => list.map((step) => ({ ...step, args: argsOf(step, frontEnd, model) }));
  const { stack } = scenario;
  return {
    ...scenario,
    stack: {
      ...stack,
      model: model(stack.model),
      ...(stack.decodeModel === undefined ? {} : { decodeModel: model(stack.decodeModel) }),
      frontEnds: stack.frontEnds.map((one) => ({
        ...one,
        name: frontEnd(one.name),
        ...(one.models === undefined ? {} : { models: one.models.map(model) }),
      })),
    },
    traits: steps(scenario.traits),
    timeline: steps(scenario.timeline),
    variants: scenario.variants.map((one) => ({ ...one, traits: steps(one.traits), timeline: steps(one.timeline) })),
    truth: scenario.truth.map((one) => truthOf(one, frontEnd)),
  };
}

/** Every model id that a scenario names as its own; ids that are wrong on purpose are not among them. */
export function modelsOf({ stack, traits, timeline, variants }: Scenario): string[] {
  const steps = [...traits, ...timeline, ...variants.flatMap((one) => [...one.traits, ...one.timeline])];
  const advertised = steps.filter((step) => step.action === 'fe.models').flatMap((step) => listed(step.args.ids));
  const own = [stack.model, stack.decodeModel, ...stack.frontEnds.flatMap((one) => one.models ?? [])].filter((id) => id !== undefined);
  return [...new Set([...own, ...advertised])];
}

function argsOf(step: Step, frontEnd: (name: string) => string, model: (id: string) => string): Args {
  const params: Readonly<Record<string, Param>> = ACTIONS[step.action].params;
  const renamed = Object.entries(step.args).map(([name, value]) => {
    const kind = params[name]?.kind;
    if (kind === 'frontEnd' || kind === 'part') return [name, frontEnd(String(value))];
    if (kind === 'names') return [name, listed(value).map(step.action === 'fe.models' ? model : frontEnd)];
    if (step.action === 'dash.model' && name === 'id') return [name, model(String(value))];
    return [name, value];
  });
  return Object.fromEntries(renamed);
}

function truthOf(one: Expectation, frontEnd: (name: string) => string): Expectation {
  const place = (said: string) => {
    const [, kind, name] = /^(front-end|router path) (.+)$/.exec(said) ?? [];
    return kind === undefined || name === undefined ? said : `${kind} ${frontEnd(name)}`;
  };
  return {
    ...one,
    place: place(one.place),
    ...(one.alsoPlace === undefined ? {} : { alsoPlace: one.alsoPlace.map(place) }),
    ...(one.target === undefined || one.target === 'stack' ? {} : { target: frontEnd(one.target) }),
  };
}

function listed(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
