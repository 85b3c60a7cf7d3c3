import type { Answers, CmdlineFinding, Dialect } from '@/lib/model/dialect';
import type { ListedWorker } from '@/lib/model/topology';
import { flag, hasFlag, portFlag, pythonModule, words } from './argv';
import { asArray, asNumber, asObject, asText, isFastApi404, jsonOf, modelIds } from './payload';
import { urlOf } from './web-url';
import { workersOfFlags } from './worker-flags';

/** SGLang's Python balancer for prefill-decode pairs. */
export const miniLb: Dialect = {
  kind: 'mini-lb',
  title: 'mini_lb',
  health: [{ path: '/health', proves: 'The balancer process runs; always 200, whatever happens behind it.' }],
  otherHealth: [
    { path: '/health_generate', notAsked: 'it asks every worker and ignores what they say: 200 unless a connection fails, at the cost of a job on each' },
  ],
  reads: ({ path, status }) =>
    path === '/health' && status === 200
      ? { by: 'a constant in the balancer', proves: 'Its process runs. It keeps no state of its workers and asked none.' }
      : undefined,
  recognise,
  cmdline,
  // It exports none.
  metricsUrls: (target) => (target.metricsUrl === undefined ? [] : [target.metricsUrl]),
  metrics: () => [],
  models: modelIds,
  workers,
  // Asks every worker in turn: hangs with the first wedged one (SGLang's sources).
  workersPath: { path: '/get_server_info', control: true },
};

/** sglang-router 0.3.2, seen running: FastAPI's 404 on `/liveness` and on `/ping`, yet the worker's model list and model info come through; `/server_info` and `/version` are 404. */
function recognise(answers: Answers): ReturnType<Dialect['recognise']> {
  const lacks = ['/liveness', '/ping'].every((path) => isFastApi404(answers[path]));
  if (!lacks || answers['/version']?.status === 200) return undefined;
  const info = jsonOf(answers['/model_info']) ?? jsonOf(answers['/get_model_info']);
  const hasRoutes = has(answers, '/v1/models') && (has(answers, '/model_info') || has(answers, '/get_model_info'));
  if (info?.tokenizer_path !== undefined) return { certainty: 0.9, role: 'balancer', why: '/model_info comes through but /ping and /liveness are 404' };
  // With its first prefill gone both routes are there and fail.
  if (hasRoutes) return { certainty: 0.75, role: 'balancer', why: 'model routes are there but /ping and /liveness are 404' };
  return undefined;
}

function has(answers: Answers, path: string): boolean {
  const answer = answers[path];
  return answer?.status !== undefined && answer.status !== 404;
}

/** SGLang's sources: three generations of launchers. */
function cmdline(argv: readonly string[]): CmdlineFinding | undefined {
  const all = words(argv);
  const module = pythonModule(all);
  const isOwn = module === 'sglang.srt.disaggregation.mini_lb' || (module === 'sglang.srt.disaggregation.launch_lb' && !hasFlag(all, '--rust-lb'));
  const isLaunched =
    hasFlag(all, '--mini-lb') &&
    (/^(sglang_router|smg)\.launch_router$/.test(module ?? '') || all.some((word) => /launch_router\.py$|sglang-router$|\/smg$/.test(word)));
  if (!isOwn && !isLaunched) return undefined;
  const host = flag(all, '--host');
  const port = portFlag(all, '--port');
  return { kind: 'mini-lb', role: 'balancer', ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }), workers: workersOfFlags(all) };
}

/** Its reply holds the workers' server arguments, keys included: only the address and the name are taken. */
function workers(body: unknown): ListedWorker[] {
  const reply = asObject(body);
  return (['prefill', 'decode'] as const).flatMap((role) =>
    asArray(reply?.[role])
      .slice(0, 500)
      .flatMap((foreign): ListedWorker[] => {
        const server = asObject(foreign);
        const port = asNumber(server?.port);
        if (server === undefined || port === undefined || port < 1 || port > 65_535) return [];
        const model = asText(server.served_model_name);
        return [{ url: urlOf(asText(server.host), port), role, ...(model === undefined ? {} : { model }) }];
      }),
  );
}
