import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, probeCite, readCase, topologyCite, when } from '@/lib/reading/case';

export const engineGone: Hypothesis = {
  claim: 'An engine process is gone or refuses connections.',
  prior: -2.2,
  implies: { verdict: 'down' },
  weigh(window) {
    const c = readCase(window);
    const gone = c.engines.filter((e) => e.reach === 'refuses');
    return [
      ...gone.flatMap((e) => when(true, 5, `${e.target.name} refuses connections`, topologyCite(e.target.id))),
      ...when(gone.length === 0 && c.engines.length > 0, -3, 'every engine accepts connections'),
      ...when(
        gone.length > 0 && c.well.length === c.fronts.length,
        -1,
        `${names(c.well)} answer all the same, through other workers`,
        probeCite(c.well[0]?.newest?.p),
      ),
    ];
  },
  next: (window) => {
    const gone = readCase(window).engines.find((e) => e.reach === 'refuses');
    return gone
      ? `Look at the host of ${gone.target.name}: is the process there, what was its last log line, was it killed (dmesg)?`
      : 'Check that each engine process runs.';
  },
};
