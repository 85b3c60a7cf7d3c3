import { type Act, setting, together } from '../act';
import { number, text } from '../arg';

/** The way from prefill to decode: bootstrap and KV transfer. */
export const handOver = {
  'xfer.stuck': (world, args) => setting([world.kv], 'stuckShare', number(args, 'share')),
  'xfer.slow': (world, args) => setting([world.kv], 'slowFactor', number(args, 'factor')),
  'xfer.fail': (world, args) => setting([world.kv], 'failShare', number(args, 'share')),
  'boot.dead': (world, args) => {
    const engines = world.enginesOf(text(args, 'prefill')).map((one) => one.spec.name);
    for (const name of engines) world.kv.bootDead.add(name);
    return () => {
      for (const name of engines) world.kv.bootDead.delete(name);
    };
  },
  'boot.hang': (world, args) => {
    const until = world.clock.now() + number(args, 'seconds');
    const engines = world.enginesOf(text(args, 'prefill')).map((one) => one.spec.name);
    for (const name of engines) world.kv.bootHangUntil.set(name, until);
    return () => {
      for (const name of engines) world.kv.bootHangUntil.delete(name);
    };
  },
  'peer.stale': (world, args) => {
    const pairs = world
      .enginesOf(text(args, 'decode'))
      .flatMap((decode) => world.enginesOf(text(args, 'prefill')).map((prefill) => `${decode.spec.name}>${prefill.spec.name}`));
    for (const pair of pairs) world.kv.stale.add(pair);
    return () => {
      for (const pair of pairs) world.kv.stale.delete(pair);
    };
  },
  waiting_timeout: (world, args) => setting([world.kv], 'waitingTimeout', number(args, 'seconds')),
  'prefill.reject': (world, args) => setting([world.traits], 'rejectLongerThan', number(args, 'longer_than')),
  'pair.delete': (world, args) => {
    const i = number(args, 'i');
    const gone = world.engines.filter((one) => one.spec.index === i);
    for (const engine of gone) engine.kill();
    const workers = world.workers.filter((worker) => worker.pair === i);
    return together([setting(workers, 'isDeleted', true), () => void Promise.all(gone.map((engine) => engine.start(0)))]);
  },
} satisfies Record<string, Act>;
