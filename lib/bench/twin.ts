import type { IncomingMessage } from 'node:http';
import type { SimClock } from '@/lib/simulator/clock';
import { readScenario } from '@/lib/simulator/read';
import { type SimTarget, type Simulation, startSimulation } from '@/lib/simulator/simulation';
import { type Footprint, footprint } from './footprint';
import { type Cast, castFor } from './seeds';

/** What to play: one seed of one file. */
export type Order = { file: string; seed: number; scale: number };

/** One stack that plays it, with what our watching does to it. */
export type Twin = { cast: Cast; simulation: Simulation; targets: SimTarget[]; footprint: Footprint };

/** A clock that others share, and a hand on each request before it is served. */
type Own = { clock?: SimClock; before?(req: IncomingMessage): void };

/** Starts a stack of its own: whoever else plays the same order gets the same story and never the same sockets. */
export async function startTwin({ file, seed, scale }: Order, { clock, before }: Own = {}): Promise<Twin> {
  const read = readScenario(file);
  if ('errors' in read) throw new Error(read.errors.join('; '));
  const cast = castFor(read.scenario, seed);
  const { loads } = cast.scenario.stack;
  let seconds = () => 0;
  const seen = footprint(() => seconds(), loads);
  const simulation = await startSimulation(cast.scenario, {
    seed,
    speed: cast.speed,
    timeScale: scale,
    loads,
    tap: (part, req, res) => {
      before?.(req);
      seen.tap(part, req, res);
    },
    ...(clock === undefined ? {} : { clock }),
  });
  seconds = simulation.seconds;
  return { cast, simulation, targets: simulation.targets, footprint: seen };
}
