import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import type { HangPhase } from '@/lib/model/probe';
import { PLACES, VERDICTS, type Verdict } from '@/lib/model/verdict';
import { misplaced, type Standing, standing } from './standing';
import { type Args, readSteps, type Step } from './step';

/** A front-end of the simulated stack; `port` is used when default ports are asked for. */
export type FrontEndSpec = {
  name: string;
  kind: 'gateway' | 'mini_lb';
  /** Model ids that it advertises; absent: what its workers say. */
  models?: string[];
  port?: number;
  metricsPort?: number;
  /** Pairs of engines behind it, by number; absent: all. */
  pairs?: number[];
  circuit?: { failures?: number; windowSeconds?: number; openSeconds?: number; successes?: number };
  attempts?: number;
  /** Newer gateways drop the decode leg when prefill fails (sglang PR#29017); 0.3.2 waits for both. */
  cancelsDecode?: boolean;
  key?: string;
};

/** The stack to build. Counts of engines; sizes of their pools; `loads` is the kind of /v1/loads. */
export type StackSpec = {
  frontEnds: FrontEndSpec[];
  prefill: number;
  decode: number;
  unified: number;
  /** DP ranks of each decode (and unified) engine. */
  dp: number;
  loads: 'ask' | 'snapshot';
  /** `ask` only: silent until the first request. */
  freshLoadsSilent: boolean;
  /** Served model name of the engines, and of the decodes where it differs. */
  model: string;
  decodeModel?: string;
  /** Transfer slots, running requests and KV tokens of each decode rank. */
  slots: number;
  maxRunning: number;
  kvTokens: number;
};

/** What must be said, and by when. Seconds are told seconds; `by` counts from `from`. */
export type Expectation = {
  from: number;
  until?: number;
  by: number;
  verdict: Verdict;
  /** Place as people write it: `decode`, `decode rank 2`, `front-end router`, `none`. */
  place: string;
  /** Front-end (as named in this file) that it holds for; absent: every front-end. `stack` for the stack's own line. */
  target?: string;
  phase?: HangPhase;
  rate?: number;
  /** Verdicts that are right too, once the first has been said in time. */
  also?: Verdict[];
  /** Those of `also` are as good from the start: any of them in time will do. */
  either?: boolean;
  /** Places that are right too. */
  alsoPlace?: string[];
  /** When it heals, and how long clearing may take (30 s by default). */
  heal?: number;
  healBy?: number;
  note?: string;
};

/** A scenario file: a story, a stack, what happens to it, and the truth that the dashboard must tell. */
export type Scenario = {
  id: string;
  title: string;
  story: string;
  lasts: number;
  stack: StackSpec;
  /** Acts on a stack that exists instead of building one; `stack` then only repeats the names of its front-ends. */
  standing?: Standing;
  /** Traffic from second 0. */
  traffic: 'none' | 'light' | 'busy' | 'saturated';
  /** Applied at second 0, before anything runs. */
  traits: Step[];
  timeline: Step[];
  /** Taken by turns of the seed: seed n plays variant n modulo their number. */
  variants: { traits: Step[]; timeline: Step[]; loads?: StackSpec['loads'] }[];
  truth: Expectation[];
  /** Nothing hangs here, and saying so is a failure. */
  near_miss: boolean;
};

export type { Args, Step } from './step';

const DEFAULT_FRONT_ENDS: FrontEndSpec[] = [
  { name: 'router', kind: 'gateway', port: 30001, metricsPort: 29000 },
  { name: 'mini_lb', kind: 'mini_lb', port: 8000 },
];

