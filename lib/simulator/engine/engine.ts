import type { SimClock } from '../clock';
import type { Listener } from '../listener';
import { Overrides } from '../overrides';
import type { Prng } from '../prng';
import type { Traits } from '../traits';
import type { Job, Output } from './job';
import type { KvPath } from './kv';
import { HttpPage } from './page';
import type { Rank, Tuning } from './rank';

/** What an engine does in the stack. */
export type EngineRole = 'prefill' | 'decode' | 'unified';

/** What never changes of an engine. */
export type EngineSpec = {
  name: string;
  role: EngineRole;
  index: number;
  model: string;
  bootstrapPort?: number;
  loads: 'ask' | 'snapshot';
  freshLoadsSilent: boolean;
};

/** How the names of its metrics are spelt. */
export type MetricsForm = 'colon' | 'underscore' | 'prealloc' | 'misspelt';

/** One engine: an HTTP process before the scheduler loops of its ranks. Owns their lives. */
export class Engine {
  ranks: Rank[];
  http = new HttpPage();
  readonly overrides = new Overrides();
  listener: Listener | undefined;
  /** A `/health` probe has failed and none passed since. */
  isReady = true;
  isStarting = false;
  isFresh = true;
  metricsOff = false;
  metricsForm: MetricsForm = 'colon';
  lastMessageAt = -1;
  private isMuted = false;
  private unsaid: (() => void)[] = [];
  private isDetokFrozen = false;
  private undetokened: (() => void)[] = [];
  private readonly controls: (() => void)[] = [];
  private nextRank = 0;
  private life = 0;

  constructor(
    readonly spec: EngineSpec,
    readonly clock: SimClock,
    readonly dice: Prng,
    readonly kv: KvPath,
    readonly traits: Traits,
    readonly tuning: Tuning,
    private readonly makeRanks: () => Rank[],
  ) {
    this.ranks = makeRanks();
  }

  get url(): string {
    return this.listener?.url ?? '';
  }

  turn(now: number, dt: number): void {
    for (const rank of this.ranks) rank.turn(now, dt);
  }

  /** Does it now, or as soon as the HTTP process speaks again. */
  speak(then: () => void): void {
    if (this.isMuted) this.unsaid.push(then);
    else then();
  }

  mute(): void {
    this.isMuted = true;
    this.kv.silent.set(this.spec.name, this.clock.now());
  }

  unmute(): void {
    this.isMuted = false;
    this.kv.silent.delete(this.spec.name);
    const unsaid = this.unsaid;
    this.unsaid = [];
    for (const then of unsaid) then();
  }

  freezeDetokenizer(): void {
    this.isDetokFrozen = true;
  }

  thawDetokenizer(): void {
    this.isDetokFrozen = false;
    const late = this.undetokened;
    this.undetokened = [];
    for (const then of late) then();
  }

  /** Gives a job to a scheduler; what comes back passes the detokenizer, and is a message from the scheduler whatever it is. */
  submit(job: Omit<Job, 'emit' | 'since' | 'readyAt' | 'produced' | 'unsent' | 'sentAt' | 'arrived'>, listen: (output: Output) => void): { abort(): void } {
    const life = this.life;
    const rank = this.ranks[this.nextRank++ % this.ranks.length];
    if (!job.health) this.isFresh = false;
    const emit = (output: Output) => {
      if (life !== this.life) return;
      const hand = () => {
        this.lastMessageAt = this.clock.now();
        listen(output);
      };
      const isAliveSignal = job.health && this.isDetokFrozen && this.ranks.some((one) => one.seen.running > 0);
      if (this.isDetokFrozen && !isAliveSignal) this.undetokened.push(hand);
      else hand();
    };
    rank?.send({ kind: 'job', job: { ...job, arrived: this.clock.now(), since: 0, readyAt: 0, produced: 0, unsent: 0, sentAt: 0, emit } });
    return {
      abort: () => {
        if (life !== this.life) return;
        this.http.add('num_aborted_requests_total', 1);
        rank?.send({ kind: 'abort', rid: job.rid });
      },
    };
  }

  /** A control call: answered when every rank's loop has turned, one at a time (SGLang's sources). */
  control(then: () => void): void {
    this.controls.push(then);
    if (this.controls.length === 1) this.ask();
  }

  private ask(): void {
    const life = this.life;
    let open = this.ranks.length;
    const answer = () => {
      open -= 1;
      if (open > 0 || life !== this.life) return;
      this.lastMessageAt = this.clock.now();
      const then = this.controls.shift();
      then?.();
      if (this.controls.length > 0) this.ask();
    };
    for (const rank of this.ranks) rank.send({ kind: 'control', answer });
  }

  /** Ends the process: connections are cut, the port refuses, everything in it is lost. */
  kill(): void {
    this.life += 1;
    for (const rank of this.ranks) rank.dead = true;
    this.listener?.kill();
    this.controls.length = 0;
    this.unsaid = [];
    this.undetokened = [];
    this.isMuted = false;
    this.isDetokFrozen = false;
    const now = this.clock.now();
    this.kv.silent.set(this.spec.name, now);
    this.kv.died(this.spec.name, now);
  }

  /** Starts it anew: counters at zero, health 503 and slow work until it is warm. */
  async start(warmSeconds: number): Promise<void> {
    this.http = new HttpPage();
    this.ranks = this.makeRanks();
    this.isReady = true;
    this.isFresh = true;
    this.tuning.warmUntil = this.clock.now() + warmSeconds;
    this.isStarting = true;
    const life = this.life;
    this.clock.after(warmSeconds, () => {
      if (life === this.life) this.isStarting = false;
    });
    await this.listener?.open();
    this.kv.silent.delete(this.spec.name);
  }

  /** A child's death: the HTTP process is mute at once; the port refuses when the clean-up is done (sglang 0.5.23, seen running). */
  killChild(what: 'scheduler' | 'detokenizer'): void {
    if (what === 'scheduler') for (const rank of this.ranks) rank.dead = true;
    this.mute();
    const life = this.life;
    this.clock.after(what === 'scheduler' ? 7 : 60, () => {
      if (life === this.life) this.kill();
    });
  }
}
