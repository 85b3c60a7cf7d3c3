import { join } from 'node:path';
import { Child } from './child';
import type { Run } from './outcome';
import { type Chosen, isVirtualAble, LONG_S } from './plan';
import { run } from './run';
import type { Slot } from './slot';
import { voidBecause } from './sound';
import type { FromVirtual, ToVirtual } from './virtual/child';

/** One run to make. `untilS`: only the beginning, beside a run of the whole in virtual time. */
export type Job = Chosen & { seed: number; kind: 'sockets' | 'virtual' | 'standing'; scale: number; baselines: boolean; untilS?: number };

/** Long enough for the first thing that happens in either of the long ones. */
const SHORT_S = 900;
/** Slower than this nothing is left to be gained. */
const SLOWEST = 2;
/** Each takes minutes of a real stack. */
const STANDING_TRIES = 3;
const VIRTUAL_SPEED = 60;

/** All runs, the longest first; those on a stack that exists as their files are ordered. */
export function jobsFor(chosen: readonly Chosen[], options: { seeds: number; scale: number; baselines: boolean; virtual: boolean }): Job[] {
  const { seeds, scale, baselines, virtual } = options;
  const jobs = chosen.flatMap((one) => {
    if (one.scenario.standing !== undefined)
      return Array.from({ length: seeds }, (_, seed): Job => ({ ...one, seed, kind: 'standing', scale: 1, baselines: false }));
    const isVirtual = isVirtualAble(one.scenario) && (virtual || one.scenario.lasts > LONG_S);
    const all = Array.from({ length: seeds }, (_, seed): Job => ({ ...one, seed, kind: isVirtual ? 'virtual' : 'sockets', scale, baselines }));
    const beside: Job = { ...one, seed: 0, kind: 'sockets', scale, baselines: false, untilS: SHORT_S };
    return isVirtual && !virtual ? [...all, beside] : all;
  });
  return jobs.some(({ kind }) => kind === 'standing') ? jobs : jobs.sort((a, b) => realSeconds(b) - realSeconds(a));
}

function realSeconds({ kind, scenario, scale, untilS }: Job): number {
  return (untilS ?? scenario.lasts) / (kind === 'virtual' ? VIRTUAL_SPEED : scale);
}

/** Makes a run; one that our own lag spoilt is void and repeated at half the speed. */
export async function soundRun(job: Job, slot: () => Promise<Slot>, note: (text: string) => void): Promise<Run> {
  for (let scale = job.scale; ; scale /= 2) {
    const made = await run(await slot(), { ...job, scale });
    const why = voidBecause(made);
    if (why === undefined || scale / 2 < SLOWEST) return made;
    note(`${job.scenario.id} seed ${job.seed} void at x${scale}: ${why}`);
  }
}

/** Makes a run on a stack that exists; one that our own lag spoilt is void and repeated, as it was since real time cannot go slower. What is void to the last is told so. */
export async function soundStandingRun(job: Pick<Job, 'scenario' | 'seed'>, make: () => Promise<Run>, note: (text: string) => void): Promise<Run> {
  for (let left = STANDING_TRIES - 1; ; left--) {
    const made = await make();
    const why = voidBecause(made);
    if (why !== undefined) note(`${job.scenario.id} seed ${job.seed} void: ${why}${left > 0 ? '' : '; counted none the less, after so many tries'}`);
    if (why === undefined || left === 0) return made;
  }
}

/** Makes a run in virtual time, in a process of its own. */
export async function virtualRun(
  { file, seed, baselines }: Pick<Job, 'file' | 'seed' | 'baselines'>,
  folder: string,
  told?: (seconds: number) => void,
): Promise<Run> {
  const child = new Child<ToVirtual, FromVirtual>(join(folder, 'bench/virtual/child.mjs'));
  child.on((message) => message.kind === 'at' && told?.(message.seconds));
  try {
    await child.next('loaded');
    child.send({ kind: 'run', order: { file, seed, baselines } });
    return (await child.next('finished')).run;
  } finally {
    child.kill();
  }
}
