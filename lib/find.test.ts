import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { recordedBy } from './dialects/fixtures/recorded';
import { type Ask, findStack } from './find';
import type { Process } from './io/proc';
import type { Answer } from './model/dialect';

const { recorded, answer } = recordedBy((path) => readFileSync(fileURLToPath(new URL(`./dialects/fixtures/${path}`, import.meta.url)), 'utf8'));
const pd = 'sglang-0.5.23/pd';

/** A server's recorded answers by path; what was not recorded is its 404. */
type Site = Readonly<Record<string, Answer>>;

function site(files: Readonly<Record<string, string>>): Site {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [path, answer(file, path)]));
}

function world(sites: Readonly<Record<string, Site | 'mute'>>): Ask & { asked: string[] } {
  const asked: string[] = [];
  const ask: Ask = async (url, path) => {
    asked.push(url + path);
    const here = sites[url];
    if (here === undefined) return { path, failure: 'refused', tookMs: 1 };
    if (here === 'mute') return { path, failure: 'timeout', tookMs: 4000 };
    return here[path] ?? { path, status: 404, body: '{"detail":"Not Found"}', tookMs: 1 };
  };
  return Object.assign(ask, { asked });
}

const gateway = site({
  '/liveness': `${pd}/pd-router-get-liveness.http`,
  '/v1/models': `${pd}/pd-router-get-v1-models.http`,
  '/ping': `${pd}/pd-router-get-ping.http`,
  '/get_model_info': `${pd}/pd-router-get-get-model-info.http`,
  '/workers': `${pd}/pd-router-get-workers.http`,
});
const exporter: Site = Object.fromEntries(
  ['/liveness', '/v1/models', '/metrics', '/healthz', '/ping', '/workers'].map((path) => [
    path,
    { ...answer(`${pd}/pd-router-own-metrics-idle.http`, path), path },
  ]),
);
const balancer = site({
  '/v1/models': `${pd}/pd-minilb-get-v1-models.http`,
  '/model_info': `${pd}/pd-minilb-get-model-info.http`,
  '/get_server_info': `${pd}/pd-minilb-get-get-server-info.http`,
});
const prefill = site({
  '/ping': `${pd}/pd-prefill-get-ping.http`,
  '/v1/models': `${pd}/pd-prefill-get-v1-models.http`,
  '/model_info': `${pd}/pd-prefill-get-model-info.http`,
});
const decode = site({
  '/ping': `${pd}/pd-decode-get-ping.http`,
  '/v1/models': `${pd}/pd-decode-get-v1-models.http`,
  '/model_info': `${pd}/pd-decode-get-model-info.http`,
});
const unified = site({
  '/ping': 'sglang-0.5.23/get-ping.http',
  '/v1/models': 'sglang-0.5.23/get-v1-models.http',
  '/model_info': 'sglang-0.5.23/get-model-info.http',
});
const real = {
  'http://127.0.0.1:30120': gateway,
  'http://127.0.0.1:29120': exporter,
  'http://127.0.0.1:30130': balancer,
  'http://127.0.0.1:30110': prefill,
  'http://127.0.0.1:30112': decode,
};

/** The recorded process list of the real pair and its two front-ends; `ports` by pid as the sockets told. */
function realProcesses(ports: Readonly<Record<number, number[]>>): Process[] {
  const lines = recorded(`${pd}/process-list-pd.txt`).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [pid = '', , ...argv] = line.trim().split(/\s+/);
    return { pid: Number(pid), argv, ports: ports[Number(pid)] ?? [] };
  });
}

const shape = (found: Awaited<ReturnType<typeof findStack>>) =>
  found.stacks.map((stack) => [stack.id, ...stack.targets.map(({ name, kind, role, url, pid, foundBy }) => [name, kind, role, url, pid, foundBy])]);

