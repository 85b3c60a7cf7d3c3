import type { Effect } from '@/lib/model/incident';
import type { Target } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';
import { enginesBehind, readFrontEnd } from '@/lib/reading/front-end';
import { healWitness } from './heal';
import type { Raw } from './raw';

const HEAL_EVERY_MS = 20_000;
const LOOK_EVERY_MS = 15_000;

/** What was last asked of the collector for one front-end; wall-clock ms. */
export type Asked = { confirmOf?: string; healedAt?: number; lookedAt?: number };

/** What would help to judge this front-end now: a look at its engines, a confirming chat, a heal probe. The budget decides when. */
export function wanted(memory: Asked, window: Window, target: Target, raw: Raw): Effect[] {
  const effects: Effect[] = [];
  const r = readFrontEnd(window, target.id);
  const hangs = (r?.silentRun.length ?? 0) > 0 || (r?.open.length ?? 0) > 0;
  if (hangs && window.at - (memory.lookedAt ?? 0) > LOOK_EVERY_MS) {
    memory.lookedAt = window.at;
    for (const e of enginesBehind(window, target.id)) effects.push({ kind: 'look', target: e.id });
  }
  const newest = r?.newest?.p.id;
  if (raw.confirm && newest !== undefined && memory.confirmOf !== newest) {
    memory.confirmOf = newest;
    effects.push({ kind: 'probe', target: target.id, purpose: 'confirm', because: raw.confirm });
  }
  const witness = healWitness(window, target.id);
  if (witness && window.at - (memory.healedAt ?? 0) > HEAL_EVERY_MS) {
    memory.healedAt = window.at;
    effects.push({ kind: 'probe', target: target.id, purpose: 'heal', because: witness });
  }
  return effects;
}
