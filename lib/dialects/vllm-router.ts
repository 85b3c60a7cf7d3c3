import type { Answers, CmdlineFinding, Dialect } from '@/lib/model/dialect';
import type { Sample } from '@/lib/model/sample';
import type { ListedWorker } from '@/lib/model/topology';
import { flag, hasFlag, portFlag, program, pythonModule, words } from './argv';
import { canonical, type Mapping } from './canonical';
import { asText, isFastApi404, jsonOf, modelIds } from './payload';
import { parseExposition } from './prometheus-text';
import { webUrl } from './web-url';

/** The router of the vLLM production stack; everything here is from its sources (vllm-project/production-stack, src/vllm_router), not seen running. */
export const vllmRouter: Dialect = {
  kind: 'vllm-router',
  title: 'vLLM production-stack router',
  health: [{ path: '/health', proves: 'The threads that discover engines and read their statistics run; no engine was asked for a token.' }],
  recognise,
  cmdline,
  metricsUrls: (target) => (target.metricsUrl === undefined ? [`${target.url}/metrics`] : [target.metricsUrl]),
  metrics,
  models: modelIds,
  // Its /engines tells ids and models and no address, so its engines are known by configuration or command line only.
};

/** Its names are vLLM's own, yet counted by the router: the label tells which engine. */
const mappings = new Map<string, Mapping>([
  ['vllm:num_requests_running', { name: 'router_inflight_reqs', by: (labels) => (labels.server === undefined ? undefined : '0') }],
  ['vllm:healthy_pods_total', { name: 'router_worker_health', by: (labels) => labels.server }],
  ['vllm:num_incoming_requests_total', { name: 'router_http_requests_total' }],
]);
const wanted = new Set(mappings.keys());

function metrics(page: string): Sample[] {
  return canonical(parseExposition(page, wanted).lines, mappings, 'router', { rank: '', replicas: [] }, '');
}

/** `/version` is the router's own and `/v1/models` repeats the engines' `owned_by: vllm`, so only the page or the missing `/ping` tells it from an engine. */
function recognise(answers: Answers): ReturnType<Dialect['recognise']> {
  const page = answers['/metrics']?.status === 200 ? (answers['/metrics'].body ?? '') : '';
  const version = asText(jsonOf(answers['/version'])?.version, 40);
  if (!Array.isArray(jsonOf(answers['/v1/models'])?.data) || version === undefined) return undefined;
  const rest = { role: 'router', version } as const;
  if (/^# TYPE vllm:healthy_pods_total /m.test(page)) return { certainty: 0.97, why: '/metrics counts requests by server and healthy pods', ...rest };
  if (/^# TYPE router_cpu_usage_percent /m.test(page) && isFastApi404(answers['/ping']))
    return { certainty: 0.96, why: '/metrics holds router_ families and /ping is 404', ...rest };
  return undefined;
}

/** The Rust router of the same name is a fork of SGLang's gateway and is told by its flags. */
function cmdline(argv: readonly string[]): CmdlineFinding | undefined {
  const all = words(argv);
  const isRouter = program(all).name === 'vllm-router' || pythonModule(all) === 'vllm_router.app';
  if (!isRouter || (!hasFlag(all, '--service-discovery') && !hasFlag(all, '--static-backends') && !hasFlag(all, '--routing-logic'))) return undefined;
  const host = flag(all, '--host');
  const port = portFlag(all, '--port');
  return {
    kind: 'vllm-router',
    role: 'router',
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    workers: workersOf(all),
  };
}

function workersOf(argv: readonly string[]): ListedWorker[] {
  const list = (name: string) => (flag(argv, name) ?? '').split(',').map((word) => word.trim());
  const labels = list('--static-model-labels');
  const isSplit = flag(argv, '--routing-logic') === 'disaggregated_prefill';
  const roleOf = (i: number): ListedWorker['role'] => {
    if (!isSplit) return 'unified';
    if (list('--prefill-model-labels').includes(labels[i] ?? '')) return 'prefill';
    return list('--decode-model-labels').includes(labels[i] ?? '') ? 'decode' : 'unknown';
  };
  return list('--static-backends').flatMap((word, i): ListedWorker[] => {
    const url = webUrl(word);
    return url === undefined ? [] : [{ url, role: roleOf(i) }];
  });
}
