import type { Prng } from '../prng';
import { Batch } from './batch';
import { Forward } from './forward';
import type { Job } from './job';
import { type Live, Rank, type Tuning } from './rank';
import { firstTokenSeconds } from './speed';

/** The scheduler of an engine that is not split: waiting -> forward -> running. */
export class UnifiedRank extends Rank {
  private readonly waiting: Job[] = [];
  private readonly forward: Forward;
  private readonly batch: Batch;

  constructor(number: number, tuning: Tuning, dice: Prng, now: number) {
    super(number, tuning, dice, now);
    this.forward = new Forward(this.page, dice);
    this.batch = new Batch(this.page);
  }

  protected accept(job: Job): void {
    this.waiting.push(job);
  }

  protected work(now: number, dt: number): void {
    this.begin(now);
    if (this.forward.chunks(now)) this.write(now);
    if (!this.looping) this.complete(now);
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

  private begin(now: number): void {
    for (const job of [...this.waiting]) {
      const isFull = this.batch.jobs.length + this.forward.jobs.length + this.lost.running >= this.tuning.maxRunning;
      if (isFull || !this.forward.hasRoom(job) || (this.noAdmit && !job.fake)) return;
      if (!job.fake && this.mustCompile(now)) return;
      this.waiting.splice(this.waiting.indexOf(job), 1);
      const ttft = firstTokenSeconds(this.tuning.speed, this.dice) * (this.isWarm(now) ? 1 : 3);
      job.readyAt = now - job.arrived < ttft / 2 ? job.arrived + ttft : now + ttft * 0.8;
      this.forward.start(job, ttft, now);
    }
  }

  private complete(now: number): void {
    const ready = this.forward.finish(now);
    for (const job of ready) {
      job.produced = 1;
      job.unsent = 1;
      const finished = job.maxTokens <= 1;
      if (!finished) this.batch.jobs.push(job);
      this.flush(job, now, finished);
    }
    if (ready.length > 0) this.write(now, this.batch.jobs.length + ready.filter((job) => job.maxTokens <= 1).length);
  }

  protected drop(rid: string): 'none' | undefined {
    const at = this.waiting.findIndex((job) => job.rid === rid);
    if (at >= 0) this.waiting.splice(at, 1);
    const running = [...this.batch.jobs, ...this.forward.jobs].find((job) => job.rid === rid);
    if (running !== undefined) {
      this.batch.drop(running);
      this.forward.drop(running);
    }
    return at >= 0 || running !== undefined ? 'none' : undefined;
  }

  protected live(): Omit<Live, 'throughput'> {
    const all = [...this.forward.jobs, ...this.batch.jobs];
    return {
      bootstrap: 0,
      inflight: 0,
      prealloc: 0,
      transfer: 0,
      waiting: this.waiting.length + this.lost.waiting,
      running: all.length + this.lost.running,
      usedTokens: all.reduce((sum, job) => sum + job.promptTokens + job.produced, 0),
    };
  }
}
