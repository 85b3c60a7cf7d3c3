import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type SimClock, simClock } from '../clock';
import { Listener } from '../listener';
import { prng } from '../prng';
import { chatBody, seriesValue, spectate } from '../spectator';
import { noTraits } from '../traits';
import { Dispatch } from './dispatch';
import { FrontEnd, type Worker } from './front-end';
import { Gateway } from './gateway';
import { GatewayPage } from './gateway-page';
import { MiniLb } from './mini-lb';
import { Pool } from './pool';

/** What the real gateway and mini_lb (sglang-router 0.3.2) did before stub engines. Here the same stubs stand behind the simulated ones. */
const chunk = (delta: Record<string, unknown>) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
const ROLE = chunk({ role: 'assistant', content: '' });
const WORDS = chunk({ content: 'w0 ' }) + chunk({ content: 'w1 ' });
const BOOM = '{"object":"error","message":"boom","code":500}';

const stubs = {
  answers: (req, res) => {
    let text = '';
    req.on('data', (data) => {
      text += data;
    });
    req.on('end', () => {
      if (JSON.parse(text).stream !== true) return res.end('{"object":"chat.completion","choices":[{"message":{"content":"Hello there"}}]}');
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end(`${ROLE}${WORDS}data: [DONE]\n\n`);
    });
  },
  mute: () => {},
  'headers only': (_req, res) => res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
  'role only': (_req, res) => res.writeHead(200, { 'content-type': 'text/event-stream' }).write(ROLE),
  'stops after 2': (_req, res) => res.writeHead(200, { 'content-type': 'text/event-stream' }).write(ROLE + WORDS),
  '500': (_req, res) => res.writeHead(500, { 'content-type': 'application/json' }).end(BOOM),
} satisfies Record<string, RequestListener>;
type Does = keyof typeof stubs | 'refused';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

