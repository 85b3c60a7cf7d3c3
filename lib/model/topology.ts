import type { Provenance, Target, TargetId } from './target';

/** A directed relation between two targets: `routes` from a front-end to a worker, `kv` from a prefill to a decode. */
export type Edge = { from: TargetId; to: TargetId; kind: 'routes' | 'kv'; known: Provenance };

/** What one front-end or engine advertises on its own `/v1/models`; `error` keeps the last known ids. */
export type ModelList = { ids: string[]; at: number; error?: string };

/** A worker as a front-end's own list tells it (source: gateway `/workers`, mini_lb server info). */
export type ListedWorker = {
  url: string;
  role: 'prefill' | 'decode' | 'unified' | 'unknown';
  model?: string;
  isHealthy?: boolean;
  load?: number;
  /** Id of the watched target at that address, when there is one. */
  target?: TargetId;
};

/** Everything known about who is there and who talks to whom in one stack. */
export type Topology = { stack: string; targets: Target[]; edges: Edge[] };
