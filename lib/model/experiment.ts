import type { Outcome } from './probe';
import type { TargetId } from './target';

/** One try of one cell of the matrix. */
export type ExperimentTry = {
  probe: string;
  outcome: Outcome;
  late: boolean;
  ended: boolean;
  status?: number;
  bytes: number;
  ttftMs?: number;
  elapsedMs: number;
  sentence: string;
};

/** One cell: a front-end asked with one model id. `whose` says whose id that is. */
export type ExperimentCell = { target: TargetId; model: string; whose: 'own' | 'sibling' | 'nonsense'; tries: ExperimentTry[] };

/** A controlled experiment: front-ends x model ids, interleaved, within the probe budget. */
export type Experiment = {
  id: string;
  stack: string;
  startedAt: number;
  endedAt?: number;
  state: 'running' | 'done' | 'cancelled' | 'failed';
  progress: { done: number; of: number };
  cells: ExperimentCell[];
  conclusion?: {
    kind: 'systemic' | 'one-front-end' | 'name' | 'hangs-on-unknown-names' | 'none-hangs' | 'mixed';
    sentence: string;
    confidence: 'low' | 'medium' | 'high';
  };
};
