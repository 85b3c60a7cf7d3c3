import type { Args } from '@/lib/scenarios/scenario';

/** Arguments have been checked against the vocabulary when the file was read; these say so to the compiler and fail loudly if not. */
export function text(args: Args, name: string): string {
  const value = args[name];
  if (typeof value !== 'string') throw new Error(`argument ${name} is ${JSON.stringify(value)}, not text`);
  return value;
}

export function number(args: Args, name: string): number {
  const value = args[name];
  if (typeof value !== 'number') throw new Error(`argument ${name} is ${JSON.stringify(value)}, not a number`);
  return value;
}

export function maybeNumber(args: Args, name: string): number | undefined {
  return args[name] === undefined ? undefined : number(args, name);
}

export function maybeText(args: Args, name: string): string | undefined {
  return args[name] === undefined ? undefined : text(args, name);
}

export function names(args: Args, name: string): string[] {
  const value = args[name];
  return Array.isArray(value) ? value.map(String) : [];
}
