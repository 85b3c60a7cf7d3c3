import { z } from 'zod';
import { ACTIONS, type ActionName, type ActionSpec, type Param } from './vocabulary';

/** Arguments of an action by name, checked against the vocabulary. */
export type Args = Record<string, unknown>;

/** One line of a timeline: at this second, do that. `upTo`: at a moment between `at` and `upTo` which the seed chooses. */
export type Step = { at: number; upTo?: number; action: ActionName; args: Args };

/** What a step may name: enough of the stack to check parts. */
export type Parts = { frontEnds: readonly { name: string }[]; prefill: number; decode: number; unified: number };

/**
 * Reads `[second, action, args]` lines. Args may be by name (`{ role: decode }`), by position (a list, or further members of the line),
 * or a call as people write it (`fe.hang(router)`). Mistakes are added to `errors`.
 */
export function readSteps(lines: readonly unknown[], where: string, parts: Parts, errors: string[]): Step[] {
  return lines.flatMap((line, i) => readStep(line, `${where}[${i}]`, parts, errors) ?? []);
}

function readStep(line: unknown, where: string, parts: Parts, errors: string[]): Step | undefined {
  const list = Array.isArray(line) ? line : [];
  const [second, called, ...rest] = typeof list[0] === 'string' && !isSpan(list[0]) ? [0, ...list] : list;
  const at = typeof second === 'number' ? { at: second } : spanOf(second);
  if (at === undefined || !(at.at >= 0)) return wrong(errors, `${where}: ${show(line)} does not begin with a second; write [60, fe.hang, { fe: router }]`);
  const { name, inline } = callOf(called);
  if (!isAction(name)) return wrong(errors, `${where}: ${show(called)} is no action${nearest(name)}; valid are ${Object.keys(ACTIONS).join(', ')}`);
  const args = readArgs(ACTIONS[name], [...inline, ...rest], `${where} ${name}`, parts, errors);
  return args && { ...at, action: name, args };
}

function readArgs(spec: ActionSpec, given: unknown[], where: string, parts: Parts, errors: string[]): Args | undefined {
  const names = Object.keys(spec.params);
  const named = byName(given, names);
  const valid = [...names, 'for', 'off'];
  const before = errors.length;
  for (const name of Object.keys(named)) {
    if (!valid.includes(name)) errors.push(`${where}.${name}: ${show(named[name])} belongs to no argument; valid are ${valid.join(', ')}`);
  }
  const args: Args = {};
  for (const [name, param] of Object.entries(spec.params)) {
    const value = named[name] ?? param.or;
    if (value === undefined || value === null) {
      if (param.optional !== true && named.off !== true) errors.push(`${where}.${name}: is missing; give ${remedy(param, parts)}`);
      continue;
    }
    const read = kindSchema(param, parts).safeParse(value);
    if (read.success) {
      if (read.data !== undefined) args[name] = read.data;
    } else errors.push(`${where}.${name}: ${show(value)} is wrong; give ${remedy(param, parts)}`);
  }
  if (named.off !== undefined) args.off = named.off === true;
  if (named.for !== undefined && typeof named.for !== 'number') errors.push(`${where}.for: ${show(named.for)} is wrong; give seconds as a number`);
  if (typeof named.for === 'number') args.for = named.for;
  return errors.length > before ? undefined : args;
}

function byName(given: unknown[], names: string[]): Args {
  const flat = given.flatMap((one) => (Array.isArray(one) && given.length === 1 ? one : [one]));
  const named: Args = {};
  let next = 0;
  for (const [i, value] of flat.entries()) {
    if (isRecord(value) && (i === flat.length - 1 || flat.length === 1)) Object.assign(named, value);
    else named[names[next++] ?? `argument ${next}`] = value;
  }
  return named;
}

