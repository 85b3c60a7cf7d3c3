import type { Prng } from '../prng';
import { Batch } from './batch';
import type { Job } from './job';
import type { KvPath } from './kv';
import { type Live, Rank, type Tuning } from './rank';

/** Tries for a prefill's layout before decode gives the request up: 15, a second apart (SGLang's sources). */
const LAYOUT_GIVES_UP_S = 15;

/** A decode's scheduler: prealloc -> transfer -> waiting -> running (SGLang's sources). */
export class DecodeRank extends Rank {
  private readonly prealloc: Job[] = [];
  private readonly transfer: Job[] = [];
  private readonly waiting: Job[] = [];
  private readonly batch: Batch;

  constructor(
    number: number,
    tuning: Tuning,
    dice: Prng,
    now: number,
    private readonly kv: KvPath,
    private readonly engine: string,
  ) {
    super(number, tuning, dice, now);
    this.batch = new Batch(this.page);
  }

  protected accept(job: Job): void {
    this.prealloc.push(job);
  }

  protected work(now: number, dt: number): void {
    this.reserve(now);
    this.receive(now);
    this.admit(now);
    if (this.blockedUntil > now) return;
    const rate = this.batch.step(dt, this.tuning.speed * (this.isWarm(now) ? 1 : 3), this.tuning.stopAfter, this.looping);
    if (rate !== undefined) {
      this.setThroughput(rate);
      this.write(now);
    }
    if (this.looping) return;
    for (const job of [...this.batch.jobs]) {
      const finished = job.produced >= job.maxTokens;
      if (finished) this.batch.drop(job);
      this.flush(job, now, finished);
    }
  }

  /** First come, first served: the first that does not fit blocks those behind it, but for those that have no layout yet. */
  private reserve(now: number): void {
    for (const job of [...this.prealloc]) {
      if (!job.fake && !this.kv.hasLayout(job.bootstrapPort)) {
        if (now - job.since > LAYOUT_GIVES_UP_S)
          this.giveUp(job, this.prealloc, 'Decode handshake failed', 'num_bootstrap_failed_reqs_total', 'could not fetch prefill parallel info');
        continue;
      }
      if (this.noAdmit && !job.fake) continue;
      if (!this.hasRoom(job)) return;
      take(job, this.prealloc);
      job.since = now;
      if (job.fake) this.waiting.push(job);
      else {
        this.transfer.push(job);
        this.kv.sendAddresses(job.room, job.bootstrapPort, this.engine, now);
      }
    }
  }

  private hasRoom(job: Job): boolean {
    const held = this.transfer.length + this.lost.transfer + this.lost.prealloc + this.waiting.length + this.lost.waiting;
    return held < this.tuning.slots && this.usedTokens() + job.promptTokens <= this.tuning.kvTokens;
  }

  private receive(now: number): void {
    for (const job of [...this.transfer]) {
      const state = this.kv.poll(job.room, 'decode', now);
      if (state === 'done') {
        take(job, this.transfer);
        this.page.observe('per_stage_req_latency_seconds{stage="decode_transferred"}', now - job.since);
        job.since = now;
        this.waiting.push(job);
      } else if (state === 'failed') {
        this.giveUp(
          job,
          this.transfer,
          'Decode transfer failed',
          'num_transfer_failed_reqs_total',
          'Failed to get kvcache from prefill instance, it might be dead',
        );
      } else if (now - job.since > this.kv.waitingTimeout) {
        const why = `Request ${job.room} timed out after ${this.kv.waitingTimeout.toFixed(1)}s in KVPoll.WaitingForInput`;
        this.giveUp(job, this.transfer, 'Decode transfer failed', 'num_transfer_failed_reqs_total', why);
      }
    }
  }

  private giveUp(job: Job, queue: Job[], what: string, counter: string, why: string): void {
    take(job, queue);
    this.page.add(counter, 1);
    this.fail(
      job,
      `${what} for request rank=${this.number} decode_req.req.rid='${job.rid}' decode_req.req.bootstrap_room=${job.room} with exception KVTransferError(bootstrap_room=${job.room}): ${why}`,
    );
  }

  /** The first token came with the KV; a request for one token ends here without any forward pass. */
  private admit(now: number): void {
    for (const job of [...this.waiting]) {
      if (this.batch.jobs.length + this.lost.running >= this.tuning.maxRunning) return;
      if (!job.fake && this.mustCompile(now)) return;
      take(job, this.waiting);
      job.produced = 1;
      job.unsent = 1;
      if (job.maxTokens <= 1) {
        if (!this.looping || job.fake) this.flush(job, now, true);
        continue;
      }
      this.batch.jobs.push(job);
      if (!this.looping) this.flush(job, now, false);
    }
  }

  protected drop(rid: string): 'bootstrap' | 'transfer' | 'none' | undefined {
    if (takeOut(rid, this.prealloc)) return 'bootstrap';
    if (takeOut(rid, this.transfer)) return 'transfer';
    if (takeOut(rid, this.waiting)) return 'none';
    const running = this.batch.jobs.find((job) => job.rid === rid);
    if (running === undefined) return undefined;
    this.batch.drop(running);
    return 'none';
  }

  protected live(): Omit<Live, 'throughput'> {
    return {
      bootstrap: 0,
      inflight: 0,
      prealloc: this.prealloc.length + this.lost.prealloc,
      transfer: this.transfer.length + this.lost.transfer,
      waiting: this.waiting.length + this.lost.waiting,
      running: this.batch.jobs.length + this.lost.running,
      usedTokens: this.usedTokens(),
    };
  }

  private usedTokens(): number {
    return [...this.transfer, ...this.waiting, ...this.batch.jobs].reduce((sum, job) => sum + job.promptTokens + job.produced, 0);
  }
}

function take(job: Job, queue: Job[]): void {
  queue.splice(queue.indexOf(job), 1);
}

function takeOut(rid: string, queue: Job[]): boolean {
  const at = queue.findIndex((job) => job.rid === rid);
  if (at >= 0) queue.splice(at, 1);
  return at >= 0;
}
