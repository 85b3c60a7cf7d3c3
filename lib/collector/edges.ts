import { isFrontEnd, type Target } from '@/lib/model/target';
import type { Edge, ListedWorker } from '@/lib/model/topology';

/** One member of a stack with what it lists. */
export type Member = { target: Target; listed?: readonly ListedWorker[] };

/** Who talks to whom, and how that is known: by the front-ends' lists; where there is none, inferred from the roles. */
export function edgesOf(members: readonly Member[]): Edge[] {
  const frontEnds = members.filter((member) => isFrontEnd(member.target));
  const engines = members.map((member) => member.target).filter((target) => ['prefill', 'decode', 'unified'].includes(target.role));
  const routes = frontEnds.flatMap((frontEnd) => routesOf(frontEnd, engines));
  const groups =
    frontEnds.length > 0
      ? frontEnds.map((frontEnd) => routes.filter((edge) => edge.from === frontEnd.target.id).map((edge) => edge.to))
      : [engines.map(({ id }) => id)];
  const pairs = new Map<string, Edge>();
  for (const group of groups) {
    const inGroup = engines.filter((engine) => group.includes(engine.id));
    for (const from of inGroup.filter((engine) => engine.role === 'prefill'))
      for (const to of inGroup.filter((engine) => engine.role === 'decode'))
        pairs.set(`${from.id} ${to.id}`, { from: from.id, to: to.id, kind: 'kv', known: 'inferred' });
  }
  return [...routes, ...pairs.values()];
}

function routesOf({ target, listed }: Member, engines: readonly Target[]): Edge[] {
  const from = target.id;
  if (listed === undefined) return kin(target, engines).map((engine) => ({ from, to: engine.id, kind: 'routes', known: 'inferred' }));
  const known = target.kind === 'mini-lb' ? 'server-info' : 'workers';
  const told = [...new Set(listed.map((worker) => worker.target))]
    .filter((to) => to !== undefined && to !== from)
    .map((to): Edge => ({ from, to: to ?? from, kind: 'routes', known }));
  return [
    ...told,
    ...untold(told, engines)
      .filter(({ role }) => !listed.some((worker) => worker.role === role))
      .map(({ id }): Edge => ({ from, to: id, kind: 'routes', known: 'inferred' })),
  ];
}

/** In a mixed stack a front-end that does not tell its engines stands before those of its own family, where there are any. */
function kin({ kind }: Target, engines: readonly Target[]): readonly Target[] {
  const family = FAMILIES[kind];
  const own = engines.filter((engine) => engine.kind === family);
  return own.length > 0 ? own : engines;
}

const FAMILIES: Partial<Record<Target['kind'], Target['kind']>> = {
  'sglang-router': 'sglang',
  'mini-lb': 'sglang',
  'vllm-router': 'vllm',
  'vllm-proxy': 'vllm',
};

/** Half a pair serves nobody: a list with one half only lacks the other because that did not answer (mini_lb 0.3.2 tells `{}` of it, seen running). */
function untold(told: readonly Edge[], engines: readonly Target[]): Target[] {
  const roles = new Set(engines.filter(({ id }) => told.some(({ to }) => to === id)).map(({ role }) => role));
  const missing = roles.has('prefill') === roles.has('decode') ? undefined : roles.has('prefill') ? 'decode' : 'prefill';
  return engines.filter(({ role }) => role === missing);
}
