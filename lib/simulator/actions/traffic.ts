import { type Act, setting } from '../act';
import { maybeNumber, number, text } from '../arg';
import type { Level } from '../users';

/** Users and what they do. */
export const traffic = {
  load: (world, args) => {
    const before = world.users.now();
    world.users.setLevel(text(args, 'level') as Level);
    return () => world.users.setLevel(before);
  },
  burst: (world, args) => {
    const n = number(args, 'n');
    world.users.burst(n);
    const every = maybeNumber(args, 'every');
    return every === undefined ? undefined : world.clock.every(every, () => world.users.burst(n));
  },
  abort_storm: (world, args) => {
    world.users.abortStorm(number(args, 'n'), number(args, 'seconds'));
    return undefined;
  },
  abort_one: (world, args) => {
    world.users.abortOne(text(args, 'during') === 'stream' ? 'stream' : 'hand-over');
    return undefined;
  },
  user_mix: (world, args) =>
    setting([world.users], 'mix', { long: number(args, 'long'), tokens: maybeNumber(args, 'tokens') ?? 200_000, abort: number(args, 'abort') }),
} satisfies Record<string, Act>;
