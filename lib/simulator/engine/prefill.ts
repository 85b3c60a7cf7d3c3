import type { Prng } from '../prng';
import { Forward } from './forward';
import type { Job } from './job';
import type { KvPath } from './kv';
import { type Live, Rank, type Tuning } from './rank';
import { firstTokenSeconds } from './speed';

/** A prefill's scheduler: bootstrap -> waiting -> forward -> inflight (SGLang's sources). */
export class PrefillRank extends Rank {
  private readonly bootstrap: Job[] = [];
  private readonly waiting: Job[] = [];
  private readonly inflight: Job[] = [];
  private readonly forward: Forward;
  private loopedAt = 0;

  constructor(
    number: number,
    tuning: Tuning,
    dice: Prng,
    now: number,
    private readonly kv: KvPath,
  ) {
    super(number, tuning, dice, now);
    this.forward = new Forward(this.page, dice);
  }

  protected accept(job: Job): void {
    this.bootstrap.push(job);
  }

  protected work(now: number): void {
    this.meet(now);
    this.begin(now);
    if (this.looping) {
      this.spin(now);
      return;
    }
    if (this.forward.chunks(now)) this.write(now, 1);
    this.complete(now);
    this.deliver(now);
  }

  /** Fake requests overtake those that wait for a peer. */
  private meet(now: number): void {
    for (const job of [...this.bootstrap]) {
      const held = this.waiting.length + this.forward.jobs.length + this.inflight.length + this.lost.inflight;
      if (held >= this.tuning.slots) return;
      if (job.fake || (!this.noAdmit && this.kv.isMet(job.room, now))) {
        move(job, this.bootstrap, this.waiting);
        this.page.observe('per_stage_req_latency_seconds{stage="prefill_bootstrap"}', now - job.since);
        job.since = now;
      } else if (now - job.since > this.kv.bootstrapTimeout) {
        remove(job, this.bootstrap);
        this.page.add('num_bootstrap_failed_reqs_total', 1);
        this.fail(
          job,
          `Prefill bootstrap failed for request rank=${this.number} req.rid='${job.rid}' req.bootstrap_room=${job.room} with exception KVTransferError(bootstrap_room=${job.room}): Request ${job.room} timed out after ${this.kv.bootstrapTimeout.toFixed(1)}s in KVPoll.Bootstrapping`,
        );
      }
    }
  }

  private begin(now: number): void {
    for (const job of [...this.waiting]) {
      if (!this.forward.hasRoom(job)) return;
      if (!job.fake && this.mustCompile(now)) return;
      const ttft = firstTokenSeconds(this.tuning.speed, this.dice) * (this.isWarm(now) ? 1 : 3);
      const isPrompt = now - job.arrived < ttft / 2;
      job.readyAt = isPrompt ? job.arrived + ttft * 0.8 : now + ttft * 0.6;
      remove(job, this.waiting);
      this.forward.start(job, ttft * 0.6, now);
    }
  }

  private complete(now: number): void {
    const ready = this.forward.finish(now);
    for (const job of ready) {
      job.since = now;
      this.inflight.push(job);
      this.page.observe('per_stage_req_latency_seconds{stage="prefill_forward"}', Math.max(0, now - job.arrived));
      if (!job.fake) this.kv.startTransfer(job.room, 0.06 * this.tuning.speed, job.readyAt);
    }
    if (ready.length > 0) this.write(now, ready.length);
  }

  private deliver(now: number): void {
    for (const job of [...this.inflight]) {
      const state = job.fake ? (job.since < now ? 'done' : 'going') : this.kv.poll(job.room, 'prefill', now);
      if (state === 'going') continue;
      remove(job, this.inflight);
      if (state === 'failed') {
        this.page.add('num_transfer_failed_reqs_total', 1);
        this.fail(
          job,
          `Prefill transfer failed for request rank=${this.number} req.rid='${job.rid}' req.bootstrap_room=${job.room} with exception KVTransferError(bootstrap_room=${job.room}): Failed to send kv chunk`,
        );
        continue;
      }
      if (!job.fake) this.page.observe('kv_transfer_latency_ms', (now - job.since) * 1000, [1, 5, 10, 50, 100, 500, 1000, 5000, 30000]);
      job.unsent = 1;
      job.produced = 1;
      this.flush(job, now, true);
    }
  }

  /** Recomputes for ever what it holds. */
  private spin(now: number): void {
    if (now - this.loopedAt < 1) return;
    this.loopedAt = now;
    for (const job of this.forward.jobs) this.page.add('realtime_tokens_total{mode="prefill_compute"}', job.promptTokens);
  }

  protected drop(rid: string): 'bootstrap' | 'transfer' | 'none' | undefined {
    if (takeOut(rid, this.bootstrap)) return 'bootstrap';
    if (takeOut(rid, this.inflight)) return 'transfer';
    const running = this.forward.jobs.find((job) => job.rid === rid);
    if (running !== undefined) this.forward.drop(running);
    return takeOut(rid, this.waiting) || running !== undefined ? 'none' : undefined;
  }

  protected live(): Omit<Live, 'throughput'> {
    const all = [...this.waiting, ...this.forward.jobs, ...this.inflight];
    return {
      bootstrap: this.bootstrap.length + this.lost.bootstrap,
      inflight: this.inflight.length + this.lost.inflight,
      prealloc: 0,
      transfer: 0,
      waiting: this.waiting.length + this.lost.waiting,
      running: this.forward.jobs.length + this.lost.running,
      usedTokens: all.reduce((sum, job) => sum + job.promptTokens, 0),
    };
  }
}

function move(job: Job, from: Job[], to: Job[]): void {
  remove(job, from);
  to.push(job);
}

function remove(job: Job, queue: Job[]): void {
  queue.splice(queue.indexOf(job), 1);
}

function takeOut(rid: string, queue: Job[]): boolean {
  const at = queue.findIndex((job) => job.rid === rid);
  if (at >= 0) queue.splice(at, 1);
  return at >= 0;
}