describe('behind the gateway', () => {
  it.each<[Does, Does]>([
    ['mute', 'answers'],
    ['headers only', 'answers'],
    ['answers', 'mute'],
  ])('prefill %s and decode %s give zero bytes, streaming or not', async (prefill, decode) => {
    const { url, touched } = await stack('gateway', prefill, decode);
    for (const stream of [true, false]) {
      const client = spectate(url, chatBody({ stream }));
      await touched(stream ? 2 : 4);
      await quiet();
      expect(client.seen).toEqual({ text: '', ended: false, headers: {} });
      client.leave();
    }
  });

  it('a decode that sends headers only gives headers and no event; a non-stream zero bytes', async () => {
    const { url, touched } = await stack('gateway', 'answers', 'headers only');
    const client = spectate(url, chatBody());
    expect((await client.headers).status).toBe(200);
    const whole = spectate(url, chatBody({ stream: false }));
    await touched(4);
    await quiet();
    expect(client.seen).toMatchObject({ type: 'text/event-stream', text: '', ended: false });
    expect(whole.seen.status).toBeUndefined();
  });

  it.each<[Does, string]>([
    ['role only', ROLE],
    ['stops after 2', ROLE + WORDS],
  ])('a decode that %s gives exactly that and silence', async (decode, text) => {
    const { url } = await stack('gateway', 'answers', decode);
    const client = spectate(url, chatBody());
    await client.until(text);
    await quiet();
    expect(client.seen).toMatchObject({ status: 200, text, ended: false });
  });

  it('a well pair gives the whole answer in one go, after prefill’s whole body', async () => {
    const { url } = await stack('gateway', 'answers', 'answers');
    expect(await spectate(url, chatBody()).over).toMatchObject({ status: 200, ended: true, text: `${ROLE}${WORDS}data: [DONE]\n\n` });
  });

  it('a prefill that says 500 gives 500 prefill_internal_error after five attempts, streaming or not', async () => {
    const { url, calls } = await stack('gateway', '500', 'answers');
    for (const stream of [true, false]) {
      const before = calls();
      const seen = await spectate(url, chatBody({ stream })).over;
      expect(seen).toMatchObject({ status: 500, headers: { 'x-smg-error-code': 'prefill_internal_error' } });
      expect(seen.text).toContain('boom');
      expect(calls() - before).toBeGreaterThanOrEqual(5);
    }
  });

  it('a decode that says 500 gives 500 and, after ten failures, fast 503s that blame prefill', async () => {
    const { url, calls } = await stack('gateway', 'answers', '500');
    expect((await spectate(url, chatBody()).over).status).toBe(500);
    await spectate(url, chatBody()).over;
    const before = calls();
    const seen = await spectate(url, chatBody()).over;
    expect(seen).toMatchObject({ status: 503, headers: { 'x-smg-error-code': 'server_selection_failed' } });
    expect(seen.text).toContain('No available servers: No available prefill workers (all circuits open or unhealthy)');
    expect(calls()).toBe(before);
  });

  it('a decode that refuses gives 503', async () => {
    const { url } = await stack('gateway', 'answers', 'refused');
    expect((await spectate(url, chatBody()).over).status).toBe(503);
  });

  it('the load numbers read 0 while streams hang; only the in-flight ages tell', async () => {
    const { url, touched, page, base, clock } = await stack('gateway', 'answers', 'mute');
    const clients = [1, 2, 3].map(() => spectate(url, chatBody()));
    await touched(6);
    await told(clock, 85);
    page.sampleAges();
    expect(seriesValue(page.text(), 'inflight_request_age_count', 'gt="60",le="180"')).toBe(3);
    expect(page.text()).not.toMatch(/smg_worker_requests_active\{[^}]*\} [1-9]/);
    const workers = JSON.parse((await spectate(`${base}/workers`).over).text).workers;
    expect(workers.map((one: { load: number; is_healthy: boolean }) => [one.load, one.is_healthy])).toEqual([
      [0, true],
      [0, true],
    ]);
    expect((await spectate(`${base}/readiness`).over).status).toBe(200);
    for (const client of clients) client.leave();
  });

  it('drops rid, hands on x-request-id and the key, and renames max_tokens', async () => {
    const { url, bodies, heads } = await stack('gateway', 'answers', 'answers');
    await spectate(url, chatBody({ rid: 'mine', metadata: { a: 1 }, ignore_eos: true }), { 'x-request-id': 'ww-1', authorization: 'Bearer k' }).over;
    expect(bodies()[0]).toMatchObject({ metadata: { a: 1 }, ignore_eos: true, max_completion_tokens: 6, bootstrap_port: 8998 });
    expect(Object.keys(bodies()[0] ?? {})).not.toEqual(expect.arrayContaining(['rid']));
    expect(heads()[0]).toMatchObject({ 'x-request-id': 'ww-1', authorization: 'Bearer k' });
  });

  it('a client that leaves closes both upstream connections', async () => {
    const { url, touched, gone } = await stack('gateway', 'mute', 'mute');
    const client = spectate(url, chatBody());
    await touched(2);
    client.leave();
    await gone(2);
  });

  it('malformed JSON and missing messages are 400 json_parse_error', async () => {
    const { url } = await stack('gateway', 'answers', 'answers');
    for (const body of ['{"model": "m", "messages": [', '{"model":"m"}']) {
      const seen = await spectate(url, body).over;
      expect(seen.status).toBe(400);
      expect(seen.text).toContain('json_parse_error');
    }
  });

  it('its other paths answer as recorded', async () => {
    const { base } = await stack('gateway', 'answers', 'answers');
    const get = async (path: string) => {
      const { status, type, text } = await spectate(base + path).over;
      return [status, type, text];
    };
    expect(await get('/health')).toEqual([200, 'text/plain; charset=utf-8', 'OK']);
    expect(await get('/liveness')).toEqual([200, 'text/plain; charset=utf-8', 'OK']);
    expect(await get('/readiness')).toEqual([200, 'application/json', '{"status":"ready","healthy_workers":2,"total_workers":2}']);
    expect(await get('/health_generate')).toEqual([200, 'text/plain; charset=utf-8', 'At least one router has healthy workers']);
    expect(await get('/get_server_info')).toEqual([200, 'text/plain; charset=utf-8', '{"router_manager":true,"routers_count":1,"workers_count":2}']);
    expect(await get('/v1/models')).toEqual([
      200,
      'text/plain; charset=utf-8',
      '{"object":"list","data":[{"id":"qwen3-decode","object":"model","owned_by":"local"},{"id":"qwen3-prefill","object":"model","owned_by":"local"}]}',
    ]);
    expect((await get('/get_loads'))[2]).toMatch(/"load":-1.*"load":-1/);
    for (const path of ['/model_info', '/metrics', '/ping', '/server_info', '/v1/loads', '/nonsense']) expect(await get(path)).toEqual([404, undefined, '']);
  });

  it('a worker whose health fails three 60 s checks makes readiness 503 while health stays 200', async () => {
    const { base, clock } = await stack('gateway', 'answers', 'refused', 400);
    await told(clock, 190);
    expect(await spectate(`${base}/readiness`).over).toMatchObject({ status: 503, text: '{"status":"not ready","reason":"insufficient healthy workers"}' });
    expect(await spectate(`${base}/health`).over).toMatchObject({ status: 200 });
  });
});

