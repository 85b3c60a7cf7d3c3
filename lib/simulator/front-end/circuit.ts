/** Limits of a circuit; defaults of sglang-router 0.3.2: 10 failures in 120 s open it for 60 s, 3 successes close it. */
export type CircuitLimits = { failures: number; windowSeconds: number; openSeconds: number; successes: number };

/** The breaker of one worker. Only finished requests count; what hangs never does. */
export class Circuit {
  outcomes = { success: 0, failure: 0 };
  consecutive = { success: 0, failure: 0 };
  private failedAt: number[] = [];
  private openedAt: number | undefined;
  private trialSuccesses = 0;
  /** Shown as half-open whatever it is. */
  looksHalfOpen = false;

  constructor(private readonly limits: CircuitLimits) {}

  /** 0 closed, 1 open, 2 half-open. */
  state(now: number): 0 | 1 | 2 {
    if (this.openedAt === undefined) return this.looksHalfOpen ? 2 : 0;
    return now - this.openedAt < this.limits.openSeconds ? 1 : 2;
  }

  record(isSuccess: boolean, now: number): void {
    const what = isSuccess ? 'success' : 'failure';
    this.outcomes[what] += 1;
    this.consecutive = isSuccess ? { success: this.consecutive.success + 1, failure: 0 } : { success: 0, failure: this.consecutive.failure + 1 };
    if (isSuccess) {
      this.succeed(now);
      return;
    }
    if (this.state(now) === 2 && this.openedAt !== undefined) {
      this.open(now);
      return;
    }
    this.failedAt = [...this.failedAt.filter((at) => now - at < this.limits.windowSeconds), now];
    if (this.failedAt.length >= this.limits.failures) this.open(now);
  }

  private succeed(now: number): void {
    if (this.state(now) !== 2) return;
    this.trialSuccesses += 1;
    if (this.trialSuccesses < this.limits.successes) return;
    this.openedAt = undefined;
    this.failedAt = [];
  }

  private open(now: number): void {
    this.openedAt = now;
    this.trialSuccesses = 0;
    this.failedAt = [];
  }
}
