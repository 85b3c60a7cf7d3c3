import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCollector } from '@/lib/collector/collector';
import { defaultConfig } from '@/lib/config';
import { createDetector } from '@/lib/detector/detector';
import { recordedBy } from '@/lib/dialects/fixtures/recorded';
import { realClock } from '@/lib/io/clock';
import type { Observation } from '@/lib/model/observation';
import { until } from '../processes';

const { recorded, answer } = recordedBy((path) => readFileSync(fileURLToPath(new URL(`../../lib/dialects/fixtures/${path}`, import.meta.url)), 'utf8'));
const pd = 'sglang-0.5.23/pd';
const SCALE = 6;

type Site = Record<string, () => string>;
const file =
  (path: string, change = (body: string) => body) =>
  () =>
    change(answer(path, '/').body ?? '');
const servers: Server[] = [];

/** A server that replays recorded answers; what was not recorded is FastAPI's 404. */
async function serve(site: Site, chat?: (res: ServerResponse) => void): Promise<{ url: string; port: number }> {
  const server = createServer((req, res) => {
    const path = (req.url ?? '').split('?')[0] ?? '';
    const body = site[path];
    req.resume();
    if (req.method === 'POST' && chat !== undefined) return chat(res);
    res.writeHead(body === undefined ? 404 : 200, { 'content-type': path === '/metrics' ? 'text/plain; version=1.0.0' : 'application/json' });
    res.end(body === undefined ? '{"detail":"Not Found"}' : body());
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port };
}

function good(res: ServerResponse) {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const word of ['one', 'two', 'three']) res.write(`data: {"choices":[{"delta":{"content":"${word}"}}]}\n\n`);
  res.end('data: [DONE]\n\n');
}

describe('a mixed stack: SGLang, vLLM and something unknown, behind front-ends of their own', () => {
  let isFrozen = false;
  let steps = 0;
  let stop: () => Promise<void>;
  let detector: ReturnType<typeof createDetector>;
  const models = new Set<string>();

  beforeAll(async () => {
    const engine = (role: string): Site => ({
      '/ping': file(`${pd}/pd-${role}-get-ping.http`),
      '/v1/models': file(`${pd}/pd-${role}-get-v1-models.http`),
      '/model_info': file(`${pd}/pd-${role}-get-model-info.http`),
      '/v1/loads': file(`${pd}/pd-${role}-get-v1-loads-include-all.http`),
      '/metrics': () => recorded(`${pd}/pd-${role}-metrics-load.prom`),
      '/health': () => '',
    });
    const prefill = await serve(engine('prefill'));
    const decode = await serve(engine('decode'));
    const ours = (body: string) => body.replaceAll('30110', String(prefill.port)).replaceAll('30112', String(decode.port));
    const gateway = await serve(
      {
        '/liveness': () => 'OK',
        '/health': () => '',
        '/readiness': () => '',
        '/v1/models': file(`${pd}/pd-router-get-v1-models.http`),
        '/workers': file(`${pd}/pd-router-get-workers.http`, ours),
      },
      good,
    );
    // once frozen, vLLM still says 200 and sends the headers of a stream; no counter of it moves
    const vllmChat = (res: ServerResponse) => {
      if (isFrozen) res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      else {
        steps += 6;
        good(res);
      }
    };
    const vllm = await serve(
      {
        '/ping': () => '',
        '/health': () => '',
        '/version': file('vllm-0.32.0/get_version.http'),
        '/v1/models': file('vllm-0.32.0/get_v1_models.http'),
        '/metrics': () => recorded('vllm-0.32.0/metrics-0-fresh.txt').replace(/(vllm:iteration_tokens_total_count\{.*\}) .*/, (_, name) => `${name} ${steps}`),
      },
      vllmChat,
    );
    const proxy = await serve({ '/status': () => JSON.stringify({ prefill_nodes: [], decode_nodes: [`127.0.0.1:${vllm.port}`] }) }, vllmChat);
    const other = await serve({ '/v1/models': () => '{"object":"list","data":[{"id":"other-model","object":"model"}]}' }, good);
    const parts = { gateway, prefill, decode, vllm, proxy, other };
    const targets = Object.entries(parts).map(([name, { url }]) => ({ id: `mixed.${name}`, name, url, headers: {}, probe: true }));
    // the engine serves users directly too: its half is what the operator says, not what the proxy's list calls it
    const configured = targets.map((target) => (target.name === 'vllm' ? { ...target, role: 'unified' as const } : target));
    const config = {
      ...defaultConfig([{ id: 'mixed', name: 'mixed', targets: configured }], { argv: [], cwd: process.cwd() }),
      timeScale: SCALE,
    };
    detector = createDetector({ config, build: 'test' });
    const observe = (observation: Observation) => {
      if (observation.kind === 'probe' && observation.result.probe === 'chat') models.add(`${observation.result.target} ${observation.result.model}`);
      for (const effect of detector.step(observation)) if (effect.kind === 'probe') collector.requestProbe(effect.target, effect.purpose, effect.because);
    };
    const collector = startCollector(config, { observe, experiment: () => {}, deadline: (id) => detector.deadline(id) }, realClock(SCALE));
    stop = () => collector.stop();
  });

  afterAll(async () => {
    await stop();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const node = (name: string) => detector.snapshot()?.stacks[0]?.nodes.find((one) => one.name === name);
  const said = () => JSON.stringify(detector.snapshot()?.stacks[0]?.nodes.map((one) => [one.name, one.kind, one.role, one.judgement]));
  const comes = (holds: () => boolean) => until(holds, 60_000, said);

  it('is discovered, each part as what it is', async () => {
    const wanted = {
      gateway: ['sglang-router', 'router'],
      prefill: ['sglang', 'prefill'],
      decode: ['sglang', 'decode'],
      vllm: ['vllm', 'unified'],
      proxy: ['vllm-proxy', 'balancer'],
      other: ['openai', 'unified'],
    };
    const seen = () => Object.fromEntries(Object.keys(wanted).map((name) => [name, [node(name)?.kind, node(name)?.role]]));
    await comes(() => JSON.stringify(seen()) === JSON.stringify(wanted));
  });

  it('is well everywhere by its chats, also through a proxy that lists no model and a server without a health page', async () => {
    await comes(() => ['gateway', 'vllm', 'proxy', 'other'].every((name) => node(name)?.judgement.verdict === 'ok'));
    expect(models).toContain('mixed.proxy tiny');
    expect(node('other')?.health).toBeUndefined();
    expect(node('vllm')?.values.find((value) => value.name === 'num_running_reqs')).toMatchObject({ v: 0, alias: 'vllm:num_requests_running' });
  });

  it('hangs at the vLLM engine when that freezes, which only the chats show, and nowhere else', async () => {
    isFrozen = true;
    await comes(() => ['vllm', 'proxy'].every((name) => node(name)?.judgement.verdict === 'hanging'));
    expect(node('vllm')?.judgement).toMatchObject({ place: { kind: 'engine', name: 'vllm' }, phase: 'no first token' });
    expect(node('vllm')?.judgement.because).toContain('only a chat tells');
    expect(node('vllm')?.health).toMatchObject({ status: 200, says: 'up' });
    expect(node('proxy')?.judgement.place).toMatchObject({ kind: 'engine', name: 'vllm' });
    for (const name of ['gateway', 'other']) expect(node(name)?.judgement.verdict).toBe('ok');
    expect(detector.snapshot()?.stacks[0]?.sentence).toContain('vllm');
  });
});
