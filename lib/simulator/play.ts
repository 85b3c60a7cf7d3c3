import { argsText, type Scenario, type Step } from '@/lib/scenarios/scenario';
import type { ActionName } from '@/lib/scenarios/vocabulary';
import { acts } from './actions/index';
import type { Prng } from './prng';
import type { World } from './world';

/** Something that was done to the stack. `at` in told seconds since the start, `wall` in ms since the epoch. */
export type Change = { at: number; wall: number; action: ActionName | 'start' | 'end' | 'again'; args: Record<string, unknown>; text: string };

/** Plays a timeline on a world and tells every change. */
export class Play {
  readonly changes: Change[] = [];
  private readonly undos: { action: ActionName; args: Record<string, unknown>; undo: () => void }[] = [];

  constructor(
    private readonly world: World,
    private readonly scenario: Scenario,
    private readonly dice: Prng,
    private readonly tell: (change: Change) => void,
    private readonly isLooping: boolean,
    private readonly end: () => void,
  ) {}

  start(): void {
    this.note('start', {}, `${this.scenario.id}: ${this.scenario.title}`);
    this.round();
  }

  private round(): void {
    const { scenario, world } = this;
    world.users.setLevel(scenario.traffic);
    const steps = [...scenario.traits.map((step) => ({ ...step, at: 0 })), ...scenario.timeline].map((step) => ({ step, at: this.moment(step) }));
    for (const { step, at } of steps.sort((a, b) => a.at - b.at)) {
      if (at === 0) this.act(step, 0);
      else world.clock.after(at, () => this.act(step, at));
    }
    world.clock.after(scenario.lasts, () => (this.isLooping ? this.again() : this.finish()));
  }

  private moment(step: Step): number {
    return step.upTo === undefined ? step.at : this.dice.between(step.at, step.upTo);
  }

  private act(step: Step, at: number): void {
    const { off, for: lasts, ...args } = step.args;
    if (off === true) {
      this.undo(step.action, args);
      this.note(step.action, step.args, `${step.action} off ${argsText(args)}`.trimEnd());
      return;
    }
    const undo = acts[step.action](this.world, args, at);
    if (undo !== undefined) this.undos.push({ action: step.action, args, undo });
    this.note(step.action, step.args, `${step.action} ${argsText(step.args)}`.trimEnd());
    if (typeof lasts === 'number' && undo !== undefined) {
      this.world.clock.after(lasts, () => {
        this.undo(step.action, args);
        this.note(step.action, { ...args, off: true }, `${step.action} off ${argsText(args)}`.trimEnd());
      });
    }
  }

  /** Undoes the newest of that action whose arguments agree with those given. */
  private undo(action: ActionName, args: Record<string, unknown>): void {
    const found = this.undos.findLastIndex(
      (one) => one.action === action && Object.entries(args).every(([name, value]) => JSON.stringify(one.args[name]) === JSON.stringify(value)),
    );
    const [entry] = found >= 0 ? this.undos.splice(found, 1) : [];
    entry?.undo();
  }

  private again(): void {
    while (this.undos.length > 0) this.undos.pop()?.undo();
    for (const engine of this.world.engines) for (const rank of engine.ranks) rank.thaw();
    this.note('again', {}, 'everything is undone; from the start again');
    this.round();
  }

  private finish(): void {
    this.note('end', {}, 'the timeline is over');
    this.end();
  }

  private note(action: Change['action'], args: Record<string, unknown>, text: string): void {
    const change = { at: Math.round(this.world.clock.now() * 10) / 10, wall: Date.now(), action, args, text };
    this.changes.push(change);
    this.tell(change);
  }
}