const seconds = z.number().nonnegative();
const count = z.number().int().nonnegative();
const frontEnd = z.strictObject({
  name: z.string().min(1),
  kind: z.enum(['gateway', 'mini_lb']),
  models: z.array(z.string()).optional(),
  port: z.number().int().min(1).max(65535).optional(),
  metricsPort: z.number().int().min(1).max(65535).optional(),
  pairs: z.array(count).optional(),
  circuit: z
    .strictObject({ failures: count.optional(), windowSeconds: seconds.optional(), openSeconds: seconds.optional(), successes: count.optional() })
    .optional(),
  attempts: count.optional(),
  cancelsDecode: z.boolean().optional(),
  key: z.string().optional(),
});
const stack = z.strictObject({
  frontEnds: z.array(frontEnd).min(1).default(DEFAULT_FRONT_ENDS),
  pairs: count.optional(),
  prefill: count.optional(),
  decode: count.optional(),
  unified: count.default(0),
  dp: count.min(1).default(1),
  loads: z.enum(['ask', 'snapshot']).default('snapshot'),
  freshLoadsSilent: z.boolean().default(false),
  model: z.string().default('deepseek-v4-flash'),
  decodeModel: z.string().optional(),
  slots: count.min(1).default(64),
  maxRunning: count.min(1).default(32),
  kvTokens: count.min(1).default(400_000),
});
const verdict = z.enum(VERDICTS);
const expectation = z.strictObject({
  from: seconds,
  until: seconds.optional(),
  by: seconds,
  verdict,
  place: z.string().refine(isPlace, { error: `must begin with one of: ${PLACES.join(', ')}` }),
  target: z.string().optional(),
  phase: z.enum(['no header', 'no first token', 'mid-stream']).optional(),
  rate: z.number().min(0).max(1).optional(),
  also: z.array(verdict).optional(),
  either: z.boolean().optional(),
  alsoPlace: z.array(z.string().refine(isPlace, { error: `must begin with one of: ${PLACES.join(', ')}` })).optional(),
  heal: seconds.optional(),
  healBy: seconds.optional(),
  note: z.string().optional(),
});
const variant = z.strictObject({
  traits: z.array(z.unknown()).default([]),
  timeline: z.array(z.unknown()).default([]),
  loads: z.enum(['ask', 'snapshot']).optional(),
});
const file = z.strictObject({
  id: z.string().min(1),
  title: z.string().min(1),
  story: z.string().default(''),
  lasts: z.number().positive(),
  stack: stack.optional(),
  standing: standing.optional(),
  traffic: z.enum(['none', 'light', 'busy', 'saturated']).default('none'),
  traits: z.array(z.unknown()).default([]),
  timeline: z.array(z.unknown()).default([]),
  variants: z.array(variant).default([]),
  truth: z.array(expectation).default([]),
  near_miss: z.boolean().default(false),
});

/** Reads a scenario file. All mistakes are told together, each with file, field, value and remedy. */
export function parseScenario(text: string, fileName: string): { scenario: Scenario } | { errors: string[] } {
  const raw = yamlOf(text, fileName);
  if ('errors' in raw) return raw;
  const parsed = file.safeParse(raw.value);
  if (!parsed.success) return { errors: parsed.error.issues.map((issue) => tellIssue(fileName, raw.value, issue)) };
  const { stack: written, standing: exists, ...told } = parsed.data;
  const spec = exists === undefined ? stackOf(written ?? {}) : shadowOf(exists);
  const errors: string[] = written !== undefined && exists !== undefined ? [`${fileName}: stack and standing: both are given; keep one`] : [];
  const steps = (list: unknown[], field: string): Step[] => {
    const read = readSteps(list, `${fileName}: ${field}`, spec, errors);
    errors.push(...misplaced(read, `${fileName}: ${field}`, exists !== undefined));
    return read;
  };
  const scenario: Scenario = {
    ...told,
    ...(exists === undefined ? {} : { standing: exists }),
    stack: spec,
    traits: steps(parsed.data.traits, 'traits'),
    timeline: steps(parsed.data.timeline, 'timeline'),
    variants: parsed.data.variants.map((one, i) => ({
      ...one,
      traits: steps(one.traits, `variants[${i}].traits`),
      timeline: steps(one.timeline, `variants[${i}].timeline`),
    })),
  };
  errors.push(...truthErrors(scenario, fileName));
  return errors.length > 0 ? { errors } : { scenario };
}

