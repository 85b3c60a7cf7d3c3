import type { Args } from '@/lib/scenarios/scenario';
import { type Act, listing, setting } from '../act';
import { maybeNumber, names, number, text } from '../arg';
import type { FrontEndState } from '../front-end/front-end';
import type { World } from '../world';

/** What front-ends do wrong, or are set to. */
export const frontEnds = {
  'fe.hang': (world, args) => setting(stateOf(world, args), 'hangs', true),
  'fe.oneleg': (world, args) => setting(stateOf(world, args), 'oneLeg', text(args, 'leg') === 'prefill' ? 'prefill' : 'decode'),
  'fe.ghost': (world, args) =>
    setting(stateOf(world, args), 'ghost', { k: number(args, 'k'), n: number(args, 'n'), connectWait: number(args, 'connect_wait') }),
  'fe.shed': (world, args) =>
    listing(
      stateOf(world, args).map((one) => one.shed),
      { status: number(args, 'status'), share: number(args, 'share') },
    ),
  'fe.slots_leak': (world, args) =>
    setting(stateOf(world, args), 'slots', { left: number(args, 'slots'), per: text(args, 'per') === 'abort' ? 'abort' : 'request' }),
  'fe.buffer': (world, args) => setting(stateOf(world, args), 'buffers', true),
  'fe.ping': (world, args) => setting(stateOf(world, args), 'pingEvery', number(args, 'seconds')),
  'fe.models': (world, args) => setting(stateOf(world, args), 'models', names(args, 'ids')),
  'fe.unknown_model': (world, args) => setting(stateOf(world, args), 'unknownModel', answerOf(text(args, 'answer'))),
  'fe.key': (world, args) => setting(stateOf(world, args), 'key', args.required === false ? undefined : 'sk-simulated-front-end-key'),
  'conn.reset_once': (world, args) => {
    for (const state of stateOf(world, args)) state.resets += 1;
    return undefined;
  },
  'reply.drop': (world, args) => {
    const states = args.fe === undefined ? world.frontEnds.map((one) => one.state) : stateOf(world, args);
    const drop = {
      share: number(args, 'share'),
      when: text(args, 'when') === 'mid-stream' ? ('mid-stream' as const) : ('before-header' as const),
      left: maybeNumber(args, 'times') ?? Number.POSITIVE_INFINITY,
    };
    return listing(
      states.map((one) => one.drops),
      drop,
    );
  },
} satisfies Record<string, Act>;

function stateOf(world: World, args: Args): FrontEndState[] {
  return [world.frontEnd(text(args, 'fe')).state];
}

function answerOf(word: string): FrontEndState['unknownModel'] {
  return word === '404' || word === 'hang' ? word : 'pass';
}
