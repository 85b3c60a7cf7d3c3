import type { TargetId } from '@/lib/model/target';
import type { Store } from '@/lib/stores/store';

type Pause = { target: TargetId; until: number | undefined; by: string };

const LONGEST_MS = 24 * 3_600_000;
const MOST_EVENTS = 2_000;

/** Pauses of an earlier run that still hold: who switched probing off would not expect a restart of ours to switch it on. Each is given out once, when its target is there. */
export function pausesLeft(store: Pick<Store, 'events'>, now: number): { take(present: readonly TargetId[]): Pause[] } {
  const left = new Map<TargetId, Pause>();
  for (const { target, by, data } of [...store.events({ kinds: ['paused'], from: now - LONGEST_MS, limit: MOST_EVENTS })].reverse()) {
    if (target === undefined) continue;
    const { isPaused, until } = data as { isPaused?: boolean; until?: number };
    if (isPaused && (until === undefined || until > now)) left.set(target, { target, until, by: by ?? 'somebody' });
    else left.delete(target);
  }
  return {
    take(present) {
      const found = present.flatMap((id) => left.get(id) ?? []);
      for (const { target } of found) left.delete(target);
      return found;
    },
  };
}
