import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { realClock } from '@/lib/io/clock';
import { type Config, DEFAULTS, type TargetConfig } from '@/lib/model/config';
import type { Experiment } from '@/lib/model/experiment';
import type { Observation } from '@/lib/model/observation';
import type { ProbeResult } from '@/lib/model/probe';
import { type Collector, startCollector } from './collector';

/** Told time runs this much faster than the test. */
const SCALE = 20;
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(answer: Answering): Promise<{ url: string; asked: string[]; server: Server }> {
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

const json = (response: ServerResponse, body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
const path = (request: IncomingMessage) => request.url?.split('?')[0] ?? '';

/** A gateway whose chats are answered by `chat`. */
const gateway =
  (chat: Answering, model = 'm-router', workers: () => unknown[] = () => []): Answering =>
  (request, response) => {
    const asked = path(request);
    if (asked === '/liveness' || asked === '/health') response.end('OK');
    else if (asked === '/readiness') json(response, { status: 'ready' });
    else if (asked === '/v1/models') json(response, { data: [{ id: model }] });
    else if (asked === '/workers') json(response, { workers: workers() });
    else if (asked === '/v1/chat/completions') chat(request, response);
    else response.writeHead(404).end();
  };

const good: Answering = (_request, response) => {
  const chunk = (delta: object, finish: string | null = null) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${chunk({ role: 'assistant', content: '' })}${chunk({ content: 'one' })}${chunk({ content: ' two' })}${chunk({}, 'length')}data: [DONE]\n\n`);
};
const mute: Answering = () => {};

/** An SGLang decode engine; `loads` decides its answer to the load page. */
const engine =
  (loads: Answering): Answering =>
  (request, response) => {
    const asked = path(request);
    if (asked === '/ping' || asked === '/health') response.end();
    else if (asked === '/v1/models') json(response, { data: [{ id: 'm-engine', owned_by: 'sglang' }] });
    else if (asked === '/model_info') json(response, { model_path: '/m', tokenizer_path: '/m' });
    else if (asked === '/v1/loads') loads(request, response);
    else if (asked === '/metrics') response.end('# TYPE sglang:num_running_reqs gauge\nsglang:num_running_reqs{engine_type="decode",tp_rank="0"} 3.0\n');
    else response.writeHead(404).end();
  };

function target(name: string, url: string, over: Partial<TargetConfig> = {}): TargetConfig {
  return { id: `s.${name}`, name, url, headers: {}, probe: true, ...over };
}

function watch(targets: TargetConfig[], over: Partial<Config> = {}, onObserve: (observation: Observation) => void = () => {}) {
  const config: Config = {
    stacks: [{ id: 's', name: 'S', targets }],
    probe: { ...DEFAULTS.probe },
    scrape: { ...DEFAULTS.scrape },
    listen: DEFAULTS.listen,
    data: '',
    retention: DEFAULTS.retention,
    source: 'test',
    timeScale: SCALE,
    ...over,
  };
  const seen: Observation[] = [];
  const experiments: Experiment[] = [];
  const waiting = new Set<() => void>();
  const told = () => {
    for (const look of [...waiting]) look();
  };
  const collector: Collector = startCollector(
    config,
    {
      observe: (observation) => {
        seen.push(observation);
        told();
        onObserve(observation);
      },
      experiment: (experiment) => {
        experiments.push(experiment);
        told();
      },
      deadline: () => ({ firstTokenMs: 8_000, gapMs: 8_000, from: 'configured' }),
    },
    realClock(SCALE),
  );
  cleanups.push(() => collector.stop());
  const until = <T>(find: () => T | undefined | false): Promise<T> =>
    new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined || found === false) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const chats = () => seen.flatMap((o) => (o.kind === 'probe' && o.result.probe === 'chat' ? [o.result] : []));
  const chat = (holds: (result: ProbeResult) => boolean) => until(() => chats().find(holds));
  return { collector, seen, experiments, until, chats, chat };
}

describe('a front-end of which only the URL is known', () => {
  it('is recognised, asked with its own model id, and told when sent and when ended under one id', async () => {
    let body = '';
    let headers: IncomingMessage['headers'] = {};
    const router = await serve(
      gateway((request, response) => {
        headers = request.headers;
        request.on('data', (piece) => {
          body += piece;
        });
        request.on('end', () => good(request, response));
      }),
    );
    const { chat, chats, until, seen } = watch([target('router', router.url, { headers: { 'x-team': 'secret-team' } })]);
    const ended = await chat((result) => result.exchange.ended);
    expect(ended).toMatchObject({ outcome: 'ok', model: 'm-router', purpose: 'steady', late: false, reading: { tokens: 2 } });
    expect(
      chats()
        .filter(({ id }) => id === ended.id)
        .map(({ outcome }) => outcome),
    ).toEqual(['pending', 'ok']);
    expect(JSON.parse(body)).toMatchObject({ model: 'm-router', rid: ended.rid });
    expect(headers).toMatchObject({ 'x-request-id': ended.rid, 'user-agent': 'wedgewatch/0.1.0', 'x-team': 'secret-team' });
    await until(() => seen.some((o) => o.kind === 'topology' && o.targets.some(({ kind, role }) => kind === 'sglang-router' && role === 'router')));
    await until(() => seen.some((o) => o.kind === 'probe' && o.result.probe === 'health' && o.result.path === '/health' && o.result.outcome === 'ok'));
    expect(JSON.stringify(seen)).not.toContain('secret-team');
  });

  it('brings its workers with it, and joins them', async () => {
    const decode = await serve(
      engine((_request, response) => json(response, { timestamp: 2, loads: [{ dp_rank: 0, timestamp: 1, disaggregation: { mode: 'decode' } }] })),
    );
    const router = await serve(
      gateway(good, 'm', () => [
        { url: decode.url, worker_type: 'decode', is_healthy: true },
        { url: 'http://example.invalid:1', worker_type: 'decode' },
      ]),
    );
    const { until, seen } = watch([target('router', router.url)]);
    const topology = await until(() =>
      seen.findLast((o) => o.kind === 'topology' && o.targets.some(({ role, kind }) => kind === 'sglang' && role === 'decode')),
    );
    expect(topology).toMatchObject({ targets: [{}, { url: decode.url, known: expect.arrayContaining(['workers']), probed: false }] });
    expect(topology.kind === 'topology' && topology.edges).toEqual([
      { from: 's.router', to: expect.stringMatching(/^s\.decode-/), kind: 'routes', known: 'workers' },
    ]);
    const loads = await until(() => seen.find((o) => o.kind === 'scrape' && o.source === 'loads'));
    expect(loads).toMatchObject({ outcome: 'ok', samples: expect.arrayContaining([expect.objectContaining({ name: 'loads_age_seconds', value: 1 })]) });
    await until(() => seen.find((o) => o.kind === 'scrape' && o.source === 'metrics' && o.outcome === 'ok'));
    expect(decode.asked.filter((asked) => asked.includes('chat'))).toEqual([]);
  });

  it('keeps the last known ids when its list fails, and says so', async () => {
    let isFailing = false;
    const router = await serve((request, response) =>
      isFailing && path(request) === '/v1/models' ? response.writeHead(503).end('none') : gateway(good)(request, response),
    );
    const { until, seen, chat } = watch([target('router', router.url)], { scrape: { ...DEFAULTS.scrape, modelsMs: 2_000 } });
    await chat(({ outcome }) => outcome === 'ok');
    isFailing = true;
    const list = await until(() => seen.find((o) => o.kind === 'models' && o.models.error !== undefined));
    expect(list).toMatchObject({ models: { ids: ['m-router'], error: expect.stringContaining('503') } });
  });
});

describe('a scheduler that answers its load page itself', () => {
  it('is asked once and never polled, nor asked again while the question is out', async () => {
    const decode = await serve(engine(mute));
    const { until, seen } = watch([target('decode', decode.url)]);
    await until(() => seen.filter((o) => o.kind === 'scrape' && o.source === 'metrics').length >= 5);
    await until(() => seen.some((o) => o.kind === 'self' && o.self.budget[0]?.controlCallsOut === 1));
    expect(decode.asked.filter((asked) => asked.startsWith('GET /v1/loads'))).toHaveLength(1);
  });
});

describe('a hang', () => {
  it('is told at the deadline while the socket stays, and again when the server ends it', async () => {
    const held: ServerResponse[] = [];
    const router = await serve(gateway((_request, response) => void held.push(response)));
    const { chat, chats } = watch([target('router', router.url)]);
    const late = await chat((result) => result.late);
    expect(late).toMatchObject({ outcome: 'zero-bytes', exchange: { ended: false, socketBytes: 0 } });
    // a timer may come a real millisecond early
    expect(late.exchange.elapsedMs).toBeGreaterThanOrEqual(8_000 - SCALE);
    held[0]?.writeHead(500).end('Decode transfer failed');
    const ended = await chat((result) => result.id === late.id && result.exchange.ended);
    expect(ended).toMatchObject({ outcome: 'rejected', late: true, sentence: expect.stringContaining('Decode transfer failed') });
    expect(
      chats()
        .filter(({ id }) => id === late.id)
        .map(({ outcome }) => outcome),
    ).toEqual(['pending', 'zero-bytes', 'rejected']);
  });

  it('is not what tokens that still flow at the deadline are: they are told once, as an answer under way', async () => {
    const drip: Answering = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write('data: {"choices":[{"delta":{"content":"x"}}]}\n\n'), 3_000 / SCALE);
      response.on('close', () => clearInterval(timer));
    };
    const fe = await serve(gateway(drip));
    const { chats, chat } = watch([target('fe', fe.url)]);
    const flowing = await chat((r) => (r.reading?.tokens ?? 0) > 0);
    expect(flowing).toMatchObject({ outcome: 'pending', late: false });
    expect(flowing.exchange.elapsedMs).toBeGreaterThanOrEqual(8_000);
    expect(
      chats()
        .filter((r) => r.id === flowing.id)
        .map((r) => r.outcome),
    ).toEqual(['pending', 'pending']);
  });

  it('in mid-stream is told by its gap', async () => {
    const router = await serve(
      gateway((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {"choices":[{"delta":{"content":"a"}}]}\n\n');
      }),
    );
    const { chat } = watch([target('router', router.url)]);
    expect(await chat((result) => result.late)).toMatchObject({ outcome: 'stalled', exchange: { ended: false } });
  });

  it('costs two open probes, and a heal probe goes into the free place without an abort', async () => {
    let isHung = true;
    const router = await serve(gateway((request, response) => (isHung ? undefined : good(request, response))));
    const { chats, until, collector, chat, seen } = watch([target('router', router.url)]);
    await until(
      () =>
        new Set(
          chats()
            .filter(({ late }) => late)
            .map(({ id }) => id),
        ).size === 2,
    );
    await until(() =>
      seen.some((o) => o.kind === 'self' && o.self.budget[0]?.waitsFor?.includes('kept for a heal probe') && o.self.budget[0].nextProbeAt !== undefined),
    );
    isHung = false;
    collector.requestProbe('s.router', 'heal', 'tokens move');
    expect(await chat(({ purpose, exchange }) => purpose === 'heal' && exchange.ended)).toMatchObject({ outcome: 'ok' });
    // the next good probe makes the two older ones lost: they are closed, and not counted
    await until(
      () =>
        new Set(
          chats()
            .filter(({ late, exchange }) => late && exchange.ended)
            .map(({ id }) => id),
        ).size === 2,
    );
    const self = await until(() => seen.findLast((o) => o.kind === 'self' && o.self.budget[0]?.unfinished === 0 && o));
    expect(self.kind === 'self' && self.self.budget[0]?.aborts10min).toBe(0);
  });
});

describe('a person', () => {
  it('can pause and resume probing of one front-end', async () => {
    const router = await serve(gateway(good));
    const { collector, until, seen, chats, chat } = watch([target('router', router.url)]);
    collector.pause('s.router', undefined, 'me');
    await until(() => seen.some((o) => o.kind === 'self' && o.self.tick > 20 && o.self.budget[0]?.paused));
    expect(chats()).toEqual([]);
    collector.resume('s.router', 'me');
    await chat(({ outcome }) => outcome === 'ok');
    expect(seen.filter((o) => o.kind === 'paused')).toHaveLength(2);
  });

  it('can try front-ends x names, and reads that both hang with every name', async () => {
    const [a, b] = [await serve(gateway(mute, 'm-a')), await serve(gateway(mute, 'm-b'))];
    const { collector, until, seen, experiments } = watch([target('a', a.url), target('b', b.url)]);
    await until(() => seen.filter((o) => o.kind === 'models').length >= 2);
    const answer = collector.experiment({ kind: 'experiment', stack: 's', targets: ['s.a', 's.b'], tries: 1 });
    expect(answer).toMatchObject({ ok: true });
    expect(collector.experiment({ kind: 'experiment', stack: 's', targets: ['s.a'] })).toMatchObject({
      ok: false,
      error: expect.stringContaining('is running'),
    });
    const done = await until(() => experiments.find(({ state }) => state === 'done'));
    expect(done.cells.map(({ whose, stream }) => (stream === false ? 'own, whole' : whose))).toEqual([
      ...['own', 'sibling', 'nonsense', 'own, whole'],
      ...['own', 'sibling', 'nonsense', 'own, whole'],
    ]);
    expect(done.conclusion).toMatchObject({ kind: 'systemic' });
    for (const observed of seen) if (observed.kind === 'self') for (const budget of observed.self.budget) expect(budget.unfinished).toBeLessThanOrEqual(3);
  });

  it('can cancel a trial, and no socket stays', async () => {
    const a = await serve(gateway(mute));
    const { collector, until, chats, seen, experiments } = watch([target('a', a.url)]);
    await until(() => seen.some((o) => o.kind === 'models'));
    const answer = collector.experiment({ kind: 'experiment', stack: 's', targets: ['s.a'] });
    await until(() => chats().some(({ purpose }) => purpose === 'experiment'));
    expect(collector.cancelExperiment(answer.ok ? (answer.id ?? '') : '')).toMatchObject({ ok: true });
    await until(() => experiments.some(({ state }) => state === 'cancelled'));
    await until(() => chats().filter(({ purpose, exchange }) => purpose === 'experiment' && exchange.ended).length >= 1);
    expect(collector.cancelExperiment('nope')).toMatchObject({ ok: false });
  });
});

describe('a target that is sick in another way', () => {
  it.each([
    ['no LLM server at all', (_request, response) => response.setHeader('content-type', 'text/html').end('<html>hi</html>'), 'not-llm'],
    ['a node of rank > 0', (request, response) => response.writeHead(['/ping', '/health'].includes(path(request)) ? 200 : 404).end(), 'dummy'],
  ] as [string, Answering, string][])('%s is named, and sent no chat', async (_name, answer, kind) => {
    const server = await serve(answer);
    const { until, seen } = watch([target('x', server.url)]);
    await until(() => seen.some((o) => o.kind === 'topology' && o.targets[0]?.kind === kind));
    await until(() => seen.some((o) => o.kind === 'self' && o.self.tick > 15));
    expect(server.asked.filter((asked) => asked.startsWith('POST'))).toEqual([]);
  });

  it.each([
    ['HTML', (response) => response.setHeader('content-type', 'text/html').end('<html><p>login</p></html>'), 'not-metrics', 'text/html'],
    ['404', (response) => response.writeHead(404).end(), 'not-exported', '404'],
    ['401', (response) => response.writeHead(401).end(), 'unauthorized', '401'],
    ['endless', (response) => void setInterval(() => response.write('x'), 20).unref(), 'timeout', 'not ended'],
    ['elsewhere', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'failed', 'not followed'],
  ] as [string, (response: ServerResponse) => void, string, string][])(
    'a metrics page that is %s has a name and no values',
    async (_name, page, outcome, words) => {
      const server = await serve((request, response) => (path(request) === '/metrics' ? page(response) : engine(mute)(request, response)));
      const { until, seen } = watch([target('x', server.url, { kind: 'sglang', role: 'decode' })]);
      const scrape = await until(() => seen.find((o) => o.kind === 'scrape' && o.source === 'metrics'));
      expect(scrape).toMatchObject({ outcome, samples: [], detail: expect.stringContaining(words) });
    },
  );

  it('trap 06: whose health takes 20 s, as its check may by construction, is waited for and not called silent', async () => {
    const slow: Answering = (request, response) => {
      if (path(request) === '/health') setTimeout(() => response.end(), 20_000 / SCALE);
      else engine(mute)(request, response);
    };
    const server = await serve(slow);
    const { until, seen } = watch([target('x', server.url, { kind: 'sglang', role: 'decode' })]);
    const isHealth = (o: Observation) => o.kind === 'probe' && o.result.probe === 'health' && o.result.exchange.ended && o.result;
    const answered = await until(() => seen.map(isHealth).find((result) => result !== false));
    expect(answered).toMatchObject({ outcome: 'ok', late: false, exchange: { status: 200 } });
    expect(seen.some((o) => o.kind === 'probe' && o.result.probe === 'health' && o.result.late)).toBe(false);
  });

  it('refused is told by its health and its metrics, and it is asked again what it is when it comes', async () => {
    const server = await serve(engine(mute));
    await new Promise((resolve) => server.server.close(resolve));
    const { until, seen } = watch([target('x', server.url, { kind: 'sglang', role: 'decode' })]);
    await until(() => seen.some((o) => o.kind === 'scrape' && o.outcome === 'refused'));
    await until(() => seen.some((o) => o.kind === 'probe' && o.result.probe === 'health' && o.result.outcome === 'refused'));
    server.server.listen(Number(new URL(server.url).port), '127.0.0.1');
    await until(() => seen.some((o) => o.kind === 'topology' && o.targets[0]?.known.includes('fingerprint')));
  });
});

describe('ourselves', () => {
  it('report once a second with loops and budgets, also when whoever listens throws', async () => {
    const router = await serve(gateway(good));
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    cleanups.push(() => said.mockRestore());
    const { until, seen } = watch([target('router', router.url)], { reference: `${router.url}/anything` }, () => {
      throw new Error('a detector that is broken');
    });
    const last = await until(() => seen.findLast((o) => o.kind === 'self' && o.self.tick >= 12 && o.self.reference?.ok && o));
    const ticks = seen.flatMap((o) => (o.kind === 'self' ? [o.self.tick] : []));
    expect(ticks).toEqual(ticks.map((_, i) => i + 1));
    expect(last.kind === 'self' && last.self.loops.map(({ name }) => name)).toEqual(expect.arrayContaining(['health', 'chat', 'facts', 'reference']));
    expect(said).toHaveBeenCalledWith(expect.stringContaining('a detector that is broken'));
  });

  it('close every socket when stopped', async () => {
    const router = await serve(gateway(mute));
    const { collector, chat, chats } = watch([target('router', router.url)]);
    await chat((result) => result.late);
    await collector.stop();
    expect(chats().at(-1)).toMatchObject({ outcome: 'zero-bytes', exchange: { ended: true, failure: 'closed-by-us' } });
    await new Promise<void>((resolve) => {
      const look = () => router.server.getConnections((_error, count) => (count === 0 ? resolve() : setTimeout(look, 10)));
      look();
    });
  });
});
