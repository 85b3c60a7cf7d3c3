import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, probeCite, readCase, seriesCite, topologyCite, when } from '@/lib/reading/case';
import { holdsNothing } from '@/lib/reading/stop';

export const routerPathBroken: Hypothesis = {
  claim: 'A front-end answers itself, but its way to the workers is broken (one leg, a ghost worker, open circuits).',
  prior: -2.8,
  implies: { verdict: 'hanging', place: 'router path' },
  weigh(window) {
    const c = readCase(window);
    const half = c.decodes.filter((e) => (e.floors.transfer ?? 0) + (e.floors.prealloc ?? 0) > 0);
    const prefillIdle = c.prefills.length > 0 && c.prefills.every(holdsNothing);
    const ghosts = c.fronts.flatMap((f) =>
      (window.workers(f.target.id) ?? [])
        .filter((w) => w.target === undefined || c.engines.some((e) => e.target.id === w.target && e.reach === 'refuses'))
        .map((w) => ({ f, w })),
    );
    const circuits = c.fronts.filter((f) => window.series(f.target.id).some((s) => s.name === 'router_worker_cb_state' && (s.points.at(-1)?.value ?? 0) === 1));
    const troubled = c.fronts.filter((f) => f.badRun.length > 0);
    return [
      ...when(troubled.length > 0 && c.well.length > 0, 1.2, `${names(c.well)} reaches the same engines`, probeCite(c.well[0]?.newest?.p)),
      ...when(
        c.hung.length > 0 && half.length > 0 && prefillIdle,
        3,
        `${names(half)} waits for KV while no prefill holds the request: one leg only was sent`,
        half.flatMap((e) => seriesCite(window, e.target.id, 'num_decode_transfer_queue_reqs')),
      ),
      ...when(
        troubled.length > 0 && ghosts.length > 0,
        1.5,
        `${ghosts[0]?.f.target.name} lists a worker that we cannot reach`,
        ghosts.flatMap((g) => topologyCite(g.f.target.id)),
      ),
      ...when(
        circuits.length > 0 && troubled.length > 0,
        1.5,
        `${names(circuits)} has open circuits`,
        circuits.flatMap((f) => seriesCite(window, f.target.id, 'router_worker_cb_state')),
      ),
      ...when(troubled.length === 0 && c.well.length > 0, -3, `${names(c.well)} get answers`),
      ...when(troubled.length > 1 && c.well.length === 0, -1.5, 'every front-end is in trouble, not one path'),
    ];
  },
  next: () => "Compare the front-end's worker list with what runs: each listed worker must answer /v1/models from the front-end's own host.",
};