describe('findStack', () => {
  it('finds the real pair and both renamed front-ends, as one stack', async () => {
    const ask = world(real);
    const found = await findStack(realProcesses({ 9685: [29120, 30120], 10917: [30130], 9381: [30112], 10505: [8198, 30110] }), ask);
    expect(shape(found)).toEqual([
      [
        'local',
        ['router', 'sglang-router', 'router', 'http://127.0.0.1:30120', 9685, 'cmdline'],
        ['mini-lb', 'mini-lb', 'balancer', 'http://127.0.0.1:30130', 10917, 'cmdline'],
        ['prefill', 'sglang', 'prefill', 'http://127.0.0.1:30110', 10505, 'cmdline'],
        ['decode', 'sglang', 'decode', 'http://127.0.0.1:30112', 9381, 'cmdline'],
      ],
    ]);
    const targets = found.stacks[0]?.targets ?? [];
    expect(targets.map(({ id, metricsUrl }) => [id, metricsUrl])).toEqual([
      ['local.router', 'http://127.0.0.1:29120/metrics'],
      ['local.mini-lb', undefined],
      ['local.prefill', undefined],
      ['local.decode', undefined],
    ]);
    expect(found.sentences.join('\n')).toContain('Found SGLang decode at http://127.0.0.1:30112 (process 9381).');
    expect(ask.asked.filter((url) => url.includes(':8198'))).toEqual([]);
  });

  it('asks only safe paths, and an engine for no control call', async () => {
    const ask = world(real);
    await findStack(realProcesses({ 9685: [29120, 30120], 10917: [30130], 9381: [30112], 10505: [8198, 30110] }), ask);
    expect(ask.asked.filter((url) => /flush|profile|\/health$|\/server_info/.test(url))).toEqual([]);
    expect(ask.asked.filter((url) => url.endsWith('/get_server_info'))).toEqual(['http://127.0.0.1:30130/get_server_info']);
  });

  it('finds engines behind a front-end on a usual port although no process can be seen', async () => {
    const found = await findStack([], world({ ...real, 'http://127.0.0.1:30001': gateway }));
    expect(shape(found)).toEqual([
      [
        'local',
        ['router', 'sglang-router', 'router', 'http://127.0.0.1:30001', undefined, 'port'],
        ['prefill', 'sglang', 'prefill', 'http://127.0.0.1:30110', undefined, 'workers'],
        ['decode', 'sglang', 'decode', 'http://127.0.0.1:30112', undefined, 'workers'],
      ],
    ]);
  });

  it('asks the other ports of a process that serves a model, whatever its name', async () => {
    const node: Process = { pid: 7, argv: ['/usr/bin/node', 'x.js'], ports: [29120, 30001, 30110, 30112, 30130] };
    const found = await findStack([node], world({ ...real, 'http://127.0.0.1:30001': gateway }));
    expect(found.stacks[0]?.targets.map(({ name, pid, metricsUrl }) => [name, pid, metricsUrl])).toEqual([
      ['router', 7, 'http://127.0.0.1:29120/metrics'],
      ['mini-lb', 7, undefined],
      ['prefill', 7, undefined],
      ['decode', 7, undefined],
    ]);
  });

  it('finds our own simulator on any ports', async () => {
    const argv = ['/usr/bin/node', '--import', 'tsx', 'lib/simulator/main.ts', 'story.yaml', '--base-port', '41000'];
    const found = await findStack([{ pid: 7, argv, ports: [30110, 30112, 30120] }], world(real));
    expect(found.stacks[0]?.targets.map(({ name }) => name)).toEqual(['router', 'prefill', 'decode']);
  });

  it('keeps an engine that is mute, by its command line, and says so', async () => {
    const argv = ['python', '-m', 'sglang.launch_server', '--port=30110', '--disaggregation-mode', 'prefill', '--api-key', 's3cr3t'];
    const found = await findStack([{ pid: 5, argv, ports: [30110] }], world({ 'http://127.0.0.1:30110': 'mute' }));
    expect(shape(found)).toEqual([['local', ['prefill', 'sglang', 'prefill', 'http://127.0.0.1:30110', 5, 'cmdline']]]);
    expect(found.sentences.join('\n')).toContain('http://127.0.0.1:30110 should serve by its command line, but: no HTTP answer: timeout.');
    expect(JSON.stringify(found)).not.toContain('s3cr3t');
  });

  it('leaves out a further node of an engine and says why', async () => {
    const argv = ['sglang', 'serve', '--model-path', 'm', '--nnodes', '2', '--node-rank', '1', '--port', '30110'];
    const found = await findStack([{ pid: 5, argv, ports: [30110] }], world({}));
    expect(found.stacks).toEqual([]);
    expect(found.sentences.join('\n')).toContain('Process 5 is node 1 of an engine over several machines');
  });

  it('says which process hides its ports', async () => {
    const found = await findStack([{ pid: 5, argv: ['sglang::router'], ports: [], isHidden: true }], world({}));
    expect(found.sentences).toContain('Process 5 (sglang::router) does not show on which port it listens: it belongs to another user.');
  });

  it('keeps stacks that know nothing of each other apart', async () => {
    const engine = (pid: number, port: number): Process => ({ pid, argv: ['python3', '-m', 'sglang.launch_server', '--port', String(port)], ports: [port] });
    const found = await findStack(
      [...realProcesses({ 9685: [30120], 9381: [30112], 10505: [30110] }), engine(1, 30200), engine(2, 30201)],
      world({ ...real, 'http://127.0.0.1:30200': unified, 'http://127.0.0.1:30201': unified }),
    );
    expect(found.stacks.map((stack) => [stack.id, stack.targets.map(({ name }) => name)])).toEqual([
      ['local-1', ['router', 'prefill', 'decode']],
      ['local-2', ['engine']],
      ['local-3', ['engine']],
    ]);
  });

  it('puts a balancer that does not tell its workers to the only engines there are', async () => {
    const { '/get_server_info': _, ...silent } = balancer;
    const found = await findStack(realProcesses({ 10917: [30130], 9381: [30112], 10505: [30110] }), world({ ...real, 'http://127.0.0.1:30130': silent }));
    expect(found.stacks.map((stack) => stack.targets.map(({ name }) => name))).toEqual([['mini-lb', 'prefill', 'decode']]);
    expect(found.sentences.join('\n')).toContain('mini_lb at http://127.0.0.1:30130 does not tell its workers (404).');
  });

  it('keeps the front-ends of one process together although one is too stuck to tell its workers', async () => {
    const { '/get_server_info': _, ...silent } = balancer;
    const simulator = (pid: number, ports: number[]): Process => ({ pid, argv: ['node', 'lib/simulator/main.ts'], ports });
    const found = await findStack(
      [simulator(7, [30110, 30112, 30120, 30130]), simulator(8, [30200])],
      world({ ...real, 'http://127.0.0.1:30130': silent, 'http://127.0.0.1:30200': unified }),
    );
    expect(found.stacks.map((stack) => stack.targets.map(({ name }) => name))).toEqual([['router', 'mini-lb', 'prefill', 'decode'], ['engine']]);
  });

  it('names the process behind a worker that only its front-end knew', async () => {
    const found = await findStack(
      [{ pid: 9, argv: ['python', 'own.py', '--api-key', 's3cr3t'], ports: [30112] }],
      world({ ...real, 'http://127.0.0.1:30001': gateway }),
    );
    expect(found.stacks[0]?.targets.map(({ name, pid, cmdline }) => [name, pid, cmdline])).toEqual([
      ['router', undefined, undefined],
      ['prefill', undefined, undefined],
      ['decode', 9, 'python own.py --api-key REDACTED'],
    ]);
  });

  it('takes the workers that flags name, without asking', async () => {
    const argv = [
      '/venv/bin/python',
      '-m',
      'sglang_router.launch_router',
      '--pd-disaggregation',
      '--mini-lb',
      '--prefill',
      'http://127.0.0.1:30110',
      '8198',
      '--decode',
      'http://localhost:30112',
      '--port',
      '30130',
    ];
    const ask = world(real);
    const found = await findStack([{ pid: 5, argv, ports: [] }], ask);
    expect(found.stacks[0]?.targets.map(({ name, role }) => [name, role])).toEqual([
      ['mini-lb', 'balancer'],
      ['prefill', 'prefill'],
      ['decode', 'decode'],
    ]);
    expect(ask.asked.filter((url) => url.endsWith('/get_server_info'))).toEqual([]);
  });

  it('says what was looked for when there is nothing', async () => {
    const found = await findStack([{ pid: 1, argv: ['init'], ports: [] }], world({}));
    expect(found).toEqual({ stacks: [], sentences: [expect.stringContaining('ports 30000, 30001, 30002, 8000, 8080'), 'Found nothing that serves a model.'] });
  });
});

