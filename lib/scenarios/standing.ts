import { z } from 'zod';
import type { Step } from './step';

/** A part of a stack that exists, as an operator writes it: where it listens, and what is configured for it. */
export type StandingPart = { name: string; url: string; metricsUrl?: string; model?: string };

/** A stack that exists already: front-ends (or engines that take chats themselves) and the engines behind them, or a configuration file of ours. */
export type Standing = { frontEnds: StandingPart[]; engines: StandingPart[]; config?: string };

const url = z.string().regex(/^https?:\/\/[^/?#@\s]+$/, { error: 'is no address; write http://host:port' });
const part = z.strictObject({ name: z.string().min(1), url, metricsUrl: z.url().optional(), model: z.string().min(1).optional() });

/** `standing:` of a scenario file. */
export const standing = z
  .strictObject({ frontEnds: z.array(part).default([]), engines: z.array(part).default([]), config: z.string().min(1).optional() })
  .refine((one) => (one.config === undefined) !== (one.frontEnds.length === 0), {
    error: 'names no stack; write frontEnds with their urls (and engines), or config with the path of a wedgewatch.yaml, not both',
  });

/** What may be done to a stack that we did not make: run a command, and pause, misdate or misconfigure ourselves. */
const REAL = ['exec', 'dash.pause', 'dash.clock', 'dash.model'];

/** Actions that need the simulator on a stack that exists, and commands without such a stack. */
export function misplaced(steps: readonly Step[], where: string, isStanding: boolean): string[] {
  return steps.flatMap(({ action }, i) => {
    if (isStanding === REAL.includes(action) || (!isStanding && action.startsWith('dash.'))) return [];
    return isStanding
      ? [`${where}[${i}] ${action}: needs a simulated part; on a stack that exists (standing) use ${REAL.join(', ')}`]
      : [`${where}[${i}] exec: acts on a stack that exists, and this one is simulated; name yours under standing instead of stack`];
  });
}
