import type { BudgetState, LoopState, SelfReport } from '@/lib/model/observation';
import { takesChats } from '@/lib/model/target';
import { abortsWithin, ask } from './budget';
import { isPaused, isProbed } from './chat';
import type { Context, Watched } from './context';

const TICK_MS = 1_000;

/** What we say of ourselves once a second, whatever else goes wrong. */
export async function runSelf(context: Context, loops: () => LoopState[], reference: () => SelfReport['reference']): Promise<void> {
  const { clock, signal } = context;
  let tick = 0;
  let lastMono = clock.monotonic();
  let lastWall = clock.now();
  let due = lastMono + TICK_MS;
  while (!signal.aborted) {
    await clock.sleep(due - clock.monotonic(), signal);
    if (signal.aborted) return;
    const mono = clock.monotonic();
    const wall = clock.now();
    tick += 1;
    const passed = mono - lastMono;
    const seen = reference();
    try {
      context.ports.observe({
        kind: 'self',
        at: wall,
        self: {
          tick,
          lagMs: context.lag.worstSince(lastMono),
          gapMs: Math.max(0, Math.round(passed - TICK_MS)),
          clockStepMs: Math.round(wall - lastWall - passed),
          ...(seen === undefined ? {} : { reference: seen }),
          loops: loops(),
          budget: [...context.watched.values()].map((watched) => budgetOf(context, watched, mono, wall)),
        },
      });
    } catch (error) {
      console.error(`collector: the self report was not taken: ${error instanceof Error ? error.message : String(error)}`);
    }
    lastMono = mono;
    lastWall = wall;
    // after a pause the grid starts anew: a burst of ticks would tell nothing
    due = Math.max(due + TICK_MS, mono + TICK_MS / 2);
  }
}

/** Our footprint on one target, in wall-clock moments. */
export function budgetOf(context: Context, watched: Watched, mono: number, wall: number): BudgetState {
  const { budget, paused } = watched;
  const probes = budget.sentAt.filter((at) => at > mono - 60_000).length;
  const permit = takesChats(watched.target) && isProbed(context, watched) ? ask(budget, mono, 'steady') : undefined;
  const isHeld = isPaused(context, watched);
  return {
    target: watched.target.id,
    unfinished: budget.out.length,
    aborts10min: abortsWithin(budget, mono).length,
    ...(permit !== undefined && !permit.ok
      ? { waitsFor: permit.why, ...(permit.at === undefined ? {} : { nextProbeAt: Math.round(wall + permit.at - mono) }) }
      : {}),
    controlCallsOut: watched.control === undefined ? 0 : 1,
    probesPerMinute: probes,
    tokensPerMinute: probes * context.config.probe.maxTokens,
    ...(isHeld && paused?.until !== undefined ? { pausedUntil: paused.until } : {}),
    paused: isHeld,
  };
}
