import { join } from 'node:path';
import { Child } from './child';
import type { FromMonitors, FromPlayer, FromWatcher, ToMonitors, ToPlayer, ToWatcher } from './messages';
import { Network } from './network';

/** The files of a slot's processes, as `built` names them. */
export const ENTRIES = ['bench/play', 'bench/watch', 'bench/monitor', 'bench/relay'] as const;

/** The processes in which one run after another takes place: they are warm from the second run on. */
export type Slot = {
  player: Child<ToPlayer, FromPlayer>;
  watcher: Child<ToWatcher, FromWatcher>;
  /** The baselines' own stacks, and the baselines. */
  twins: Child<ToPlayer, FromPlayer>;
  monitors: Child<ToMonitors, FromMonitors>;
  network(): Network;
  isBroken(): boolean;
  /** Ends what is left of a run that failed. */
  kill(): void;
};

/** Starts them; `folder` is where the built files are. */
export async function openSlot(folder: string): Promise<Slot> {
  const file = (name: string) => join(folder, 'bench', `${name}.mjs`);
  const player = new Child<ToPlayer, FromPlayer>(file('play'));
  const watcher = new Child<ToWatcher, FromWatcher>(file('watch'));
  const twins = new Child<ToPlayer, FromPlayer>(file('play'));
  const monitors = new Child<ToMonitors, FromMonitors>(file('monitor'));
  await Promise.all([player.next('loaded'), watcher.next('loaded'), twins.next('loaded'), monitors.next('loaded')]);
  return {
    player,
    watcher,
    twins,
    monitors,
    network: () => new Network(file('relay')),
    isBroken: () => [player, watcher, twins, monitors].some((child) => child.isDead),
    kill() {
      for (const child of [player, watcher, twins, monitors]) child.kill();
    },
  };
}
