import type { TargetId } from '@/lib/model/target';
import type { Place, Verdict } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';
import { type EngineReading, readEngine } from '@/lib/reading/engine';
import { frontEnds, readFrontEnd } from '@/lib/reading/front-end';
import { enginePlace } from './causes';
import { NOWHERE, type Raw } from './raw';

/** Judge an engine by its own pages and by what its front-ends' chats proved. */
export function judgeEngine(
  window: Window,
  id: TargetId,
  stops: readonly { front: TargetId; judgement: { verdict: Verdict; place?: Place; since: number; because: string; detail?: string } }[],
): Raw {
  const e = readEngine(window, id);
  if (!e) return { verdict: 'unknown', because: 'not known' };
  const blamed = stops.find((s) => s.judgement.place?.target === id && s.judgement.verdict !== 'ok');
  if (blamed)
    return {
      verdict: blamed.judgement.verdict,
      detail: blamed.judgement.detail,
      place: blamed.judgement.place,
      since: blamed.judgement.since,
      because: blamed.judgement.because,
    };
  const place = enginePlace(e);
  if (e.reach === 'refuses') return { verdict: 'down', place, since: e.reachSince, because: 'refuses connections' };
  if (e.reach === 'mute' && servesChats(window, e))
    return { verdict: 'unknown', because: 'answers on none of its pages, while chats are answered: how it is cannot be told' };
  if (e.reach === 'mute')
    return {
      verdict: 'hanging',
      place: { ...place, kind: 'response path' },
      since: e.reachSince,
      because: 'accepts connections and answers on none of its pages',
    };
  if (e.reach === 'unknown') return { verdict: 'unknown', because: 'none of its pages has been read yet' };
  const health = window.health(id);
  const red = health?.exchange.status !== undefined && health.exchange.status >= 500;
  if (e.heartbeat === 'stands' && e.heartbeatBy !== 'health')
    return {
      verdict: 'degraded',
      detail: 'suspect',
      place,
      because: `its scheduler ${e.ageS === undefined ? 'stands' : `last spoke ${Math.round(e.ageS)} s ago`}; no chat has proved a hang yet`,
    };
  if (red)
    return { verdict: 'degraded', detail: 'health red', place, because: `its health check says ${health?.exchange.status}, which a long prefill does too` };
  return { verdict: 'ok', place: NOWHERE, because: e.heartbeat === 'turns' ? 'its scheduler turns' : 'its pages answer' };
}

/** The only one of its role, and a chat that was sent since it fell mute came back good: its pages have failed, not its work. */
function servesChats(window: Window, e: EngineReading): boolean {
  const isOnly = window.targets.every((t) => t.id === e.target.id || t.role !== e.target.role);
  return isOnly && frontEnds(window).some((t) => readFrontEnd(window, t.id)?.counted.some((c) => c.is === 'good' && c.p.sentAt > (e.reachSince ?? window.at)));
}
