import type { Hypothesis } from '@/lib/model/hypothesis';
import { names, probeCite, readCase, seriesCite, topologyCite, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

export const frontEndStuck: Hypothesis = {
  claim: 'A front-end accepts requests and does not forward them.',
  prior: -2,
  implies: { verdict: 'hanging', place: 'front-end' },
  weigh(window) {
    const c = readCase(window);
    if (c.hung.length === 0) return when(c.well.length > 0, -3, `${names(c.well)} answer chats`, probeCite(c.well[0]?.newest?.p));
    const active = c.engines.filter((e) => e.chatActive !== undefined);
    const idle = active.length > 0 && active.every((e) => e.chatActive === 0);
    const arrived = active.filter((e) => (e.chatActive ?? 0) > 0);
    const chats = active.reduce((sum, e) => sum + (motion(window, e.target.id, c.from).chats ?? 0), 0);
    const held = c.decodes.filter((e) => (e.floors.transfer ?? 0) + (e.floors.prealloc ?? 0) > 0);
    const stands = c.engines.filter((e) => e.heartbeat === 'stands');
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
        stands.length > 0,
        -3,
        `${names(stands)} stands behind it, which is cause enough`,
        stands.flatMap((e) => topologyCite(e.target.id)),
      ),
    ];
  },
  next: (window) => {
    const hung = readCase(window).hung[0]?.target;
    return hung
      ? `Run the experiment on ${hung.name} and its sibling with both model ids; if only ${hung.name} hangs, look at its process: is its log silent, are its connections to the workers in CLOSE-WAIT?`
      : 'Run the experiment: each front-end with each model id.';
  },
};
