import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, probeCite, readCase, seriesCite, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

const LOOK_BACK_MS = 60_000;

export const engineErrors: Hypothesis = {
  claim: 'An engine answers chats with an error at once, whatever the front-ends make of that.',
  prior: -2.6,
  implies: { verdict: 'down' },
  weigh(window) {
    const c = readCase(window);
    const told = c.engines.map((e) => ({ ...e, n: motion(window, e.target.id, window.at - LOOK_BACK_MS).failed5xx })).filter((e) => e.chatActive !== undefined);
    const failing = told.filter((e) => (e.n ?? 0) > 0);
    const failed = c.fronts.filter((f) => f.newest?.is === 'failed');
    const masked = failing.length > 0 ? c.hung : [];
    const words = failed[0]?.newest?.p.reading?.error;
    return [
      ...when(
        failing.length > 0,
        4,
        `${failing.map((e) => `${e.target.name} counted ${e.n} failed chats in the last minute`).join(', ')}`,
        failing.flatMap((e) => seriesCite(window, e.target.id, 'http_responses_total', 'chat:5xx')),
      ),
      ...when(
        failed.length > 0,
        1.5,
        `${names(failed)} hands an error on${words ? `, in its own words "${words.slice(0, 80)}"` : ''}`,
        failed.flatMap((f) => probeCite(f.newest?.p)),
      ),
      ...when(
        masked.length > 0 && failed.length > 0,
        0.5,
        `${names(masked)} hangs because of it: its other leg waits for what has failed`,
        masked.flatMap((f) => probeCite(f.silentRun[0])),
      ),
      ...when(
        told.length > 0 && failing.length === 0,
        -4,
        'no engine has counted a failed chat in the last minute',
        told.flatMap((e) => seriesCite(window, e.target.id, 'http_responses_total')),
      ),
      ...when(
        c.well.length === c.fronts.length && c.well.length > 0,
        -2.5,
        'every front-end answers',
        c.well.flatMap((f) => probeCite(f.newest?.p)),
      ),
    ];
  },
  next: (window) => {
    const e = readCase(window).engines.find((x) => (motion(window, x.target.id, window.at - LOOK_BACK_MS).failed5xx ?? 0) > 0);
    return e
      ? `Read the log of ${e.target.name}: each failed chat leaves a traceback. The error text of a front-end may name the wrong role.`
      : "Read the front-end's log and the engines' for the request id of a failed probe.";
  },
};
