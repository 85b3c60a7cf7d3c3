import type { Prng } from '../prng';
import type { Job } from './job';
import type { RankPage } from './page';

/** Prompts beyond one chunk are computed alone, chunk by chunk; nothing else comes out meanwhile (sglang issue 22511). */
const CHUNK_TOKENS = 8192;
const CHUNK_SECONDS = 1.45;
const BATCH = 16;

/** Prefill's forward passes: short prompts side by side, a long one alone. */
export class Forward {
  readonly jobs: Job[] = [];
  private chunkedAt = 0;
  private readonly chunked = new Map<Job, number>();

  constructor(
    private readonly page: RankPage,
    private readonly dice: Prng,
  ) {}

  hasRoom(next: Job): boolean {
    const isAlone = this.jobs.some((job) => job.promptTokens > CHUNK_TOKENS);
    return next.promptTokens > CHUNK_TOKENS ? this.jobs.length === 0 : !isAlone && this.jobs.length < BATCH;
  }

  start(job: Job, seconds: number, now: number): void {
    this.jobs.push(job);
    if (job.promptTokens <= CHUNK_TOKENS) {
      job.readyAt = job.fake ? now : Math.max(now, job.readyAt || now + seconds);
      return;
    }
    this.chunkedAt = now;
    this.chunked.set(job, 0);
    job.readyAt = now + (job.promptTokens / CHUNK_TOKENS) * CHUNK_SECONDS * this.dice.between(0.72, 1.28);
  }

  /** Tokens of chunks that have become ready since the last turn; each is a report. */
  chunks(now: number): boolean {
    const job = this.jobs.find((one) => this.chunked.has(one));
    if (job === undefined || now - this.chunkedAt < CHUNK_SECONDS) return false;
    this.chunkedAt = now;
    const done = this.chunked.get(job) ?? 0;
    const tokens = Math.min(CHUNK_TOKENS, job.promptTokens - done);
    if (tokens <= 0) return false;
    this.chunked.set(job, done + tokens);
    this.page.add('realtime_tokens_total{mode="prefill_compute"}', tokens);
    return true;
  }

  /** Takes out what is ready. */
  finish(now: number): Job[] {
    const ready = this.jobs.filter((job) => job.readyAt <= now);
    for (const job of ready) {
      this.drop(job);
      this.page.add('realtime_tokens_total{mode="prefill_compute"}', Math.max(0, job.promptTokens - (this.chunked.get(job) ?? 0)));
      this.chunked.delete(job);
    }
    return ready;
  }

  drop(job: Job): void {
    const at = this.jobs.indexOf(job);
    if (at >= 0) this.jobs.splice(at, 1);
  }
}
