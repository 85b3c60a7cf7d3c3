import type { Clock } from '@/lib/io/clock';
import { beginExchange, type ExchangeOptions, type LiveExchange } from '@/lib/io/exchange';
import { hider } from '@/lib/io/hide';
import type { Heartbeat } from '@/lib/io/lag';
import type { Lookup } from '@/lib/io/lookup';
import type { PageReader } from '@/lib/io/page';
import type { Config, TargetConfig } from '@/lib/model/config';
import type { RequestSpec } from '@/lib/model/exchange';
import type { Experiment } from '@/lib/model/experiment';
import type { Observation } from '@/lib/model/observation';
import type { ProbeResult, Purpose } from '@/lib/model/probe';
import type { Target, TargetId } from '@/lib/model/target';
import type { ListedWorker, ModelList } from '@/lib/model/topology';
import type { Budget } from './budget';
import type { Earlier } from './earlier';
import type { Known } from './few';
import { secretsIn } from './secrets';

/** What the collector needs of the rest of the thread. */
export type CollectorPorts = {
  observe(observation: Observation): void;
  experiment(experiment: Experiment): void;
  /** `isCrowded`: its queues are long, so that our chats should be fewer. */
  deadline(target: TargetId): { firstTokenMs: number; gapMs: number; from: 'configured' | 'learned'; isCrowded?: boolean };
  /** What an earlier life of ours did to this target, where one left a record. */
  earlier?(target: TargetId): Earlier | undefined;
};

/** One chat on its way. */
export type ChatRun = {
  id: string;
  result(): ProbeResult;
  /** Settles when the verdict falls: at the deadline or at the end, whichever is first. */
  verdict: Promise<ProbeResult>;
  ended: Promise<ProbeResult>;
  /** `free`: not counted as an abort (lost after a heal, or our shutdown). */
  close(why: 'closed-by-us' | 'cap', free?: boolean): void;
};

/** One target and all that the collector remembers of it. */
export type Watched = {
  stack: string;
  config: TargetConfig;
  target: Target;
  stop: AbortController;
  /** Why it is of this kind, or why that is not known. */
  why?: string;
  models?: ModelList;
  listed?: ListedWorker[];
  /** Listed by no front-end since this monotonic moment (found targets only). */
  unlistedSince?: number;
  /** `polled`: entries carry timestamps; `asking`: a control call, never polled. */
  loads: 'unasked' | 'polled' | 'asking';
  metricsUrl?: string;
  /** What its pages have told so far. */
  series?: Known;
  /** A control call that has not returned, and when it was sent. */
  control?: { path: string; sentAt: number; isLate: boolean };
  /** When the health poll that is out was sent. */
  healthSentAt?: number;
  /** When its pages were last read out of turn. */
  lookedAt?: number;
  isSilent: boolean;
  recognisedAt?: number;
  /** Turns in a row whose answers had gaps and told nothing for sure. */
  unsure?: number;
  paused?: { until?: number; by: string };
  budget: Budget;
  runs: Map<string, ChatRun>;
  wanted?: { purpose: Extract<Purpose, 'confirm' | 'heal'>; because: string; at: number };
  experiment?: string;
};

/** What happens in a stack besides: so that a control call and a health poll never fall into the same second. */
export type Quiet = { healthOut: number; controlAt: number };

export type Context = {
  config: Config;
  ports: CollectorPorts;
  clock: Clock;
  lag: Heartbeat;
  pages: PageReader;
  /** One for all, so that names without a resolver do not starve the others. */
  lookup?: Lookup;
  /** We leave after one experiment: no steady chats, and no more out than we may break off. */
  isVisit?: boolean;
  signal: AbortSignal;
  watched: Map<TargetId, Watched>;
  quiet: Map<string, Quiet>;
  live: Set<LiveExchange>;
  /** Start watching a target that was found; does nothing when it is watched already. */
  adopt(stack: string, config: TargetConfig): void;
  dismiss(id: TargetId): void;
  /** Tell the topology of a stack, if it changed. */
  announce(stack: string): void;
};

export const USER_AGENT = 'wedgewatch/0.1.0';

/** Begin an exchange that `stop` will find and close. */
export function begin(context: Context, spec: RequestSpec, options: Omit<ExchangeOptions, 'clock'>): LiveExchange {
  const live = beginExchange(spec, { clock: context.clock, ...lookupOf(context), hide: hider(secretsIn(spec.headers)), ...options });
  context.live.add(live);
  void live.ended.then(() => context.live.delete(live));
  return live;
}

/** How names are resolved, as an option of an exchange. */
export function lookupOf({ lookup }: Context): { lookup?: Lookup } {
  return lookup === undefined ? {} : { lookup };
}

/** A target that refused and answers again was restarted: it may be another one now, and is asked anew what it is. */
export function noteReach(watched: Watched, refused: boolean): void {
  if (!refused && watched.isSilent && watched.recognisedAt !== undefined) {
    watched.recognisedAt = undefined;
    watched.loads = 'unasked';
  }
  watched.isSilent = refused;
}

export function quietOf(context: Context, stack: string): Quiet {
  const quiet = context.quiet.get(stack) ?? { healthOut: 0, controlAt: Number.NEGATIVE_INFINITY };
  context.quiet.set(stack, quiet);
  return quiet;
}

/** A short random name of constant length: 16 hex digits. */
export function randomHex(): string {
  return crypto.randomUUID().replace(/-/g, '').slice(0, 16);
}
