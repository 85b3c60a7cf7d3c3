import type { Answers, Dialect } from '@/lib/model/dialect';
import { jsonOf, modelIds } from './payload';

/** Anything else that lists models as OpenAI does: probed like the others, but nothing is known of its insides. */
export const openai: Dialect = {
  kind: 'openai',
  title: 'OpenAI-compatible server',
  health: [{ path: '/v1/models', proves: 'The server answers HTTP; nothing about its engine.' }],
  reads: ({ path, status }) =>
    path === '/v1/models' && status === 200
      ? { by: 'its model list, for want of a health URL that we know', proves: 'The server answers HTTP. Nothing about its engine.' }
      : undefined,
  recognise,
  cmdline: () => undefined,
  metricsUrls: (target) => (target.metricsUrl === undefined ? [] : [target.metricsUrl]),
  metrics: () => [],
  models: modelIds,
};

function recognise(answers: Answers): ReturnType<Dialect['recognise']> {
  const list = jsonOf(answers['/v1/models']);
  if (list === undefined || !Array.isArray(list.data)) return undefined;
  return { certainty: 0.3, role: 'unified', why: '/v1/models lists models; no other mark is known' };
}
