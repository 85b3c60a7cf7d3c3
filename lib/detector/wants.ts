import type { Effect } from '@/lib/model/incident';
import type { Target } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';
import { heartbeatWords, readEngine } from '@/lib/reading/engine';
import { enginesBehind, type FrontEndReading, readFrontEnd, siblings } from '@/lib/reading/front-end';
import { healWitness } from './heal';
import type { Raw } from './raw';

const HEAL_EVERY_MS = 20_000;
const LOOK_EVERY_MS = 15_000;

/** What was last asked of the collector for one front-end; wall-clock ms. `signOf`: the engine's trouble that a chat was last asked for. */
export type Asked = { confirmOf?: string; healedAt?: number; lookedAt?: number; signOf?: string };

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
    const also = onlyOnes(window, target).length > 0 ? siblings(window, target.id).map((s) => s.id) : [];
    // A sibling may be asked sooner, and hangs too where what they share is stuck; with several instances both may only meet one that restarts.
    for (const id of [target.id, ...also]) effects.push({ kind: 'probe', target: id, purpose: 'confirm', because: raw.confirm });
  }
  const sign = engineSign(window, target, r);
  if (sign && sign.key !== memory.signOf)
    effects.push({ kind: 'probe', target: target.id, purpose: 'confirm', because: `${sign.because}: does a chat still come through?` });
  memory.signOf = sign?.key;
  const witness = healWitness(window, target.id);
  if (witness && window.at - (memory.healedAt ?? 0) > HEAL_EVERY_MS) {
    memory.healedAt = window.at;
    effects.push({ kind: 'probe', target: target.id, purpose: 'heal', because: witness });
  }
  return effects;
}

/** The only engine of its role behind it refuses or stands, while the last chat was good: chats may be failing from now on. */
function engineSign(window: Window, target: Target, r: FrontEndReading | undefined): { key: string; because: string } | undefined {
  if (r?.newest?.is !== 'good') return undefined;
  for (const each of onlyOnes(window, target)) {
    const e = readEngine(window, each.id);
    if (e?.reach === 'refuses') return { key: `${each.id} refuses`, because: `${each.name} refuses connections` };
    if (e?.heartbeat === 'stands' && e.heartbeatBy !== 'health') return { key: `${each.id} stands`, because: heartbeatWords(e) };
  }
  return undefined;
}

/** Engines behind it that no other of their role could stand in for. */
function onlyOnes(window: Window, target: Target): Target[] {
  const behind = enginesBehind(window, target.id);
  return behind.filter((one) => behind.every((other) => other === one || other.role !== one.role));
}
