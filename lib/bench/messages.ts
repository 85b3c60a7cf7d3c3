import type { Config } from '@/lib/model/config';
import type { SimTarget } from '@/lib/simulator/simulation';
import type { BaselineWord, Harm } from './outcome';
import type { Order } from './twin';
import type { ToldLine, Watched } from './watching';

/** What the runner says to a process of its own; each is answered by one message, but for those of `dash`. */
export type ToPlayer = { kind: 'play'; order: Order; copies: number } | { kind: 'finish' };
export type ToWatcher =
  | { kind: 'watch'; config: Config }
  | { kind: 'clock'; seconds: number }
  | { kind: 'model'; front: string; id: string }
  | { kind: 'finish' };
export type ToMonitors = { kind: 'monitor'; scale: number; stacks: Record<string, MonitoredStack> } | { kind: 'finish' };

/** A stack as a baseline gets to know it: what an operator would write into its configuration. */
export type MonitoredStack = { fronts: { name: string; url: string; model: string }[]; engines: { name: string; url: string }[] };

/** What they answer. Moments are wall-clock ms. `startedAt` is second 0 of the story. */
export type FromPlayer =
  | { kind: 'loaded' }
  | { kind: 'ready'; stacks: { startedAt: number; targets: SimTarget[]; referenceUrl: string }[] }
  | { kind: 'dash'; action: string; args: Record<string, unknown> }
  | { kind: 'finished'; harm: Harm; lagMs: number }
  | { kind: 'error'; message: string };
export type FromWatcher = { kind: 'loaded' } | ({ kind: 'line' } & ToldLine) | ({ kind: 'finished' } & Watched) | { kind: 'error'; message: string };
export type FromMonitors =
  | { kind: 'loaded' }
  | { kind: 'ready' }
  | { kind: 'finished'; words: Record<string, (Omit<BaselineWord, 's'> & { now: number })[]> }
  | { kind: 'error'; message: string };
