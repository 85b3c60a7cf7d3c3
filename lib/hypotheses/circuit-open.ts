import type { Hypothesis } from '@/lib/model/hypothesis';
import { heartbeatCite, names, probeCite, readCase, seriesCite, topologyCite, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

const LOOK_BACK_MS = 90_000;

export const circuitOpen: Hypothesis = {
  claim: "A front-end's circuits are open: it refuses at once, though the engines may be well again.",
  prior: -2.5,
  implies: { verdict: 'degraded', place: 'router path' },
  weigh(window) {
    const c = readCase(window);
    const refuses = c.fronts.filter((f) => f.newest?.is === 'shed');
    const quick = refuses.filter((f) => f.newest?.p.exchange.status === 503);
    const limited = refuses.filter((f) => f.newest?.p.exchange.status !== 503);
    const open = c.fronts.filter((f) =>
      window.series(f.target.id).some((s) => s.name === 'router_worker_cb_state' && [1, 2].includes(s.points.at(-1)?.value ?? 0)),
    );
    const failing = c.engines.filter((e) => (motion(window, e.target.id, window.at - LOOK_BACK_MS).failed5xx ?? 0) > 0);
    const well = c.engines.length > 0 && c.turns.length === c.engines.length;
    return [
      ...when(
        quick.length > 0,
        2,
        `${names(quick)} refuses chats with 503 in ${Math.round(quick[0]?.newest?.p.exchange.elapsedMs ?? 0)} ms`,
        quick.flatMap((f) => probeCite(f.newest?.p)),
      ),
      ...when(
        open.length > 0 && refuses.length > 0,
        2.5,
        `${names(open)} says itself that the circuit of a worker is open`,
        open.flatMap((f) => seriesCite(window, f.target.id, 'router_worker_cb_state')),
      ),
      ...when(
        quick.length > 0 && well,
        1.5,
        'the schedulers behind it all turn',
        c.turns.flatMap((e) => heartbeatCite(window, e)),
      ),
      ...when(
        refuses.length === 0,
        -4,
        'no front-end refuses chats for want of workers',
        c.fronts.flatMap((f) => probeCite(f.newest?.p)),
      ),
      ...when(
        limited.length > 0,
        -1.5,
        `${names(limited)} says ${limited[0]?.newest?.p.exchange.status}: a limit, not a circuit`,
        limited.flatMap((f) => topologyCite(f.target.id)),
      ),
      ...when(
        refuses.length > 0 && failing.length > 0,
        -3,
        `${names(failing)} itself fails chats: the circuit is only its echo`,
        failing.flatMap((e) => seriesCite(window, e.target.id, 'http_responses_total', 'chat:5xx')),
      ),
      ...when(
        refuses.length > 0 && c.stands.length > 0,
        -2.5,
        `the scheduler of ${names(c.stands)} stands: the refusals are its echo`,
        c.stands.flatMap((e) => heartbeatCite(window, e)),
      ),
    ];
  },
  next: () =>
    "Wait for the breaker's minute (60 s by default) and two good health checks; if 503 goes on with every engine well, compare smg_worker_cb_state and /workers with what runs.",
};