describe('behind mini_lb', () => {
  it.each<[Does, Does]>([
    ['mute', 'answers'],
    ['answers', 'mute'],
    ['answers', 'headers only'],
  ])('prefill %s and decode %s give 200 and headers at once, then nothing; a non-stream zero bytes', async (prefill, decode) => {
    const { url, touched } = await stack('mini_lb', prefill, decode);
    const client = spectate(url, chatBody());
    expect((await client.headers).status).toBe(200);
    const whole = spectate(url, chatBody({ stream: false }));
    await touched(4);
    await quiet();
    expect(client.seen).toMatchObject({ text: '', ended: false, type: 'text/event-stream; charset=utf-8' });
    expect(whole.seen.status).toBeUndefined();
  });

  it('a prefill that never ends its body is not noticed', async () => {
    const { url } = await stack('mini_lb', 'headers only', 'answers');
    expect(await spectate(url, chatBody()).over).toMatchObject({ status: 200, ended: true });
    expect((await spectate(url, chatBody({ stream: false })).over).text).toContain('Hello there');
  });

  it.each<[Does, string]>([
    ['role only', ROLE],
    ['stops after 2', ROLE + WORDS],
  ])('a decode that %s gives exactly that and silence', async (decode, text) => {
    const { url } = await stack('mini_lb', 'answers', decode);
    const client = spectate(url, chatBody());
    await client.until(text);
    await quiet();
    expect(client.seen).toMatchObject({ status: 200, text, ended: false });
  });

  it('a prefill that says 500 is masked: 200 and the whole good answer', async () => {
    const { url } = await stack('mini_lb', '500', 'answers');
    expect(await spectate(url, chatBody()).over).toMatchObject({ status: 200, ended: true, text: `${ROLE}${WORDS}data: [DONE]\n\n` });
    expect(await spectate(url, chatBody({ stream: false })).over).toMatchObject({ status: 200 });
  });

  it('a decode that says 500 gives a 200 stream whose body is the plain JSON error; a non-stream 500', async () => {
    const { url } = await stack('mini_lb', 'answers', '500');
    expect(await spectate(url, chatBody()).over).toMatchObject({ status: 200, type: 'text/event-stream; charset=utf-8', text: BOOM });
    expect(await spectate(url, chatBody({ stream: false })).over).toMatchObject({ status: 500, text: BOOM });
  });

  it('a decode that refuses gives 200 and a reset; a non-stream 500', async () => {
    const { url } = await stack('mini_lb', 'answers', 'refused');
    const seen = await spectate(url, chatBody()).over;
    expect(seen).toMatchObject({ status: 200, ended: false, text: '' });
    expect(seen.broke).toBe('ECONNRESET');
    expect(await spectate(url, chatBody({ stream: false })).over).toMatchObject({ status: 500, text: 'Internal Server Error' });
  });

  it('passes rid through and no header at all', async () => {
    const { url, bodies, heads } = await stack('mini_lb', 'answers', 'answers');
    await spectate(url, chatBody({ rid: 'mine' }), { 'x-request-id': 'ww-1', authorization: 'Bearer k' }).over;
    expect(bodies()[0]).toMatchObject({ rid: 'mine', max_tokens: 6 });
    expect(heads()[0]).not.toHaveProperty('x-request-id');
    expect(heads()[0]).not.toHaveProperty('authorization');
  });

  it('a stream whose client leaves closes both connections; a non-stream goes on upstream', async () => {
    const { url, touched, gone, goneSoFar } = await stack('mini_lb', 'mute', 'mute');
    const stream = spectate(url, chatBody());
    await touched(2);
    stream.leave();
    await gone(2);
    const whole = spectate(url, chatBody({ stream: false }));
    await touched(4);
    whole.leave();
    await quiet();
    expect(goneSoFar()).toBe(2);
  });

  it('its other paths answer as recorded, and malformed JSON 422', async () => {
    const { base, url } = await stack('mini_lb', 'answers', 'answers');
    expect(await spectate(`${base}/health`).over).toMatchObject({ status: 200, text: '' });
    for (const path of ['/liveness', '/readiness', '/workers', '/metrics', '/ping', '/v1/loads', '/server_info', '/engine_metrics']) {
      expect(await spectate(base + path).over).toMatchObject({ status: 404, text: '{"detail":"Not Found"}' });
    }
    expect(await spectate(url, '{"model": "m", "messages": [').over).toMatchObject({ status: 422 });
  });

  it('its health_generate is 200 whatever the workers say, and 500 when one refuses', async () => {
    const well = await stack('mini_lb', 'answers', '500');
    expect((await spectate(`${well.base}/health_generate`).over).status).toBe(200);
    const refused = await stack('mini_lb', 'answers', 'refused');
    expect((await spectate(`${refused.base}/health_generate`).over).status).toBe(500);
  });
});

