import type { Prng } from '../prng';
import type { Job, Message } from './job';
import { RankPage } from './page';

/** Names of the queues of all roles, as actions call them. */
export type Queue = 'bootstrap' | 'inflight' | 'prealloc' | 'transfer' | 'waiting' | 'running';

/** Live numbers of one rank: what `/v1/loads` would say if the loop turned. */
export type Live = Record<Queue, number> & { usedTokens: number; throughput: number };

/** What all ranks of an engine share and actions may change. */
export type Tuning = {
  /** Baseline factor: 1 = 0.4 s median, 0.9 s p99 to the first token. */
  speed: number;
  slots: number;
  maxRunning: number;
  kvTokens: number;
  /** Seconds that the next real forward passes will block the loop, one each. */
  compiles: number[];
  holds: { queue: Queue; per: 'abort' | 'request'; n: number }[];
  /** Work is slower until then, after a start. */
  warmUntil: number;
  stopAfter: number;
};

/** Shortest distance between two sends of one stream, told seconds: keeps a loaded play cheap. */
const SEND_EVERY_S = 0.2;
const IDLE_REFRESH_S = 30;
const STAGES = { other: 0.1, recv_requests: 0.2, process_input_requests: 0.03, get_next_batch_to_run: 0.04, process_queue: 0.15, sanity_check_cache: 0.1 };

/** The scheduler loop of one DP rank: reads its inbox, moves its queues, writes its gauges when it has a reason to. */
export abstract class Rank {
  readonly page = new RankPage();
  frozen = false;
  dead = false;
  noAdmit = false;
  looping = false;
  blockedUntil = 0;
  turnedAt: number;
  /** Numbers of the last turn. */
  seen: Live;
  readonly lost: Record<Queue, number> = { bootstrap: 0, inflight: 0, prealloc: 0, transfer: 0, waiting: 0, running: 0 };
  protected inbox: Message[] = [];
  protected refreshedAt = 0;
  private cpuDebt = 0;
  private throughput = 0;

  constructor(
    readonly number: number,
    protected readonly tuning: Tuning,
    protected readonly dice: Prng,
    now: number,
  ) {
    this.turnedAt = now;
    this.seen = { bootstrap: 0, inflight: 0, prealloc: 0, transfer: 0, waiting: 0, running: 0, usedTokens: 0, throughput: 0 };
    this.refreshedAt = now;
  }

  send(message: Message): void {
    this.inbox.push(message);
  }

  /** Whether the loop would turn now. */
  turns(now: number): boolean {
    return !this.frozen && !this.dead && now >= this.blockedUntil;
  }

  /** One turn. `dt` is the time since the last tick, not since the last turn: a thawed loop does not make up for lost time. */
  turn(now: number, dt: number): void {
    if (!this.turns(now)) return;
    this.readInbox(now);
    this.work(now, dt);
    this.turnedAt = now;
    const isIdle = this.isIdle();
    if (isIdle && now - this.refreshedAt >= IDLE_REFRESH_S) {
      this.throughput = 0;
      this.write(now);
    }
    this.seen = { ...this.live(), throughput: this.throughput };
    this.beat(dt, isIdle);
  }

  thaw(): void {
    this.frozen = false;
    this.noAdmit = false;
    this.looping = false;
    this.blockedUntil = 0;
  }

  /** Takes a job out of whatever queue it is in; false when it is not here. */
  protected abstract drop(rid: string): 'bootstrap' | 'transfer' | 'none' | undefined;
  protected abstract accept(job: Job, now: number): void;
  protected abstract work(now: number, dt: number): void;
  protected abstract live(): Omit<Live, 'throughput'>;

  protected write(now: number, running?: number): void {
    this.refreshedAt = now;
    const live = this.live();
    const gauges = this.page.gauges;
    gauges.set('num_running_reqs', running ?? live.running);
    gauges.set('num_queue_reqs', live.waiting);
    gauges.set('num_prefill_bootstrap_queue_reqs', live.bootstrap);
    gauges.set('num_prefill_inflight_queue_reqs', live.inflight);
    gauges.set('num_decode_prealloc_queue_reqs', live.prealloc);
    gauges.set('num_decode_transfer_queue_reqs', live.transfer);
    gauges.set('num_used_tokens', live.usedTokens);
    gauges.set('token_usage', Math.round((live.usedTokens / this.tuning.kvTokens) * 100) / 100);
    gauges.set('gen_throughput', this.throughput);
  }

  protected setThroughput(tokensPerSecond: number): void {
    this.throughput = tokensPerSecond;
  }

  /** Blocks the loop when a compile is due; the pass that wanted it has to wait. */
  protected mustCompile(now: number): boolean {
    const seconds = this.tuning.compiles.shift();
    if (seconds === undefined) return false;
    this.blockedUntil = now + seconds;
    return true;
  }

  protected isWarm(now: number): boolean {
    return now >= this.tuning.warmUntil;
  }

  /** Sends what a job has made, at most each 0.2 s once it flows. */
  protected flush(job: Job, now: number, finished: boolean): void {
    if (job.unsent === 0 && !finished) return;
    if (!finished && job.produced > 3 && now - job.sentAt < SEND_EVERY_S) return;
    const count = job.unsent;
    job.unsent = 0;
    job.sentAt = now;
    job.emit(finished ? { kind: 'tokens', count, finished: 'length' } : { kind: 'tokens', count });
  }

  protected fail(job: Job, message: string): void {
    job.emit({ kind: 'error', message, status: 500, type: 'INTERNAL_SERVER_ERROR' });
  }

  private readInbox(now: number): void {
    const messages = this.inbox;
    this.inbox = [];
    for (const message of messages) {
      if (message.kind === 'job') this.arrive(message.job, now);
      else if (message.kind === 'control') message.answer();
      else this.abort(message.rid);
    }
  }

  private arrive(job: Job, now: number): void {
    job.since = now;
    if (!job.fake) for (const hold of this.tuning.holds) if (hold.per === 'request') this.lost[hold.queue] += hold.n;
    this.accept(job, now);
  }

  private abort(rid: string): void {
    const where = this.drop(rid);
    if (where === undefined) return;
    if (where !== 'none') this.page.add(where === 'bootstrap' ? 'num_bootstrap_failed_reqs_total' : 'num_transfer_failed_reqs_total', 1);
    for (const hold of this.tuning.holds) if (hold.per === 'abort') this.lost[hold.queue] += hold.n;
  }

  private isIdle(): boolean {
    const live = this.live();
    return live.bootstrap + live.inflight + live.prealloc + live.transfer + live.waiting + live.running === 0;
  }

  /** CPU, idle and stage counters grow once a second while the loop turns; idle only while nothing is queued (sglang 0.5.23, seen running). */
  private beat(dt: number, isIdle: boolean): void {
    this.cpuDebt += dt;
    if (this.cpuDebt < 1) return;
    const spent = this.cpuDebt;
    this.cpuDebt = 0;
    this.page.add('scheduler_process_cpu_seconds_total', spent * 0.61);
    if (isIdle) this.page.add('scheduler_idle_seconds_total', spent * 0.95);
    for (const [stage, share] of Object.entries(STAGES))
      this.page.add(`scheduler_stage_seconds_total{category="${stage}",forward_overlap="none"}`, spent * share);
    if (isIdle) this.page.add('scheduler_stage_seconds_total{category="idle",forward_overlap="none"}', spent * 0.35);
  }
}
