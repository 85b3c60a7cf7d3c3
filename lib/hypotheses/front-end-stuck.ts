import type { Hypothesis } from '@/lib/model/hypothesis';
import { ghostsOf, names, nothingHangs, probeCite, readCase, seriesCite, standsInstead, topologyCite, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

export const frontEndStuck: Hypothesis = {
  claim: 'A front-end accepts requests and does not forward them.',
  prior: -2,
  implies: { verdict: 'hanging', place: 'front-end' },
  weigh(window) {
    const c = readCase(window);
    if (c.hung.length === 0) return nothingHangs(c, -3);
    const active = c.engines.filter((e) => e.chatActive !== undefined);
    const idle = active.length > 0 && active.every((e) => e.chatActive === 0);
    const arrived = active.filter((e) => (e.chatActive ?? 0) > 0);
    const chats = active.reduce((sum, e) => sum + (motion(window, e.target.id, c.from).chats ?? 0), 0);
    const ghosts = c.hung.flatMap((f) => {
      const list = ghostsOf(window, c, f.target.id);
      return list.length > 0 ? [{ ...f, ghosts: list }] : [];
    });
    const foreign = c.hung.filter((f) => {
      const ids = window.models(f.target.id)?.ids ?? [];
      return ids.length > 0 && !ids.includes(f.silentRun[0]?.model ?? '');
    });
    const held = c.decodes.filter((e) => (e.floors.transfer ?? 0) + (e.floors.prealloc ?? 0) > 0);
    return [
      ...when(c.well.length > 0, 3.5, `chats through ${names(c.well)} are answered by the same engines`, probeCite(c.well[0]?.newest?.p)),
      ...when(
        c.well.length === 0 && c.fronts.length > 1 && c.hung.length === c.fronts.length,
        -2.5,
        `all ${c.fronts.length} front-ends hang, and they share only what is behind them`,
        c.hung.flatMap((f) => probeCite(f.silentRun[0])),
      ),
      ...when(
        idle && chats === 0,
        2.5,
        'no engine saw our chats arrive',
        active.flatMap((e) => seriesCite(window, e.target.id, 'http_requests_active')),
      ),
      ...when(
        arrived.length > 0 && c.well.length === 0,
        -2,
        `the chats arrived: ${arrived.map((e) => `${e.chatActive} active in ${e.target.name}`).join(', ')}`,
        arrived.flatMap((e) => seriesCite(window, e.target.id, 'http_requests_active')),
      ),
      ...when(
        c.well.length > 0 && held.length > 0,
        -3,
        `${names(held)} holds a request that no good chat explains: it did forward something`,
        held.flatMap((e) => seriesCite(window, e.target.id, 'num_decode_transfer_queue_reqs')),
      ),
      ...when(
        foreign.length > 0,
        -1.5,
        `${names(foreign)} was asked for "${foreign[0]?.silentRun[0]?.model}", which it does not list`,
        foreign.flatMap((f) => topologyCite(f.target.id)),
      ),
      ...when(
        ghosts.length > 0,
        -3,
        `${names(ghosts)} lists ${ghosts[0]?.ghosts.length} workers that are not there as far as we see, which would explain those chats`,
        ghosts.flatMap((f) => topologyCite(f.target.id)),
      ),
      ...standsInstead(window, c, -3),
    ];
  },
  next: (window) => {
    const hung = readCase(window).hung[0]?.target;
    return hung
      ? `Run the experiment on ${hung.name} and its sibling with both model ids; if only ${hung.name} hangs, look at its process: is its log silent, are its connections to the workers in CLOSE-WAIT?`
      : 'Run the experiment: each front-end with each model id.';
  },
};