/** Long enough for bytes that are on their way, at real time. */
function quiet(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 120);
  });
}

function told(clock: SimClock, seconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(seconds, resolve);
  });
}

async function stack(kind: 'gateway' | 'mini_lb', prefill: Does, decode: Does, scale = 100) {
  const clock = simClock(scale);
  const dice = prng(1);
  const log = { calls: 0, gone: 0, bodies: [] as Record<string, unknown>[], heads: [] as Record<string, unknown>[], waiting: [] as (() => void)[] };
  const note = () => {
    for (const wake of log.waiting.splice(0)) wake();
  };
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise<void>((resolve) => log.waiting.push(resolve));
  };
  const open = async (does: Does, role: 'prefill' | 'decode'): Promise<Worker> => {
    const server: Server = createServer((req, res) => {
      if (req.url !== '/v1/chat/completions') return does === '500' ? stubs['500'](req, res) : res.end('{}');
      log.calls += 1;
      log.heads.push(req.headers);
      let text = '';
      req.on('data', (data) => {
        text += data;
      });
      req.on('end', () => {
        log.bodies.push(JSON.parse(text));
        note();
      });
      res.on('close', () => {
        if (!res.writableFinished) log.gone += 1;
        note();
      });
      stubs[does === 'refused' ? 'mute' : does](req, res);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const close = () => {
      server.close();
      server.closeAllConnections();
    };
    if (does === 'refused') close();
    else closers.push(close);
    return {
      name: role,
      role,
      pair: 0,
      url: `http://127.0.0.1:${port}`,
      model: `qwen3-${role}`,
      bootstrapPort: role === 'prefill' ? 8998 : undefined,
      isDeleted: false,
    };
  };
  const workers = [await open(prefill, 'prefill'), await open(decode, 'decode')];
  const fe = new FrontEnd(kind, kind, undefined, undefined, workers, clock, dice, noTraits());
  const pool = new Pool(fe, { failures: 10, windowSeconds: 120, openSeconds: 60, successes: 3 });
  const page = new GatewayPage(fe, pool);
  pool.watch();
  const door = kind === 'gateway' ? new Gateway(fe, pool, page, new Dispatch(fe, pool, page, { attempts: 5, cancelsDecode: false })) : new MiniLb(fe);
  const listener = new Listener(0, (req, res) => door.serve(req, res), kind);
  await listener.open();
  closers.push(() => {
    clock.stop();
    listener.kill();
  });
  return {
    base: listener.url,
    url: `${listener.url}/v1/chat/completions`,
    page,
    clock,
    calls: () => log.calls,
    bodies: () => log.bodies,
    heads: () => log.heads,
    goneSoFar: () => log.gone,
    touched: (n: number) => until(() => log.bodies.length >= n),
    gone: (n: number) => until(() => log.gone >= n),
  };
}
