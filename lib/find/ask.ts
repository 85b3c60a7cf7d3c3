import { FINGERPRINT_PATHS, type Recognised, recogniseTarget } from '@/lib/dialects/recognise';
import type { Answer, Answers } from '@/lib/model/dialect';

/** One short GET, injected: resolves always, with `failure` when no HTTP answer came. */
export type Ask = (url: string, path: string) => Promise<Answer>;

/** What an address answered. `hasRouterMetrics`: a gateway's metrics page is here. */
export type Fingerprint = Recognised & { isSilent: boolean; hasRouterMetrics: boolean };

const AT_ONCE = 8;

/** Asks the fingerprint questions. The first decides whether HTTP is spoken there at all, so that a port of another kind gets one request, not nine. */
export async function fingerprint(url: string, ask: Ask): Promise<Fingerprint> {
  const first = await ask(url, '/liveness');
  const rest = first.status === undefined ? [] : await Promise.all(FINGERPRINT_PATHS.filter((path) => path !== '/liveness').map((path) => ask(url, path)));
  const answers: Answers = Object.fromEntries([first, ...rest].map((answer) => [answer.path, answer]));
  return {
    ...recogniseTarget(answers),
    isSilent: first.status === undefined,
    hasRouterMetrics: answers['/metrics']?.status === 200 && /^(smg|sgl_router|vllm_router)_/m.test(answers['/metrics'].body ?? ''),
  };
}

/** Does something for each, a few at a time, answers in order. */
export async function each<In, Out>(all: readonly In[], work: (one: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) results.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))));
  return results;
}
