import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, probeCite, readCase, topologyCite, when } from '@/lib/reading/case';

export const engineGone: Hypothesis = {
  claim: 'An engine process is gone or refuses connections.',
  prior: -2.2,
  implies: { verdict: 'down' },
  weigh(window) {
    const c = readCase(window);
    const gone = c.engines.filter((e) => e.reach === 'refuses');
    const replaced = gone.every((g) => c.engines.some((e) => e.target.role === g.target.role && e.reach === 'answers'));
    return [
      ...when(
        gone.length > 0,
        5,
        `${names(gone)} ${gone.length > 1 ? 'refuse' : 'refuses'} connections`,
        gone.flatMap((e) => topologyCite(e.target.id)),
      ),
      ...when(
        gone.length === 0 && c.engines.length > 0,
        -3,
        'every engine accepts connections',
        c.engines.flatMap((e) => topologyCite(e.target.id)),
      ),
      ...when(
        gone.length > 0 && replaced && c.well.length > 0,
        -1.5,
        `${names(c.well)} ${c.well.length > 1 ? 'answer' : 'answers'} all the same, through other workers`,
        c.well.flatMap((f) => probeCite(f.newest?.p)),
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
