import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, probeCite, readCase, topologyCite, when } from '@/lib/reading/case';

export const wrongModelName: Hypothesis = {
  claim: 'The model name asked for is not the one that the front-end serves.',
  prior: -2.5,
  implies: { verdict: 'misconfigured', place: 'front-end' },
  weigh(window) {
    const c = readCase(window);
    const refused = c.fronts.filter((f) => f.newest?.is === 'setting' && f.newest.p.exchange.status === 404);
    const listed = c.fronts.filter((f) => f.newest?.p.model !== undefined && (window.models(f.target.id)?.ids ?? []).includes(f.newest.p.model));
    const hungOnOwn = c.hung.filter((f) => listed.includes(f));
    const foreign = c.fronts.filter((f) => f.newest?.p.model !== undefined && (window.models(f.target.id)?.ids.length ?? 0) > 0 && !listed.includes(f));
    return [
      ...when(
        refused.length > 0,
        4.5,
        `${names(refused)} refuses "${refused[0]?.newest?.p.model}" with 404`,
        refused.flatMap((f) => probeCite(f.newest?.p)),
      ),
      ...when(
        foreign.length > 0,
        2,
        `${names(foreign)} does not list "${foreign[0]?.newest?.p.model}"`,
        foreign.flatMap((f) => topologyCite(f.target.id)),
      ),
      ...when(
        hungOnOwn.length > 0,
        -3,
        `${names(hungOnOwn)} hang with the very id that they advertise`,
        hungOnOwn.flatMap((f) => probeCite(f.silentRun[0])),
      ),
      ...when(
        c.well.length === c.fronts.length && c.well.length > 0,
        -4,
        'every front-end answers to its own id',
        c.well.flatMap((f) => probeCite(f.newest?.p)),
      ),
    ];
  },
  next: (window) =>
    `Run the experiment: each front-end with its own id, its sibling's and a nonsense one${readCase(window).hung.length > 0 ? '; if the own id hangs as well, the name is innocent' : ''}.`,
};
