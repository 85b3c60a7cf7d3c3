import type { SimClock } from '../clock';
import type { Listener } from '../listener';
import { Overrides } from '../overrides';
import type { Prng } from '../prng';
import type { Traits } from '../traits';

/** An engine as a front-end knows it. */
export type Worker = {
  name: string;
  role: 'prefill' | 'decode' | 'unified';
  pair: number;
  url: string;
  model: string;
  bootstrapPort: number | undefined;
  isDeleted: boolean;
};

/** What actions may do to a front-end; everything is off at first. */
export type FrontEndState = {
  hangs: boolean;
  oneLeg: 'decode' | 'prefill' | undefined;
  ghost: { k: number; n: number; connectWait: number } | undefined;
  shed: { status: number; share: number }[];
  slots: { left: number; per: 'request' | 'abort' } | undefined;
  buffers: boolean;
  pingEvery: number | undefined;
  models: string[] | undefined;
  unknownModel: '404' | 'pass' | 'hang';
  key: string | undefined;
  resets: number;
  /** A worker's error is told as an event in the 200. */
  tellsErrors: boolean;
  everyStreamFails: number | undefined;
  drops: { share: number; when: 'before-header' | 'mid-stream'; left: number }[];
};

/** One front-end: its state, its listening port, and what is in it right now. */
export class FrontEnd {
  readonly overrides = new Overrides();
  readonly inflight = new Set<{ since: number }>();
  listener: Listener | undefined;
  metricsListener: Listener | undefined;
  ghosts = 0;
  metricsOff = false;
  readonly state: FrontEndState;

  constructor(
    readonly name: string,
    readonly kind: 'gateway' | 'mini_lb',
    models: string[] | undefined,
    key: string | undefined,
    private readonly allWorkers: readonly Worker[],
    readonly clock: SimClock,
    readonly dice: Prng,
    readonly traits: Traits,
  ) {
    this.state = {
      hangs: false,
      oneLeg: undefined,
      ghost: undefined,
      shed: [],
      slots: undefined,
      buffers: false,
      pingEvery: undefined,
      models,
      unknownModel: 'pass',
      key,
      resets: 0,
      tellsErrors: false,
      everyStreamFails: undefined,
      drops: [],
    };
  }

  get url(): string {
    return this.listener?.url ?? '';
  }

  /** Workers that it sends to. A deleted one stays only as a ghost in the list. */
  workers(role: Worker['role']): Worker[] {
    return this.allWorkers.filter((worker) => worker.role === role && !worker.isDeleted);
  }

  listedWorkers(): Worker[] {
    return this.allWorkers.filter((worker) => !worker.isDeleted || this.state.ghost !== undefined);
  }

  /** Ids that it advertises: its own, or what its workers say: the gateway all of them, mini_lb the first prefill's (SGLang's sources). */
  models(): string[] {
    if (this.state.models !== undefined) return this.state.models;
    const names = this.allWorkers.filter((worker) => !worker.isDeleted).map((worker) => worker.model);
    return this.kind === 'gateway' ? [...new Set(names)].sort() : names.slice(0, 1);
  }
}
