import type { Answers, CmdlineFinding, Dialect } from '@/lib/model/dialect';
import type { Role } from '@/lib/model/target';
import { flag, portFlag, program, pythonModule, words } from './argv';
import { asText, isFastApi404, jsonOf, modelIds, modelsOwner } from './payload';
import { readSglangHealth } from './sglang-health';
import { loadsIdentity, roleOfMode, sglangLoads, sglangLoadsAsked } from './sglang-loads';
import { sglangMeanings, sglangMetrics } from './sglang-metrics';

/** An SGLang engine. */
export const sglang: Dialect = {
  kind: 'sglang',
  title: 'SGLang',
  health: [
    {
      path: '/health',
      proves: 'A one-token job over a fake KV hand-over came back from some rank within 20 s: no KV transfer and, on decode, no forward pass.',
      slowByDesign: true,
    },
  ],
  otherHealth: [
    { path: '/ping' },
    { path: '/health_generate', notAsked: 'the same check as /health in builds since August 2025: asking both would cost the scheduler a second job' },
  ],
  reads: readSglangHealth,
  meanings: sglangMeanings,
  recognise,
  cmdline,
  metricsUrls: (target) => (target.metricsUrl === undefined ? [`${target.url}/metrics`] : [target.metricsUrl]),
  metrics: sglangMetrics,
  loads: sglangLoads,
  asked: sglangLoadsAsked,
  models: modelIds,
};

/** SGLang 0.5.23, seen running: `/model_info` (older: `/get_model_info`) with a tokenizer path, and `/ping` known; the balancer forwards the first but lacks the second. */
function recognise(answers: Answers): ReturnType<Dialect['recognise']> {
  const info = jsonOf(answers['/model_info']) ?? jsonOf(answers['/get_model_info']);
  const server = jsonOf(answers['/server_info']);
  const page = answers['/metrics']?.status === 200 ? (answers['/metrics'].body ?? '') : '';
  const loads = loadsIdentity(jsonOf(answers['/v1/loads']));
  const found: { certainty: number; why: string }[] = [];
  const hasPing = answers['/ping'] !== undefined && answers['/ping'].status !== undefined && answers['/ping'].status !== 404;
  if (info?.tokenizer_path !== undefined && hasPing) found.push({ certainty: 0.95, why: '/model_info tells a tokenizer path and /ping is known' });
  if (/^sglang:(num_running_reqs|max_total_num_tokens|http_requests_total)\b/m.test(page))
    found.push({ certainty: 0.9, why: '/metrics holds sglang: families' });
  if (hasPing && modelsOwner(jsonOf(answers['/v1/models'])) === 'sglang')
    found.push({ certainty: 0.8, why: '/v1/models says owned_by sglang and /ping is known' });
  // With --api-key even an unknown path is 401, but for /health* and /metrics* (SGLang's sources).
  if (answers['/liveness']?.status === 401 && answers['/ping']?.status === 401)
    found.push({ certainty: 0.4, why: 'every path asks for a key, as SGLang with --api-key does' });
  const best = found.sort((a, b) => b.certainty - a.certainty)[0];
  if (best === undefined || isFastApi404(answers['/ping'])) return undefined;
  const version = asText(server?.version, 40) ?? loads.version;
  const roles = [roleOfMode(info?.disaggregation_mode), roleOfMode(server?.disaggregation_mode), loads.role, roleOfPage(page)];
  return { ...best, role: roles.find((role) => role !== 'unknown') ?? 'unknown', ...(version === undefined ? {} : { version }) };
}

/** `engine_type` was the constant `unified` to 2025-12-28 (#15998): that word counts only beside a family of 2026-01-05 (#16479). */
function roleOfPage(page: string): Role {
  const said = /^sglang:\w+\{[^}\n]*\bengine_type="(prefill|decode|unified)"/m.exec(page)?.[1];
  if (said === 'prefill' || said === 'decode') return said;
  return said === 'unified' && page.includes('\nsglang:http_requests_active') ? 'unified' : 'unknown';
}

/** Main process only: schedulers and detokenizers retitle themselves `sglang::...` and hold no flags. */
function cmdline(argv: readonly string[]): CmdlineFinding | undefined {
  const all = words(argv);
  const module = pythonModule(all);
  const { name, rest } = program(all);
  const isEngine =
    module === 'sglang.launch_server' ||
    (name === 'sglang' && rest[0] === 'serve') ||
    (name === 'launch_server.py' && /sglang\/launch_server\.py/.test(all.join(' ')));
  if (!isEngine) return undefined;
  const mode = flag(all, '--disaggregation-mode');
  const host = flag(all, '--host');
  const model = flag(all, '--served-model-name') ?? flag(all, '--model-path', '--model');
  const nodeRank = Number(flag(all, '--node-rank') ?? 0);
  const port = portFlag(all, '--port');
  return {
    kind: 'sglang',
    // Flags may come from a --config file: absence proves nothing there.
    role: mode === undefined && flag(all, '--config') !== undefined ? 'unknown' : roleOfMode(mode ?? 'null'),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(model === undefined ? {} : { model: model.slice(0, 300) }),
    ...(Number.isInteger(nodeRank) && nodeRank > 0 ? { nodeRank } : {}),
    workers: [],
  };
}
