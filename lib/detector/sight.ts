import { type Target, takesChats } from '@/lib/model/target';
import type { Freshness } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';
import { readFrontEnd } from '@/lib/reading/front-end';

const JUST_BLIND_MS = 1_500;
const BACK_WITHIN_MS = 18_000;

/** Why we are blind this very second; undefined when we see. */
export function blindNow(window: Window): string | undefined {
  const span = window.blind.at(-1);
  return span && window.at - span.to < JUST_BLIND_MS ? span.why : undefined;
}

/** After a gap nothing is known of a front-end until a chat sent since has been judged; its period bounds the wait. */
export function notYetBack(window: Window, target: Target): string | undefined {
  const span = window.blind.at(-1);
  if (!span || !takesChats(target) || window.at - span.to > BACK_WITHIN_MS) return undefined;
  const back = readFrontEnd(window, target.id)?.newest;
  return back && back.p.sentAt >= span.to - JUST_BLIND_MS ? undefined : `${span.why}; no chat since has been judged yet`;
}

/** Live while something answers or hangs before our eyes; late when the last chat is older than its period allows. */
export function freshness(window: Window, target: Target): Freshness {
  if (!takesChats(target)) {
    const read = Math.max(0, ...(['metrics', 'loads'] as const).map((s) => window.page(target.id, s)?.at ?? 0), window.health(target.id)?.sentAt ?? 0);
    return window.at - read < 30_000 ? 'live' : 'late';
  }
  const newest = window.probes(target.id)[0];
  if (!newest) return 'late';
  return !newest.exchange.ended || window.at - newest.sentAt < 40_000 ? 'live' : 'late';
}
