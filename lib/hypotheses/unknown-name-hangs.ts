import type { Hypothesis } from '@/lib/model/hypothesis';
import type { ProbeResult } from '@/lib/model/probe';
import type { TargetId } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';
import { names, nothingHangs, probeCite, readCase, topologyCite, when } from '@/lib/reading/case';
import { classify } from '@/lib/reading/front-end';

export const unknownNameHangs: Hypothesis = {
  claim: 'A front-end hangs on model names that it does not know, instead of refusing them.',
  prior: -3,
  implies: { verdict: 'hanging', place: 'front-end' },
  weigh(window) {
    const c = readCase(window);
    const advertised = (id: TargetId) => window.models(id)?.ids ?? [];
    const foreign = c.hung.filter((f) => advertised(f.target.id).length > 0 && !advertised(f.target.id).includes(f.silentRun[0]?.model ?? ''));
    const own = c.hung.filter((f) => advertised(f.target.id).includes(f.silentRun[0]?.model ?? ''));
    const tried = foreign.flatMap((f) => answeredByOwnName(window, f.target.id));
    return [
      ...when(
        foreign.length > 0,
        3.2,
        `${names(foreign)} hangs on "${foreign[0]?.silentRun[0]?.model}", a name that it does not list`,
        foreign.flatMap((f) => probeCite(f.silentRun[0])),
      ),
      ...when(
        tried.length > 0,
        3,
        'asked with a name of its own it answers',
        tried.flatMap((p) => probeCite(p)),
      ),
      ...when(
        own.length > 0,
        -4,
        `${names(own)} hangs with the very id that it advertises`,
        own.flatMap((f) => probeCite(f.silentRun[0])),
      ),
      ...when(
        foreign.length > 0 && c.stands.length > 0,
        -2,
        `${names(c.stands)} stands behind it, whatever the name`,
        c.stands.flatMap((e) => topologyCite(e.target.id)),
      ),
      ...nothingHangs(c, -4),
    ];
  },
  next: () => 'Run the experiment: own id good and nonsense hung settles it. Then give the target the id that its front-end lists.',
};

/** A chat of an experiment that this front-end answered to a name that it lists. */
function answeredByOwnName(window: Window, id: TargetId): ProbeResult[] {
  const ids = window.models(id)?.ids ?? [];
  return window
    .probes(id)
    .filter((p) => p.purpose === 'experiment' && ids.includes(p.model ?? '') && classify(p, window) === 'good')
    .slice(0, 1);
}
