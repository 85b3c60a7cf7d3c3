import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { realClock } from './clock';
import { beginExchange, type ExchangeOptions, type LiveExchange } from './exchange';

const clock = realClock();
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0).reverse()) clean();
});

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const http = async (listener: RequestListener) => `http://${await listen(createServer(listener))}`;
const tcp = async (onSocket: (socket: Socket) => void) => `http://${await listen(createTcpServer(onSocket))}`;

function chat(base: string, options: Partial<ExchangeOptions> = {}, ca?: string): LiveExchange {
  return beginExchange(
    { method: 'POST', url: `${base}/v1/chat/completions`, headers: { 'content-type': 'application/json' }, body: '{}', ...(ca === undefined ? {} : { ca }) },
    { clock, capMs: 20_000, ...options },
  );
}

/** Waits until the exchange looks as wanted; it is looked at, not waited for by a fixed time. */
async function until(live: LiveExchange, holds: (e: ReturnType<LiveExchange['read']>) => boolean) {
  while (!holds(live.read())) await new Promise((resolve) => setTimeout(resolve, 5));
  return live.read();
}

describe('each chat', () => {
  it('trap 11: goes out on a connection of its own, although the server keeps the last one alive', async () => {
    const ports = new Set<number | undefined>();
    const base = await http((request, response) => {
      ports.add(request.socket.remotePort);
      response.setHeader('connection', 'keep-alive');
      response.end('ok');
    });
    for (let i = 0; i < 3; i++) expect((await chat(base).ended).status).toBe(200);
    expect(ports.size).toBe(3);
  });
});

