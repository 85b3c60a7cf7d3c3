import { Circuit, type CircuitLimits } from './circuit';
import type { FrontEnd, Worker } from './front-end';
import { get } from './upstream';

const CHECK_EVERY_S = 60;
const CHECK_TIMEOUT_S = 5;
const FAILURES = 3;
const SUCCESSES = 2;

/** What the gateway knows of a worker beyond its address. */
export type Member = {
  worker: Worker;
  circuit: Circuit;
  isHealthy: boolean;
  fails: number;
  passes: number;
  active: number;
  id: string;
  checks: { success: number; failure: number };
};

/** The gateway's workers: who is healthy, whose circuit is open, whose turn it is. */
export class Pool {
  private readonly members = new Map<string, Member>();
  private turn = 0;

  constructor(
    private readonly fe: FrontEnd,
    private readonly limits: CircuitLimits,
  ) {}

  list(): Member[] {
    return this.fe.listedWorkers().map((worker) => this.member(worker));
  }

  /** Begins the 60 s health checks at a random phase. */
  watch(): void {
    const { clock, dice } = this.fe;
    clock.after(dice.between(5, CHECK_EVERY_S), () => {
      void this.checkAll();
      clock.every(CHECK_EVERY_S, () => void this.checkAll());
    });
  }

  /** A prefill and a decode (or a unified engine alone); the text of the refusal names the role that is looked for first. */
  pick(): { prefill: Member | undefined; decode: Member } | { refusal: string } {
    this.turn += 1;
    const unified = this.usable('unified');
    if (unified.length > 0) return { prefill: undefined, decode: this.next(unified) };
    const prefills = this.usable('prefill');
    if (prefills.length === 0) return { refusal: 'No available prefill workers (all circuits open or unhealthy)' };
    const decodes = this.usable('decode');
    if (decodes.length === 0) return { refusal: 'No available decode workers (all circuits open or unhealthy)' };
    return { prefill: this.next(prefills), decode: this.next(decodes) };
  }

  isReady(): boolean {
    const healthy = (role: Worker['role']) => this.list().some((one) => one.worker.role === role && one.isHealthy);
    return healthy('unified') || (healthy('prefill') && healthy('decode'));
  }

  private usable(role: Worker['role']): Member[] {
    const now = this.fe.clock.now();
    return this.fe
      .workers(role)
      .map((worker) => this.member(worker))
      .filter((one) => one.isHealthy && one.circuit.state(now) !== 1);
  }

  private next(members: Member[]): Member {
    const chosen = members[this.turn % members.length];
    if (chosen === undefined) throw new Error('a pool of no members was asked for one');
    return chosen;
  }

  private member(worker: Worker): Member {
    const found = this.members.get(worker.name);
    if (found !== undefined) return found;
    const { dice } = this.fe;
    const id = [8, 4, 4, 4, 12].map((length) => dice.hex(length)).join('-');
    const made: Member = { worker, circuit: new Circuit(this.limits), isHealthy: true, fails: 0, passes: 0, active: 0, id, checks: { success: 0, failure: 0 } };
    this.members.set(worker.name, made);
    return made;
  }

  private async checkAll(): Promise<void> {
    await Promise.all(
      this.list()
        .filter((one) => !one.worker.isDeleted)
        .map((one) => this.check(one)),
    );
  }

  private async check(member: Member): Promise<void> {
    const { status } = await get(this.fe.clock, `${member.worker.url}/health`, CHECK_TIMEOUT_S);
    const isWell = status === 200;
    member.checks[isWell ? 'success' : 'failure'] += 1;
    member.passes = isWell ? member.passes + 1 : 0;
    member.fails = isWell ? 0 : member.fails + 1;
    if (member.fails >= FAILURES) member.isHealthy = false;
    if (member.passes >= SUCCESSES) member.isHealthy = true;
  }
}