describe('findStack over real sockets', () => {
  const servers: Server[] = [];
  afterEach(() => servers.splice(0).forEach((server) => void server.close()));

  async function serve(pages: Site): Promise<number> {
    const server = createServer((request, response) => {
      const page = pages[request.url ?? ''];
      response.writeHead(page?.status ?? 404, { 'content-type': 'application/json' }).end(page?.body ?? '{"detail":"Not Found"}');
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  it('follows a gateway\u2019s list to its engines', async () => {
    const engine = await serve(decode);
    const list = JSON.stringify({ workers: [{ url: `http://127.0.0.1:${engine}`, worker_type: 'decode' }] });
    const router = await serve({ ...gateway, '/workers': { path: '/workers', status: 200, body: list, tookMs: 1 } });
    const ask: Ask = async (url, path) => {
      try {
        const reply = await fetch(url + path, { signal: AbortSignal.timeout(5000) });
        return { path, status: reply.status, body: await reply.text(), tookMs: 1 };
      } catch (error) {
        return { path, failure: String(error), tookMs: 1 };
      }
    };
    const found = await findStack([{ pid: 3, argv: ['sglang::router'], ports: [router] }], ask);
    const here = found.stacks.flatMap((stack) => stack.targets).filter(({ url }) => [router, engine].some((port) => url.endsWith(`:${port}`)));
    expect(here.map(({ role, foundBy }) => [role, foundBy])).toEqual([
      ['router', 'cmdline'],
      ['decode', 'workers'],
    ]);
  });
});
