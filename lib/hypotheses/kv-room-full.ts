import type { Hypothesis } from '@/lib/model/hypothesis';
import { heartbeatCite, names, readCase, seriesCite, when } from '@/lib/reading/case';
import { motion } from '@/lib/reading/engine';

const LOOK_BACK_MS = 30_000;
const FULL = 0.95;
const ROOMY = 0.8;

export const kvRoomFull: Hypothesis = {
  claim: "Decode's KV room is full: the first request that does not fit holds up all behind it, slowly.",
  prior: -2.6,
  implies: { verdict: 'degraded', place: 'decode' },
  weigh(window) {
    const c = readCase(window);
    const from = window.at - LOOK_BACK_MS;
    const used = c.decodes.map((e) => ({ ...e, usage: window.value(e.target.id, 'token_usage') })).filter((e) => e.usage !== undefined);
    const full = used.filter((e) => (e.usage ?? 0) >= FULL);
    const back = c.decodes.filter((e) => (window.moved(e.target.id, 'num_retracted_requests_total', from) ?? 0) > 0);
    const queued = full.filter((e) => (e.queues.prealloc ?? 0) + (e.queues.waiting ?? 0) > 0);
    const still = full.filter((e) => motion(window, e.target.id, from).decodeTokens === 0);
    return [
      ...when(
        full.length > 0,
        3,
        `the KV pool of ${names(full)} is ${Math.round((full[0]?.usage ?? 0) * 100)} % full`,
        full.flatMap((e) => seriesCite(window, e.target.id, 'token_usage')),
      ),
      ...when(
        back.length > 0,
        1.5,
        `${names(back)} takes running requests back for want of room`,
        back.flatMap((e) => seriesCite(window, e.target.id, 'num_retracted_requests_total')),
      ),
      ...when(
        queued.length > 0,
        1,
        `${queued.map((e) => `${(e.queues.prealloc ?? 0) + (e.queues.waiting ?? 0)} requests wait for room in ${e.target.name}`).join(', ')}`,
        queued.flatMap((e) => seriesCite(window, e.target.id, (e.queues.prealloc ?? 0) > 0 ? 'num_decode_prealloc_queue_reqs' : 'num_queue_reqs')),
      ),
      ...when(
        used.length > 0 && used.every((e) => (e.usage ?? 0) < ROOMY),
        -3.5,
        `the fullest KV pool is used to ${Math.round(Math.max(...used.map((e) => e.usage ?? 0)) * 100)} %`,
        used.flatMap((e) => seriesCite(window, e.target.id, 'token_usage')),
      ),
      ...when(
        c.hung.length > 0 && still.length > 0,
        -2.5,
        `${names(still)} makes no token: full is slow, this is not slow`,
        still.flatMap((e) => seriesCite(window, e.target.id, 'realtime_tokens_total')),
      ),
      ...when(
        c.stands.length > 0,
        -2.5,
        `the scheduler of ${names(c.stands)} stands`,
        c.stands.flatMap((e) => heartbeatCite(window, e)),
      ),
    ];
  },
  next: () => 'Turn the load down and watch token_usage fall: then it was room. Fewer running requests, shorter contexts or another decode help for good.',
};