describe('a good answer', () => {
  it('has every station in order, its headers, bytes and first words', async () => {
    const base = await http((_request, response) => {
      response.setHeader('x-request-id', 'abc');
      response.setHeader('set-cookie', 'secret=1');
      response.write('hello ');
      response.end('world');
    });
    const seen = await chat(base, { onChunk: () => ({ firstEvent: true, firstToken: true }) }).ended;
    const { resolved, connected, sent, headers, firstByte, firstEvent, firstToken, end } = seen.marks;
    const order = [resolved, connected, sent, headers, firstByte, firstEvent, firstToken, end].map((mark) => mark ?? Number.NaN);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(seen).toMatchObject({ ended: true, status: 200, bytes: 11, head: 'hello world', headers: { 'x-request-id': 'abc' } });
    expect(seen.headers['set-cookie']).toBeUndefined();
    expect(seen.socketBytes).toBeGreaterThan(11);
    expect(seen.failure).toBeUndefined();
  });

  it('keeps head and tail of a long body, and control characters are made visible', async () => {
    const base = await http((_request, response) => response.end(`\u001b[31m\u202e${'a'.repeat(5_000)}${'z'.repeat(600)}`));
    const seen = await chat(base).ended;
    expect(seen.head).toMatch(/^·\[31m·a+$/);
    expect(Buffer.byteLength(seen.head)).toBeLessThanOrEqual(2_060);
    expect(seen.tail).toBe('z'.repeat(500));
  });

  it('that a server never ends can be taken as complete', async () => {
    const base = await http((_request, response) => void response.write('data: [DONE]\n\n'));
    const live = chat(base);
    await until(live, ({ bytes }) => bytes > 0);
    live.close('complete');
    const seen = await live.ended;
    expect(seen.failure).toBeUndefined();
    expect(seen.marks.end).toBeDefined();
  });

  it('comes over TLS when the private CA is given', async () => {
    const file = (name: string) => readFileSync(new URL(`./fixtures/test-only.${name}.pem`, import.meta.url), 'utf8');
    const base = `https://${await listen(createTlsServer({ key: file('key'), cert: file('cert') }, (_request, response) => response.end('ok')))}`;
    const trusted = await chat(base, {}, file('cert')).ended;
    expect(trusted).toMatchObject({ status: 200, head: 'ok' });
    expect(trusted.marks.secured).toBeGreaterThanOrEqual(trusted.marks.connected ?? Number.NaN);
    expect(await chat(base).ended).toMatchObject({ failure: 'tls', detail: expect.stringMatching(/self.signed/i) });
  });
});

describe('a failure', () => {
  it('refused is when nobody listens', async () => {
    const gone = createTcpServer();
    const address = await listen(gone);
    await new Promise((resolve) => gone.close(resolve));
    expect(await chat(`http://${address}`).ended).toMatchObject({ failure: 'refused', detail: expect.stringContaining('ECONNREFUSED'), socketBytes: 0 });
  });

  it('connect time-out is when the backlog is full', async () => {
    const program = "require('net').createServer().listen({port:0,host:'127.0.0.1',backlog:1},function(){console.log(this.address().port)})";
    const child = spawn(process.execPath, ['-e', program]);
    cleanups.push(() => child.kill('SIGKILL'));
    const port = Number(await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text)))));
    child.kill('SIGSTOP');
    for (let i = 0; i < 8; i++) {
      const filler = connect(port, '127.0.0.1');
      filler.on('error', () => {});
      cleanups.push(() => filler.destroy());
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    const seen = await chat(`http://127.0.0.1:${port}`, { connectTimeoutMs: 300 }).ended;
    expect(seen).toMatchObject({ failure: 'connect-timeout', socketBytes: 0 });
    expect(seen.marks.connected).toBeUndefined();
  });

  it('dns is when the name does not resolve', async () => {
    const seen = await chat('http://no-such-host.invalid:1', { connectTimeoutMs: 5_000 }).ended;
    expect(seen.failure).toBe('dns');
    expect(seen.marks.resolved).toBeUndefined();
  });

  it('tls is when a plain server is asked by https', async () => {
    const base = await http((_request, response) => response.end('plain'));
    expect(await chat(base.replace('http:', 'https:')).ended).toMatchObject({ failure: 'tls' });
  });

  it('protocol is when the answer is no HTTP', async () => {
    const base = await tcp((socket) => socket.on('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
    expect(await chat(base).ended).toMatchObject({ failure: 'protocol' });
  });

  it('trap 14: reset tells a reset from a close, before and after the headers', async () => {
    const start = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n';
    const ask = async (then: (socket: Socket) => void) => chat(await tcp((socket) => socket.once('data', () => then(socket)))).ended;
    expect(await ask((socket) => socket.resetAndDestroy())).toMatchObject({ failure: 'reset', detail: expect.stringContaining('RST') });
    expect(await ask((socket) => socket.end())).toMatchObject({ failure: 'reset', detail: expect.stringContaining('FIN') });
    const cut = (how: (socket: Socket) => void) => ask((socket) => socket.write(start, () => setTimeout(how, 50, socket)));
    expect(await cut((socket) => socket.resetAndDestroy())).toMatchObject({ failure: 'reset', status: 200, bytes: 5, detail: expect.stringContaining('RST') });
    expect(await cut((socket) => socket.end())).toMatchObject({ failure: 'reset', status: 200, bytes: 5, detail: expect.stringContaining('FIN') });
  });

  it('too-big is when the body does not end', async () => {
    const base = await http((_request, response) => {
      const pour = () => {
        while (response.write('x'.repeat(16_384)));
        response.once('drain', pour);
      };
      pour();
    });
    const seen = await chat(base, { byteCap: 64 * 1024 }).ended;
    expect(seen.failure).toBe('too-big');
    expect(seen.bytes).toBeLessThan(200_000);
    expect(seen.head.length).toBe(2_048);
  });

  it('cap is when it outlives the hard cap, however slowly it goes on', async () => {
    const base = await http((_request, response) => {
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await chat(base, { capMs: 200 }).ended).toMatchObject({ failure: 'cap', status: 200 });
  });

  it('is a result too when a header has a character that node refuses', async () => {
    const base = await http((_request, response) => response.end());
    const live = beginExchange({ method: 'GET', url: `${base}/health`, headers: { 'x-bad': 'a\nb' } }, { clock });
    expect(await live.ended).toMatchObject({ failure: 'protocol' });
  });
});

describe('a reader that trips', () => {
  it('ends its own exchange and nothing else', async () => {
    const base = await http((_request, response) => response.write('hello'));
    const seen = await chat(base, {
      onChunk() {
        throw new RangeError('Maximum call stack size exceeded');
      },
    }).ended;
    expect(seen).toMatchObject({ ended: true, failure: 'protocol', detail: 'the answer cannot be read: Maximum call stack size exceeded', bytes: 5 });
  });
});

describe('a silence is readable while it lasts', () => {
  it('zero bytes on an open connection', async () => {
    const live = chat(await tcp(() => {}));
    const seen = await until(live, ({ marks }) => marks.sent !== undefined);
    expect(seen).toMatchObject({ ended: false, socketBytes: 0, bytes: 0 });
    live.close('closed-by-us');
    expect(await live.ended).toMatchObject({ ended: true, failure: 'closed-by-us', socketBytes: 0 });
  });

  it('part of a header', async () => {
    const live = chat(await tcp((socket) => socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-ty'))));
    const seen = await until(live, ({ socketBytes }) => socketBytes > 0);
    expect(seen.status).toBeUndefined();
    live.close('closed-by-us');
  });

  it('headers and nothing more', async () => {
    const live = chat(await http((_request, response) => response.flushHeaders()));
    const seen = await until(live, ({ status }) => status !== undefined);
    expect(seen).toMatchObject({ ended: false, bytes: 0 });
    expect(seen.marks.firstByte).toBeUndefined();
    live.close('closed-by-us');
  });
});

describe('what we never do', () => {
  it('follow a redirect', async () => {
    let asked = 0;
    const base = await http((_request, response) => {
      asked += 1;
      response.writeHead(307, { location: `${base}/health` }).end();
    });
    expect(await chat(base).ended).toMatchObject({ status: 307, headers: { location: `${base}/health` } });
    expect(asked).toBe(1);
  });

  it('ask a path outside the list, since on SGLang a plain GET may act', async () => {
    let asked = 0;
    const base = await http((_request, response) => {
      asked += 1;
      response.end();
    });
    expect(() => beginExchange({ method: 'GET', url: `${base}/flush_cache`, headers: {} }, { clock })).toThrow('not a path that we ask');
    expect(asked).toBe(0);
  });

  it('ask for a packed body', async () => {
    let encoding: string | string[] | undefined = 'not asked';
    const base = await http((request, response) => {
      encoding = request.headers['accept-encoding'];
      response.end();
    });
    await chat(base).ended;
    expect(encoding).toBeUndefined();
  });
});
