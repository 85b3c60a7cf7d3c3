import type { Answers, CmdlineFinding, Dialect } from '@/lib/model/dialect';
import type { ListedWorker } from '@/lib/model/topology';
import { baseName, flag, flagLists, portFlag, words } from './argv';
import { asArray, asNumber, asObject, asText, jsonOf } from './payload';
import { webUrl } from './web-url';
import { workersOfFlags } from './worker-flags';

/**
 * The small proxies that pair vLLM's prefill and decode servers: the disaggregated proxy demo, the NIXL and MORI toy proxies and the Mooncake proxy.
 * Everything here is from vLLM's sources (examples and tests), not seen running. None lists models or counts anything; none ever gives a request up.
 */
export const vllmProxy: Dialect = {
  kind: 'vllm-proxy',
  title: 'vLLM prefill-decode proxy',
  health: [{ path: '/healthcheck', proves: 'The proxy process runs and knows how many servers it was started with; it has asked none of them.' }],
  recognise,
  cmdline,
  metricsUrls: (target) => (target.metricsUrl === undefined ? [] : [target.metricsUrl]),
  metrics: () => [],
  models: () => [],
  workers,
  // The demo's; the others have no list.
  workersPath: { path: '/status', control: false },
};

function recognise(answers: Answers): ReturnType<Dialect['recognise']> {
  const check = jsonOf(answers['/healthcheck']);
  if (asNumber(check?.prefill_instances) !== undefined && asNumber(check?.decode_instances) !== undefined)
    return { certainty: 0.95, role: 'balancer', why: '/healthcheck counts prefill and decode instances' };
  const status = jsonOf(answers['/status']);
  if (Array.isArray(status?.prefill_nodes) && Array.isArray(status?.decode_nodes))
    return { certainty: 0.95, role: 'balancer', why: '/status lists prefill and decode nodes' };
  return undefined;
}

/** `host:port` without a scheme. */
function workers(body: unknown): ListedWorker[] {
  const status = asObject(body);
  return [...nodes(asArray(status?.prefill_nodes), 'prefill'), ...nodes(asArray(status?.decode_nodes), 'decode')];
}

function nodes(list: readonly unknown[], role: ListedWorker['role']): ListedWorker[] {
  return list.slice(0, 500).flatMap((node): ListedWorker[] => {
    const text = asText(node);
    const url = text === undefined ? undefined : webUrl(text.includes('://') ? text : `http://${text}`);
    return url === undefined ? [] : [{ url, role }];
  });
}

const TOY = new Set(['toy_proxy_server.py', 'moriio_toy_proxy_server.py']);
const PROXIES = new Set([...TOY, 'disagg_proxy_demo.py', 'disagg_proxy_multiturn.py', 'disagg_prefill_proxy_server.py', 'mooncake_connector_proxy.py']);

function cmdline(argv: readonly string[]): CmdlineFinding | undefined {
  const all = words(argv);
  if (!/^python[\d.]*$/.test(baseName(all[0]))) return undefined;
  const script = baseName(all.find((word, i) => i > 0 && !word.startsWith('-')));
  if (!PROXIES.has(script)) return undefined;
  const host = flag(all, '--host');
  const model = flag(all, '--model', '-m');
  return {
    kind: 'vllm-proxy',
    role: 'balancer',
    ...(host === undefined ? {} : { host }),
    port: portFlag(all, '--port') ?? 8000,
    ...(model === undefined ? {} : { model: model.slice(0, 300) }),
    workers: TOY.has(script) ? paired(all) : [...workersOfFlags(all), ...bare(all, '--prefill', 'prefill'), ...bare(all, '--decode', 'decode')],
  };
}

/** `--prefiller-hosts a b --prefiller-ports 1 2`; without them localhost:8100 and localhost:8200. */
function paired(argv: readonly string[]): ListedWorker[] {
  const values = (name: string) => [...flagLists(argv, `${name}s`), ...flagLists(argv, name)].flat();
  return (
    [
      ['--prefiller', 'prefill', '8100'],
      ['--decoder', 'decode', '8200'],
    ] as const
  ).flatMap(([name, role, usual]) => {
    const ports = values(`${name}-port`);
    const hosts = values(`${name}-host`);
    return nodes(
      (ports.length === 0 ? [usual] : ports).map((port, i) => `${hosts[i] ?? 'localhost'}:${port}`),
      role,
    );
  });
}

/** The demo's lists hold `host:port` words. */
function bare(argv: readonly string[], name: string, role: ListedWorker['role']): ListedWorker[] {
  return nodes(
    flagLists(argv, name)
      .flat()
      .filter((word) => /^[^:/]+:\d+$/.test(word)),
    role,
  );
}