function kindSchema(param: Param, parts: Parts): z.ZodType {
  const kind = param.kind;
  if (typeof kind !== 'string') return z.coerce.string().refine((text) => kind.includes(text));
  const engines = enginesOf(parts);
  const frontEnds = parts.frontEnds.map((one) => one.name);
  const schemas = {
    seconds: z.number().nonnegative(),
    count: z.union([
      z.number().int().nonnegative(),
      z
        .string()
        .regex(/^\+?\d+k?$/)
        .transform(countOf),
    ]),
    share: z.number().min(0).max(1),
    factor: z.number().positive(),
    status: z.number().int().min(200).max(599),
    rank: z.union([
      z.number().int().nonnegative(),
      z
        .string()
        .regex(/^(rank )?\d+$/)
        .transform((text) => Number(text.replace('rank ', ''))),
      z.enum(['all', 'all ranks']).transform(() => undefined),
    ]),
    engine: z.string().refine((name) => engines.includes(name)),
    frontEnd: z.string().refine((name) => frontEnds.includes(name)),
    part: z.string().refine((name) => engines.includes(name) || frontEnds.includes(name)),
    path: z.string().startsWith('/'),
    names: z.union([z.array(z.string()), z.string().transform((name) => [name])]),
    text: z.coerce.string(),
    gauges: z.union([z.literal('keep'), z.string().regex(/^all -?\d+$/), z.record(z.string(), z.number())]),
    switch: z.union([z.boolean(), z.literal('required').transform(() => true), z.literal('open').transform(() => false)]),
  } satisfies Record<string, z.ZodType>;
  return schemas[kind as keyof typeof schemas];
}

function remedy(param: Param, parts: Parts): string {
  if (typeof param.kind !== 'string') return `one of ${param.kind.join(', ')}`;
  const engines = enginesOf(parts).join(', ');
  const frontEnds = parts.frontEnds.map((one) => one.name).join(', ');
  const words: Partial<Record<string, string>> = {
    engine: `one of ${engines}`,
    frontEnd: `one of ${frontEnds}`,
    part: `one of ${engines}, ${frontEnds}`,
    path: 'a path that begins with /',
    share: 'a share between 0 and 1',
    rank: 'the number of a DP rank, or all',
    gauges: '"all 0", "keep" or { name: value }',
    names: 'a list of names',
    switch: 'true or false',
  };
  return words[param.kind] ?? `a value of kind ${param.kind}`;
}

function enginesOf(parts: Parts): string[] {
  return (['prefill', 'decode', 'unified'] as const).flatMap((role) =>
    parts[role] > 0 ? [role, ...Array.from({ length: parts[role] }, (_, i) => `${role}-${i}`)] : [],
  );
}

function callOf(called: unknown): { name: string; inline: unknown[] } {
  const call = /^([\w.]+)\((.*)\)$/s.exec(String(called));
  if (call === null) return { name: String(called), inline: [] };
  // A command holds commas of its own.
  if (call[1] === 'exec') return { name: 'exec', inline: [call[2]] };
  const words = (call[2] ?? '').split(',').map((word) => word.trim());
  return { name: call[1] ?? '', inline: words.filter(Boolean).map((word) => (/^-?\d+(\.\d+)?$/.test(word) ? Number(word) : word)) };
}

function countOf(text: string): number {
  return text.endsWith('k') ? Number(text.slice(0, -1)) * 1000 : Number(text);
}

function isSpan(text: string): boolean {
  return /^\d+(\.\d+)?\.\.\d+(\.\d+)?$/.test(text);
}

function spanOf(second: unknown): { at: number; upTo: number } | undefined {
  if (typeof second !== 'string' || !isSpan(second)) return undefined;
  const [from, to] = second.split(/(?<=\d)\.\.(?=\d)/).map(Number);
  return { at: from ?? 0, upTo: to ?? from ?? 0 };
}

function nearest(name: string): string {
  const near = Object.keys(ACTIONS).find((one) => one.split('.').pop() === name.split('.').pop() || (name.length > 3 && one.startsWith(name.slice(0, -1))));
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

function isAction(name: string): name is ActionName {
  return Object.hasOwn(ACTIONS, name);
}

function isRecord(value: unknown): value is Args {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(errors: string[], text: string): undefined {
  errors.push(text);
  return undefined;
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}
