import type { Args } from '@/lib/scenarios/scenario';
import type { World } from './world';

/** Does one action; what it returns undoes it. `at` is the second of the play. */
export type Act = (world: World, args: Args, at: number) => (() => void) | undefined;

/** Sets one field of a thing for as long as the action lasts. */
export function setting<T extends object, K extends keyof T>(things: readonly T[], key: K, value: T[K]): () => void {
  const before = things.map((thing) => thing[key]);
  for (const thing of things) thing[key] = value;
  return () => {
    for (const [i, thing] of things.entries()) thing[key] = before[i] as T[K];
  };
}

/** Puts something on a list for as long as the action lasts. */
export function listing<T>(lists: readonly T[][], value: T): () => void {
  for (const list of lists) list.push(value);
  return () => {
    for (const list of lists) {
      const at = list.indexOf(value);
      if (at >= 0) list.splice(at, 1);
    }
  };
}

/** Runs several undos as one. */
export function together(undos: readonly (() => void)[]): () => void {
  return () => {
    for (const undo of undos) undo();
  };
}