/** The scenario as seed `n` plays it: with the variant whose turn it is. */
export function forSeed(scenario: Scenario, seed: number): Scenario {
  const chosen = scenario.variants[Math.abs(seed) % Math.max(1, scenario.variants.length)];
  if (chosen === undefined) return scenario;
  return {
    ...scenario,
    stack: { ...scenario.stack, loads: chosen.loads ?? scenario.stack.loads },
    traits: [...scenario.traits, ...chosen.traits],
    timeline: [...scenario.timeline, ...chosen.timeline].sort((a, b) => a.at - b.at),
  };
}

/** Arguments as text, for a person: `decode, rank 2`. */
export function argsText(args: Args): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}

function stackOf(written: z.input<typeof stack>): StackSpec {
  const { pairs, prefill, decode, ...rest } = stack.parse(written);
  const few = rest.unified > 0 ? 0 : 1;
  return { ...rest, prefill: prefill ?? pairs ?? few, decode: decode ?? pairs ?? few };
}

/** Nothing to build: only the names that steps and truth may use. */
function shadowOf({ frontEnds }: Standing): StackSpec {
  const names = frontEnds.map(({ name }) => ({ name, kind: 'gateway' as const }));
  return { ...stackOf({}), frontEnds: names, prefill: 0, decode: 0, unified: 0 };
}

function yamlOf(text: string, fileName: string): { value: unknown } | { errors: string[] } {
  try {
    return { value: parseYaml(text) };
  } catch (error) {
    return {
      errors: [`${fileName}: this is not YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}; mend the line it names`],
    };
  }
}

function tellIssue(fileName: string, value: unknown, issue: z.core.$ZodIssue): string {
  const field = issue.path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`)).join('') || 'the file';
  const found = issue.path.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), value);
  const shown = found === undefined ? 'is missing' : `${JSON.stringify(found)?.slice(0, 80)} is wrong`;
  return `${fileName}: ${field}: ${shown}: ${issue.message}; see lib/scenarios/incident.yaml for a file that is right`;
}

function isPlace(place: string): boolean {
  return PLACES.some((kind) => place === kind || place.startsWith(`${kind} `));
}

function truthErrors(scenario: Scenario, fileName: string): string[] {
  const names = [...scenario.stack.frontEnds.map((one) => one.name), 'stack'];
  const isOpen = scenario.standing?.config !== undefined;
  return scenario.truth.flatMap((one, i) => {
    const at = `${fileName}: truth[${i}]`;
    return [
      !isOpen && one.target !== undefined && !names.includes(one.target)
        ? `${at}.target: "${one.target}" is no front-end here; write one of ${names.join(', ')}`
        : '',
      one.from + one.by > scenario.lasts ? `${at}.by: ${one.from} + ${one.by} s is after the end (lasts ${scenario.lasts}); make it last longer` : '',
      one.until !== undefined && one.until < one.from + one.by ? `${at}.until: ${one.until} is before it is due at ${one.from + one.by}; put it later` : '',
      one.heal !== undefined && one.heal < one.from ? `${at}.heal: ${one.heal} is before ${one.from}; put it later` : '',
      one.heal !== undefined && one.heal + (one.healBy ?? 30) > scenario.lasts
        ? `${at}.heal: clearing at ${one.heal} is due after the end (lasts ${scenario.lasts}); make it last longer`
        : '',
      !isOpen && (one.place.startsWith('front-end') || one.place.startsWith('router path')) && !names.some((name) => one.place.endsWith(` ${name}`))
        ? `${at}.place: "${one.place}" names no front-end; write "front-end NAME" with one of ${names.join(', ')}`
        : '',
    ].filter(Boolean);
  });
}
