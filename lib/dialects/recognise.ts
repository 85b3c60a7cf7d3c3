import type { Answers, Dialect } from '@/lib/model/dialect';
import type { Kind, Role } from '@/lib/model/target';
import { dialects } from './index';
import { is404, jsonOf } from './payload';

/**
 * What an unknown target is asked, once, at discovery; each is answered by an HTTP process alone and changes nothing.
 * Not here on purpose: `/health` (a job for the engine), `/server_info` and older builds' `/v1/loads` (questions to the scheduler).
 */
export const FINGERPRINT_PATHS = [
  '/v1/models',
  '/liveness',
  '/ping',
  '/model_info',
  '/get_model_info',
  '/version',
  '/workers',
  '/healthz',
  '/metrics',
  '/healthcheck',
  '/status',
] as const;

/** What a target turned out to be. */
export type Recognised = { kind: Kind; role: Role; version?: string; certainty: number; why: string };

/** Asks every dialect and takes the surest. Other answers than the fingerprint's (`/server_info`, `/v1/loads`) are read when they are there. */
export function recogniseTarget(answers: Answers): Recognised {
  const claims = Object.values<Dialect>(dialects).flatMap((dialect) => {
    const claim = dialect.recognise(answers);
    return claim === undefined ? [] : [{ kind: dialect.kind, ...claim }];
  });
  return claims.sort((a, b) => b.certainty - a.certainty)[0] ?? unclaimed(answers);
}

/** The dialect of a kind; undefined for what is not a serving software that we know. */
export function dialectOf(kind: Kind): Dialect | undefined {
  return kind in dialects ? dialects[kind as keyof typeof dialects] : undefined;
}

function unclaimed(answers: Answers): Recognised {
  const all = Object.values(answers).filter((answer) => answer !== undefined);
  const answered = all.filter((answer) => answer.status !== undefined);
  if (answered.length === 0) {
    return {
      kind: 'unknown',
      role: 'unknown',
      certainty: 0,
      why: all[0]?.failure === undefined ? 'not asked yet' : `no HTTP answer: ${all[0].failure.slice(0, 100)}`,
    };
  }
  // SGLang's sources: a node of rank > 0 serves only /health, /health_generate, /ping (always 200) and /metrics.
  if (answers['/ping']?.status === 200 && is404(answers['/v1/models']) && is404(answers['/model_info']) && jsonOf(answers['/version']) === undefined) {
    return { kind: 'dummy', role: 'unknown', certainty: 0.7, why: '/ping is 200 but there is no /v1/models: the health server of a node with rank > 0' };
  }
  const models = answers['/v1/models'];
  if (models?.status === 401 || models?.status === 403)
    return { kind: 'unknown', role: 'unknown', certainty: 0, why: `/v1/models asks for a key (${models.status})` };
  if (models?.status !== undefined && models.status >= 500)
    return { kind: 'unknown', role: 'unknown', certainty: 0, why: `/v1/models fails with ${models.status}` };
  if (models?.status === undefined) return { kind: 'unknown', role: 'unknown', certainty: 0, why: '/v1/models gave no answer' };
  return {
    kind: 'not-llm',
    role: 'unknown',
    certainty: 0.6,
    why: `answers HTTP, but /v1/models is ${models.status === 200 ? 'no model list' : models.status}`,
  };
}
