import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, probeCite, readCase, selfCite, when } from '@/lib/reading/case';

export const observerBlind: Hypothesis = {
  claim: 'The fault is on our side: our own process, clock or network.',
  prior: -3,
  implies: { verdict: 'unknown', place: 'dashboard network' },
  weigh(window) {
    const c = readCase(window);
    const span = window.blind.at(-1);
    const recent = span && window.at - span.to < 60_000;
    const unreachable = c.fronts.filter((f) => f.newest?.is === 'network');
    const self = window.self;
    return [
      ...when(
        recent && self?.reference?.ok !== false,
        3,
        `we were not looking for ${span ? Math.round((span.to - span.from) / 1000) : 0} s: ${span?.why ?? ''}`,
        selfCite(window),
      ),
      ...when(self?.reference?.ok === false, 4, 'the reference target does not answer us either', selfCite(window)),
      ...when(
        !recent && self !== undefined && (self.reference?.ok === true || self.lagMs < 200),
        self?.reference?.ok === true ? -3 : -1.5,
        `our own loop was at most ${Math.round(self?.lagMs ?? 0)} ms late${self?.reference?.ok === true ? ', and the reference target answers us' : ''}`,
        selfCite(window),
      ),
      ...when(
        unreachable.length === c.fronts.length && unreachable.length > 0,
        2,
        'no front-end can be reached at all',
        unreachable.flatMap((f) => probeCite(f.newest?.p)),
      ),
      ...when(c.well.length > 0, -2, `${names(c.well)} answers us`, probeCite(c.well[0]?.newest?.p)),
      ...when(
        c.hung.some((f) => f.silentRun.some((p) => p.exchange.marks.connected !== undefined)),
        -1,
        'the hung connections were accepted',
        c.hung.flatMap((f) => probeCite(f.silentRun[0])),
      ),
    ];
  },
  next: () => "Ask the reference target and the front-end's /health from this very host with curl; compare with another host.",
};
