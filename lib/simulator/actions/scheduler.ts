import type { Args } from '@/lib/scenarios/scenario';
import { type Act, listing, setting, together } from '../act';
import { maybeNumber, number, text } from '../arg';
import type { Live, Queue, Rank } from '../engine/rank';
import type { World } from '../world';

/** Scheduler loops, the detokenizer, and slots that get lost. */
export const scheduler = {
  'sched.freeze': (world, args) => setting(ranksOf(world, args), 'frozen', true),
  'sched.thaw': (world, args) => {
    for (const rank of ranksOf(world, args)) rank.thaw();
    return undefined;
  },
  'sched.gauges': (world, args) => {
    const ranks = world.enginesOf(text(args, 'role')).flatMap((one) => one.ranks);
    const before = ranks.map((rank) => new Map(rank.page.gauges));
    for (const rank of ranks) {
      for (const [name, value] of wanted(rank, args.values)) {
        rank.page.gauges.set(name, value);
        const live = LIVE[name];
        if (live !== undefined) rank.seen = { ...rank.seen, [live]: value };
      }
    }
    return () => {
      for (const [i, rank] of ranks.entries()) for (const [name, value] of before[i] ?? []) rank.page.gauges.set(name, value);
    };
  },
  'sched.no_admit': (world, args) => setting(ranksOf(world, args), 'noAdmit', true),
  'sched.loop': (world, args) => setting(ranksOf(world, args), 'looping', true),
  compile: (world, args) =>
    listing(
      world.enginesOf(text(args, 'role')).map((one) => one.tuning.compiles),
      number(args, 'seconds'),
    ),
  'detok.freeze': (world, args) => {
    const engines = world.enginesOf(text(args, 'role'));
    for (const engine of engines) engine.freezeDetokenizer();
    return () => {
      for (const engine of engines) engine.thawDetokenizer();
    };
  },
  'detok.thaw': (world, args) => {
    for (const engine of world.enginesOf(text(args, 'role'))) engine.thawDetokenizer();
    return undefined;
  },
  'queue.hold': (world, args) => {
    const queue = text(args, 'queue') as Queue;
    const per = text(args, 'per');
    const n = number(args, 'n');
    const engines = world.enginesOf(text(args, 'role'));
    if (per !== 'fixed') {
      const stop = listing(
        engines.map((one) => one.tuning.holds),
        { queue, per: per === 'abort' ? 'abort' : 'request', n },
      );
      return together([
        stop,
        () =>
          release(
            engines.flatMap((one) => one.ranks),
            queue,
          ),
      ]);
    }
    const ranks = engines.flatMap((one) => one.ranks);
    for (const rank of ranks) rank.lost[queue] += n;
    return () => release(ranks, queue);
  },
} satisfies Record<string, Act>;

/** The same numbers in the load snapshot, which reads what the gauges read. */
const LIVE: Record<string, keyof Live> = {
  num_running_reqs: 'running',
  num_queue_reqs: 'waiting',
  num_prefill_bootstrap_queue_reqs: 'bootstrap',
  num_prefill_inflight_queue_reqs: 'inflight',
  num_decode_prealloc_queue_reqs: 'prealloc',
  num_decode_transfer_queue_reqs: 'transfer',
  num_used_tokens: 'usedTokens',
  gen_throughput: 'throughput',
};

function release(ranks: readonly Rank[], queue: Queue): void {
  for (const rank of ranks) rank.lost[queue] = 0;
}

function ranksOf(world: World, args: Args): Rank[] {
  const rank = maybeNumber(args, 'rank');
  return world.enginesOf(text(args, 'role')).flatMap((one) => (rank === undefined ? one.ranks : one.ranks.filter((_, i) => i === rank)));
}

function wanted(rank: Rank, values: unknown): [string, number][] {
  if (typeof values === 'object' && values !== null) return Object.entries(values).map(([name, value]) => [name, Number(value)]);
  const all = /^all (-?\d+)$/.exec(String(values))?.[1];
  return all === undefined ? [] : [...new Set([...rank.page.gauges.keys(), ...Object.keys(LIVE)])].map((name) => [name, Number(all)]);
}
