import { takesChats } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';

/** What is worth knowing and is no fault. */
export function stackFacts(window: Window): string[] {
  return [...differingIds(window), ...heldRequests(window), ...missingPages(window), ...ourFootprint(window), ...restarts(window)];
}

function differingIds(window: Window): string[] {
  const known = window.targets
    .filter((t) => takesChats(t))
    .flatMap((t) => (window.models(t.id)?.ids.length ? [{ name: t.name, ids: window.models(t.id)?.ids ?? [] }] : []));
  const distinct = new Set(known.map((k) => [...k.ids].sort().join('\n')));
  return distinct.size < 2
    ? []
    : [
        `The front-ends advertise different model ids: ${known.map((k) => `${k.name} says ${k.ids.slice(0, 3).join(', ')}`).join('; ')}. Each is probed with its own.`,
      ];
}

/** The gateway's own in-flight ages, which are right while its load numbers read 0 (sglang-router 0.3.2, seen running). */
function heldRequests(window: Window): string[] {
  return window.targets.flatMap((t) => {
    const held = window.value(t.id, 'router_inflight_reqs', { by: '30' }) ?? 0;
    return held > 0 ? [`${t.name} holds ${held} ${held === 1 ? 'request' : 'requests'} older than 30 s by its own count.`] : [];
  });
}

function missingPages(window: Window): string[] {
  const off = window.targets.filter((t) => !['router', 'balancer'].includes(t.role) && window.page(t.id, 'metrics')?.outcome === 'not-exported');
  return off.map((t) => `${t.name} exports no metrics (not available, not zero); start it with --enable-metrics.`);
}

function ourFootprint(window: Window): string[] {
  return window.targets.flatMap((t) => {
    const b = window.budget(t.id);
    const aborted = b && b.aborts10min > 0 ? [`${b.aborts10min} of our own probes to ${t.name} were closed by us in the last 10 minutes.`] : [];
    const paused = b?.paused ? [`Probing of ${t.name} is PAUSED${b.pausedUntil ? ` until {${new Date(b.pausedUntil).toISOString()}}` : ''}.`] : [];
    const waits =
      b?.waitsFor && b.unfinished >= 2 && b.nextProbeAt && b.nextProbeAt > window.at + 5_000
        ? [`The next probe of ${t.name} is allowed at {${new Date(b.nextProbeAt).toISOString()}} (${b.waitsFor}).`]
        : [];
    return [...aborted, ...paused, ...waits];
  });
}

function restarts(window: Window): string[] {
  return window.targets.flatMap((t) => {
    const last = window.restarts(t.id).at(-1);
    return last !== undefined && window.at - last < 900_000 ? [`${t.name} restarted at {${new Date(last).toISOString()}}.`] : [];
  });
}
