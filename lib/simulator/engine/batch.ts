import type { Job } from './job';
import type { RankPage } from './page';
import { TOKEN_SECONDS } from './speed';

const REPORT_EVERY_STEPS = 40;

/** The running batch of a decode or unified scheduler: one token for each job a step. */
export class Batch {
  readonly jobs: Job[] = [];
  private debt = 0;
  private steps = 0;
  private sinceReport = { tokens: 0, seconds: 0 };

  constructor(private readonly page: RankPage) {}

  /** Makes the steps due in `dt`. `isLooping`: works and retracts for ever, nothing comes out. Tells whether a report is due, with its throughput. */
  step(dt: number, speed: number, stopAfter: number, isLooping: boolean): number | undefined {
    this.sinceReport.seconds += dt;
    if (this.jobs.length === 0) {
      this.debt = 0;
      return undefined;
    }
    this.debt += dt;
    const each = TOKEN_SECONDS * speed;
    let report: number | undefined;
    while (this.debt >= each) {
      this.debt -= each;
      report = this.one(stopAfter, isLooping) ?? report;
    }
    return report;
  }

  drop(job: Job): void {
    const at = this.jobs.indexOf(job);
    if (at >= 0) this.jobs.splice(at, 1);
  }

  private one(stopAfter: number, isLooping: boolean): number | undefined {
    const moving = this.jobs.filter((job) => job.produced < Math.min(job.maxTokens, stopAfter));
    if (moving.length === 0) return undefined;
    if (!isLooping) {
      for (const job of moving) {
        job.produced += 1;
        job.unsent += 1;
      }
    } else if (this.steps % REPORT_EVERY_STEPS === 0) this.page.add('num_retracted_requests_total', moving.length);
    this.page.add('realtime_tokens_total{mode="decode"}', moving.length);
    this.sinceReport.tokens += moving.length;
    this.steps += 1;
    if (this.steps % REPORT_EVERY_STEPS !== 0) return undefined;
    const rate = this.sinceReport.tokens / Math.max(0.001, this.sinceReport.seconds);
    this.sinceReport = { tokens: 0, seconds: 0 };
    return rate;
  }
}
