import type { Answers, CmdlineFinding, Dialect, HealthReading, HealthSeen } from '@/lib/model/dialect';
import type { ListedWorker } from '@/lib/model/topology';
import { baseName, flag, hasFlag, portFlag, program, pythonModule, words } from './argv';
import { asArray, asNumber, asObject, asText, jsonOf, modelIds, parseJson } from './payload';
import { sglangRouterMeanings, sglangRouterMetrics } from './sglang-router-metrics';
import { webUrl } from './web-url';
import { workersOfFlags } from './worker-flags';

/** The Rust gateway of SGLang: sglang-router, sgl-model-gateway, SMG, and the experimental router. */
export const sglangRouter: Dialect = {
  kind: 'sglang-router',
  title: 'SGLang gateway',
  health: [
    { path: '/readiness', proves: 'The last 60 s checks left at least one healthy worker of each role; says 200 for over two minutes after a death.' },
    { path: '/health', proves: 'The gateway process runs; always 200.' },
  ],
  otherHealth: [
    { path: '/liveness' },
    { path: '/health_generate', notAsked: 'it tells only whether some worker is marked healthy, which /readiness tells as well' },
  ],
  reads: readHealth,
  meanings: sglangRouterMeanings,
  recognise,
  cmdline,
  metricsUrls: (target) =>
    target.metricsUrl === undefined ? [ownMetricsUrl(target.url), `${target.url}/metrics`].filter((url) => url !== undefined) : [target.metricsUrl],
  metrics: sglangRouterMetrics,
  models: modelIds,
  workers,
  workersPath: { path: '/workers', control: false },
};

/** sglang-router 0.3.2, seen running: `/liveness` "OK" is the gateway or SMG, `/healthz` the experimental router. */
function recognise(answers: Answers): ReturnType<Dialect['recognise']> {
  const liveness = answers['/liveness'];
  const isLive = liveness?.status === 200 && liveness.body?.trim() === 'OK';
  const isManager = jsonOf(answers['/get_server_info'])?.router_manager === true;
  const hasWorkers = workers(parseJson(answers['/workers']?.body)).length > 0;
  const page = answers['/metrics']?.status === 200 ? (answers['/metrics'].body ?? '') : '';
  if (isLive && (hasWorkers || isManager)) return { certainty: 0.97, role: 'router', why: '/liveness says OK and the gateway lists its workers' };
  if (isLive) return { certainty: 0.9, role: 'router', why: '/liveness says OK' };
  if (hasWorkers) return { certainty: 0.7, role: 'router', why: '/workers lists workers' };
  // The metrics listener of older gateways answers every path with its page: only a server with a model list is the experimental router.
  if (answers['/healthz']?.status === 200 && /^sgl_router_/m.test(page) && Array.isArray(jsonOf(answers['/v1/models'])?.data))
    return { certainty: 0.9, role: 'router', why: '/healthz answers and /metrics holds sgl_router_ families' };
  return undefined;
}

/** sglang-router 0.3.2, seen running; the old router (v0.1.x) asked its workers under /health, which takes an engine's second. */
function readHealth({ path, status, tookMs = 0 }: HealthSeen): HealthReading | undefined {
  if (path === '/readiness')
    return status === 200
      ? {
          by: "the gateway's registry, from its own checks each 60 s",
          proves:
            'Three checks in a row have not yet failed for the last worker of a role: a death shows after two to three minutes, a hang that passes /health never.',
        }
      : status === 503
        ? { by: "the gateway's registry", proves: 'Some role has no worker that passed its last checks, dead or only slow to answer /health.' }
        : undefined;
  if ((path === '/health' || path === '/liveness') && status === 200)
    return tookMs < 500
      ? { by: 'a constant in the gateway', proves: 'Its process runs and its event loop turns. No worker was asked.' }
      : { by: 'an old router that asks its workers first', proves: 'Its workers passed their own /health at this moment.' };
  return undefined;
}

const BINARIES = new Set(['sglang-router', 'sgl-router', 'sgl-model-gateway', 'smg', 'amg']);
const MODULES = new Set(['sglang_router.launch_router', 'sglang_router.launch_server', 'smg.launch_router', 'smg']);

/** SGLang's sources. A renamed `sglang::router` has lost its flags and may be a mini_lb as well: role unknown until asked. */
function cmdline(argv: readonly string[]): CmdlineFinding | undefined {
  const all = words(argv);
  if (all.length === 1 && (all[0] === 'sglang::router' || all[0] === 'smg::router')) return { kind: 'sglang-router', role: 'unknown', workers: [] };
  const module = pythonModule(all) ?? '';
  const { name } = program(all);
  const isGateway =
    BINARIES.has(name) ||
    isVllmFork(name, all) ||
    MODULES.has(module) ||
    /^sglang_router\/launch_(router|server)\.py$/.test(lastTwo(all)) ||
    isRustBalancer(module, all);
  if (!isGateway || hasFlag(all, '--mini-lb')) return undefined;
  const host = flag(all, '--host');
  const port = portFlag(all, '--port');
  const metricsPort = portFlag(all, '--prometheus-port');
  return {
    kind: 'sglang-router',
    role: 'router',
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(metricsPort === undefined ? {} : { metricsPort }),
    workers: workersOfFlags(all),
  };
}

/** vLLM's Rust router is a fork of this gateway; the production stack's Python one has the same name and other flags. */
function isVllmFork(name: string, argv: readonly string[]): boolean {
  return name === 'vllm-router' && ['--worker-urls', '--prefill', '--policy'].some((flagName) => hasFlag(argv, flagName));
}

function isRustBalancer(module: string, argv: readonly string[]): boolean {
  return module === 'sglang.srt.disaggregation.launch_lb' && hasFlag(argv, '--rust-lb');
}

function lastTwo(argv: readonly string[]): string {
  const script = argv.find((word) => word.endsWith('.py')) ?? '';
  return script.split('/').slice(-2).join('/') || baseName(script);
}

const ROLES: ReadonlyMap<string, ListedWorker['role']> = new Map([
  ['prefill', 'prefill'],
  ['decode', 'decode'],
  ['regular', 'unified'],
]);

function workers(body: unknown): ListedWorker[] {
  return asArray(asObject(body)?.workers)
    .slice(0, 1000)
    .flatMap((foreign): ListedWorker[] => {
      const worker = asObject(foreign);
      const url = webUrl(asText(worker?.url));
      if (worker === undefined || url === undefined) return [];
      const model = asText(worker.model_id) ?? asText(asObject(worker.metadata)?.served_model_name);
      const load = asNumber(worker.load);
      return [
        {
          url,
          role: ROLES.get(asText(worker.worker_type)?.toLowerCase() ?? '') ?? 'unknown',
          ...(model === undefined ? {} : { model }),
          ...(typeof worker.is_healthy === 'boolean' ? { isHealthy: worker.is_healthy } : {}),
          ...(load === undefined ? {} : { load }),
        },
      ];
    });
}

function ownMetricsUrl(url: string): string | undefined {
  try {
    const own = new URL(url);
    own.protocol = 'http:';
    own.port = '29000';
    return `${own.origin}/metrics`;
  } catch {
    return undefined;
  }
}
