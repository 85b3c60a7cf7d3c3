import type { Args } from '@/lib/scenarios/scenario';
import { type Act, setting, together } from '../act';
import { maybeNumber, maybeText, number, text } from '../arg';
import type { Engine, MetricsForm } from '../engine/engine';
import type { FrontEnd } from '../front-end/front-end';
import type { World } from '../world';

/** What answers look like: streams, single paths, metrics pages. */
export const answers = {
  'stream.role_first': (world) => setting([world.traits], 'roleFirst', true),
  'stream.stop_after': (world, args) =>
    setting(
      world.engines.map((one) => one.tuning),
      'stopAfter',
      number(args, 'tokens'),
    ),
  'stream.reasoning_only': (world) => setting([world.traits], 'reasoningOnly', true),
  'stream.empty': (world) => setting([world.traits], 'empty', true),
  'stream.error_in_200': (world, args, at) => {
    const name = maybeText(args, 'fe');
    const frontEnds = world.frontEnds.filter((one) => (name === undefined ? true : one.name === name));
    const when = maybeText(args, 'when') ?? (at === 0 ? 'fault' : 'always');
    if (when === 'fault')
      return setting(
        frontEnds.filter((one) => one.kind === 'mini_lb').map((one) => one.state),
        'tellsErrors',
        true,
      );
    return setting(
      frontEnds.map((one) => one.state),
      'everyStreamFails',
      number(args, 'status'),
    );
  },
  'http.status': (world, args) =>
    together(partsOf(world, args).map((part) => part.overrides.add({ path: text(args, 'path'), status: number(args, 'code'), left: timesOf(args) }))),
  'http.slow': (world, args) =>
    together(partsOf(world, args).map((part) => part.overrides.add({ path: text(args, 'path'), seconds: number(args, 'seconds'), left: timesOf(args) }))),
  'metrics.off': (world, args) => setting(partsOf(world, args), 'metricsOff', true),
  'metrics.rename': (world, args) => setting(world.enginesOf(text(args, 'part')), 'metricsForm', text(args, 'form') as MetricsForm),
} satisfies Record<string, Act>;

function partsOf(world: World, args: Args): (Engine | FrontEnd)[] {
  const part = text(args, 'part');
  return [...world.enginesOf(part), ...world.frontEnds.filter((one) => one.name === part)];
}

function timesOf(args: Args): number {
  return maybeNumber(args, 'times') ?? Number.POSITIVE_INFINITY;
}
