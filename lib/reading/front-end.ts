import { type Outcome, type ProbeResult, SILENCES } from '@/lib/model/probe';
import { type Target, type TargetId, takesChats } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';
import { drips } from './drip';

/** What one counted probe says. `silent`: accepted and not completed. `setting`: refused for a reason that a setting explains. `shed`: back-pressure or an open circuit. */
export type ProbeClass = 'good' | 'slow' | 'silent' | 'failed' | 'setting' | 'shed' | 'network' | 'void';

const SETTINGS: ReadonlySet<Outcome> = new Set<Outcome>(['dns', 'tls', 'redirected']);
const NETWORK: ReadonlySet<Outcome> = new Set<Outcome>(['connect-timeout', 'unreachable']);

export function classify(p: ProbeResult, window: Window): ProbeClass | 'pending' {
  if (drips(p)) return isVoid(p, window) ? 'void' : 'slow';
  if (p.outcome === 'ok') return p.late ? 'slow' : 'good';
  if (p.outcome === 'pending') return 'pending';
  if (isVoid(p, window)) return 'void';
  if (p.late) return 'silent';
  if (SILENCES.has(p.outcome)) return p.exchange.ended ? (p.exchange.failure === 'closed-by-us' ? 'void' : 'failed') : 'silent';
  if (p.outcome === 'closed-by-us' || p.outcome === 'cap') return 'void';
  if (SETTINGS.has(p.outcome)) return 'setting';
  if (NETWORK.has(p.outcome)) return 'network';
  if (p.outcome === 'rejected') {
    const status = p.exchange.status ?? 0;
    if (status === 429 || status === 408 || status === 503) return 'shed';
    return status >= 500 ? 'failed' : 'setting';
  }
  return 'failed';
}

/** A probe that was out while we were not looking proves nothing, unless it came back good. */
export function isVoid(p: ProbeResult, window: Window): boolean {
  const judgedAt = p.sentAt + (p.late ? Math.max(p.deadlineMs, p.exchange.elapsedMs) : p.exchange.elapsedMs);
  const settledAt = p.late ? p.sentAt + p.deadlineMs : judgedAt;
  return p.lagMs > p.deadlineMs / 4 || window.blind.some((b) => b.from < settledAt + 1_000 && b.to > p.sentAt);
}

/** The counted chats of one front-end, newest first, and what they amount to. */
export type FrontEndReading = {
  target: Target;
  counted: { p: ProbeResult; is: Exclude<ProbeClass, 'void'> }[];
  newest?: { p: ProbeResult; is: Exclude<ProbeClass, 'void'> };
  /** The newest probes in a row that are silent. */
  silentRun: ProbeResult[];
  /** The newest probes in a row that are not good. */
  badRun: ProbeResult[];
  lastGood?: ProbeResult;
  /** Good probes in a row, newest first, since the last that was not. */
  goodRun: ProbeResult[];
  /** Sockets still open past their deadline. */
  open: ProbeResult[];
  pending?: ProbeResult;
};

export function readFrontEnd(window: Window, id: TargetId): FrontEndReading | undefined {
  const target = window.target(id);
  if (!target) return undefined;
  const steady = window.probes(id).filter((p) => p.purpose !== 'experiment');
  const counted = steady.flatMap((p) => {
    const is = classify(p, window);
    return is === 'pending' || is === 'void' ? [] : [{ p, is }];
  });
  const run = (want: (is: ProbeClass) => boolean) =>
    counted
      .slice(
        0,
        firstIndex(counted, (c) => !want(c.is)),
      )
      .map((c) => c.p);
  return {
    target,
    counted,
    newest: counted[0],
    silentRun: run((is) => is === 'silent'),
    badRun: run((is) => is !== 'good' && is !== 'slow'),
    goodRun: run((is) => is === 'good' || is === 'slow'),
    lastGood: counted.find((c) => c.is === 'good' || c.is === 'slow')?.p,
    open: steady.filter((p) => p.late && !p.exchange.ended),
    pending: steady.find((p) => p.outcome === 'pending'),
  };
}

function firstIndex<T>(list: readonly T[], test: (item: T) => boolean): number {
  const index = list.findIndex(test);
  return index < 0 ? list.length : index;
}

export function frontEnds(window: Window): Target[] {
  return window.targets.filter((t) => takesChats(t));
}

/** Engines behind a front-end: those it routes to where edges are known, else all of the stack; a unified engine is its own. */
export function enginesBehind(window: Window, id: TargetId): Target[] {
  const self = window.target(id);
  if (self?.role === 'unified') return [self];
  const routed = new Set(window.edges.filter((e) => e.kind === 'routes' && e.from === id).map((e) => e.to));
  const engines = window.targets.filter((t) => t.role === 'prefill' || t.role === 'decode' || t.role === 'unified');
  const known = engines.filter((t) => routed.has(t.id));
  return known.length > 0 ? known : engines;
}

/** Front-ends that share an engine with this one. */
export function siblings(window: Window, id: TargetId): Target[] {
  const mine = new Set(enginesBehind(window, id).map((t) => t.id));
  return frontEnds(window).filter((t) => t.id !== id && enginesBehind(window, t.id).some((e) => mine.has(e.id)));
}
