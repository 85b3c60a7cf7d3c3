import type { Answers, CmdlineFinding, Dialect } from '@/lib/model/dialect';
import type { Sample, SeriesName } from '@/lib/model/sample';
import type { Role } from '@/lib/model/target';
import { flag, portFlag, program, pythonModule, words } from './argv';
import { canonical, type Mapping } from './canonical';
import { endpointClass, statusClass } from './endpoint';
import { asObject, asText, jsonOf, modelIds, modelsOwner, parseJson } from './payload';
import { parseExposition } from './prometheus-text';

const mappings = new Map<string, Mapping>([
  ['vllm:num_requests_running', { name: 'num_running_reqs' }],
  ['vllm:num_requests_waiting', { name: 'num_queue_reqs' }],
  ['vllm:kv_cache_usage_perc', { name: 'token_usage' }],
  // The V0 engine's name.
  ['vllm:gpu_cache_usage_perc', { name: 'token_usage', preference: 1 }],
  ['vllm:generation_tokens_total', { name: 'generation_tokens_total' }],
  ['vllm:prompt_tokens_total', { name: 'prompt_tokens_total' }],
  ['vllm:request_success_total', { name: 'num_requests_total' }],
  // One for each step of the engine, whoever is served: it stands when the engine does, and when nobody asks.
  ['vllm:iteration_tokens_total_count', { name: 'engine_steps_total' }],
  // Asleep it takes chats in and begins none until it is woken (vLLM's sources).
  ['vllm:engine_sleep_state', { name: 'engine_awake', only: (labels) => labels.sleep_state === 'awake' }],
  ['vllm:num_preemptions_total', { name: 'num_retracted_requests_total' }],
  ['vllm:time_to_first_token_seconds_count', { name: 'time_to_first_token_count' }],
  // Counted when the answer ends, so these are responses. They move during a wedge: no proof of work.
  ['http_requests_total', { name: 'http_responses_total', by: (labels) => `${endpointClass(labels.handler)}:${statusClass(labels.status)}` }],
  ['process_start_time_seconds', { name: 'process_start_time_seconds' }],
]);
const wanted = new Set(mappings.keys());
/** Every meaning that some version of it exports. */
const meanings: SeriesName[] = [...new Set([...mappings.values()].map((mapping) => mapping.name))];

/** vLLM's OpenAI server; facts are of 0.32.0, seen running. */
export const vllm: Dialect = {
  kind: 'vllm',
  title: 'vLLM',
  // Not asked: `/load`, whose 0 means "nothing" or "started without --enable-server-load-tracking".
  health: [{ path: '/health', proves: 'The engine process is not known to be dead; a frozen engine says 200 as well.' }],
  otherHealth: [{ path: '/ping' }],
  reads: ({ path, status }) =>
    (path === '/health' || path === '/ping') && status === 200
      ? {
          by: 'the API server, by whether its engine process is known to be dead',
          proves: 'The engine process has not ended. A frozen one says 200 for ever, in milliseconds; while idle no counter shows it either, only a chat does.',
        }
      : (path === '/health' || path === '/ping') && status === 503
        ? { by: 'the API server', proves: 'Its engine process has ended; the port refuses within a second.' }
        : undefined,
  meanings,
  recognise,
  cmdline,
  metricsUrls: (target) => (target.metricsUrl === undefined ? [`${target.url}/metrics`] : [target.metricsUrl]),
  metrics,
  models: modelIds,
};

function metrics(page: string): Sample[] {
  const { lines } = parseExposition(page, wanted);
  const engines = new Set(lines.map((line) => line.labels.engine).filter((engine) => engine !== undefined));
  return canonical(lines, mappings, 'metrics', { rank: engines.size > 1 ? 'engine' : '', replicas: [] }, '');
}

function recognise(answers: Answers): ReturnType<Dialect['recognise']> {
  const said = jsonOf(answers['/version'])?.version;
  const version = asText(said, 40);
  const page = answers['/metrics']?.status === 200 ? (answers['/metrics'].body ?? '') : '';
  const isOwner = modelsOwner(jsonOf(answers['/v1/models'])) === 'vllm';
  const hasFamilies = /^(# TYPE )?vllm:/m.test(page);
  const rest = { role: 'unified', ...(version === undefined ? {} : { version }) } as const;
  if (isOwner && version !== undefined) return { certainty: 0.95, why: '/v1/models says owned_by vllm and /version answers', ...rest };
  if (hasFamilies) return { certainty: 0.9, why: '/metrics holds vllm: families', ...rest };
  if (isOwner) return { certainty: 0.8, why: '/v1/models says owned_by vllm', ...rest };
  return undefined;
}

/** `--kv-transfer-config '{"kv_role":"kv_producer"}'` (vLLM's sources): a producer of KV is the prefill half. */
function roleOf(argv: readonly string[]): Role {
  const told = asText(asObject(parseJson(flag(argv, '--kv-transfer-config')))?.kv_role);
  return told === 'kv_producer' ? 'prefill' : told === 'kv_consumer' ? 'decode' : 'unified';
}

/** Children retitle themselves `VLLM::EngineCore`, `VLLM::Worker` and hold no flags. */
function cmdline(argv: readonly string[]): CmdlineFinding | undefined {
  const all = words(argv);
  const { name, rest } = program(all);
  const isServe = name === 'vllm' && rest[0] === 'serve';
  if (!isServe && pythonModule(all) !== 'vllm.entrypoints.openai.api_server') return undefined;
  const host = flag(all, '--host');
  const port = portFlag(all, '--port');
  const positional = isServe && rest[1] !== undefined && !rest[1].startsWith('-') ? rest[1] : undefined;
  const model = flag(all, '--served-model-name') ?? positional ?? flag(all, '--model');
  return {
    kind: 'vllm',
    role: roleOf(all),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(model === undefined ? {} : { model: model.slice(0, 300) }),
    workers: [],
  };
}
