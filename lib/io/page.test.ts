import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { realClock } from './clock';
import { pageReader } from './page';

const clock = realClock();
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
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
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function read(listener: RequestListener, limits: Partial<{ timeoutMs: number; byteCap: number }> = {}) {
  const base = await listen(createServer(listener));
  const pages = pageReader(clock);
  cleanups.push(() => pages.close());
  return pages.read(`${base}/metrics`, { timeoutMs: 10_000, byteCap: 100_000, ...limits });
}

describe('reading a page', () => {
  it('lets go of a server that accepts and never shakes hands', async () => {
    const letGo = new Promise<void>((resolve) => {
      void listen(createTcpServer((socket) => socket.resume().on('close', () => resolve()))).then(async (base) => {
        const pages = pageReader(realClock(20));
        cleanups.push(() => pages.close());
        const page = await pages.read(`${base.replace('http:', 'https:')}/metrics`, { timeoutMs: 1_000, byteCap: 1_000 });
        expect(page.outcome).toBe('timeout');
      });
    });
    await letGo;
  });

  it('gives status, type and body', async () => {
    const page = await read((_request, response) => response.setHeader('content-type', 'text/plain').end('up 1\n'));
    expect(page).toMatchObject({ outcome: 'ok', status: 200, contentType: 'text/plain', body: 'up 1\n', bytes: 5 });
  });

  it('stops at the byte cap of a page of 100 MB, and at once', async () => {
    let sent = 0;
    const page = await read((_request, response) => {
      const piece = Buffer.alloc(1024 * 1024, 'x');
      const pour = () => {
        while (sent < 100 * piece.length) {
          sent += piece.length;
          if (!response.write(piece)) return void response.once('drain', pour);
        }
        response.end();
      };
      pour();
    });
    expect(page.outcome).toBe('too-big');
    expect(page.body.length).toBeLessThanOrEqual(100_000);
    expect(sent).toBeLessThan(50 * 1024 * 1024);
  });

  it('stops at the byte cap of what a gzip bomb unpacks to', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    const page = await read((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb), { byteCap: 1_000_000 });
    expect(page.outcome).toBe('too-big');
    expect(page.body.length).toBeLessThanOrEqual(1_000_000);
  });

  it('unpacks what was packed unasked, and names what it cannot unpack', async () => {
    const packed = (body: Buffer, encoding: string) => read((_request, response) => response.setHeader('content-encoding', encoding).end(body));
    expect(await packed(gzipSync('up 1\n'), 'gzip')).toMatchObject({ outcome: 'ok', body: 'up 1\n' });
    expect(await packed(Buffer.from('no gzip'), 'gzip')).toMatchObject({ outcome: 'garbled' });
    expect(await packed(Buffer.from('x'), 'br')).toMatchObject({ outcome: 'garbled', detail: expect.stringContaining('br') });
  });

  it.each([
    ['that says nothing', () => {}, 'no answer'],
    ['of one byte now and then', (_request, response) => void setInterval(() => response.write('x'), 50).unref(), 'not ended'],
    ['of headers only', (_request, response) => response.flushHeaders(), 'not ended'],
  ] as [string, RequestListener, string][])('ends a page %s at the time-out', async (_name, listener, words) => {
    expect(await read(listener, { timeoutMs: 200 })).toMatchObject({ outcome: 'timeout', detail: expect.stringContaining(words) });
  });

  it('bears a binary body', async () => {
    const page = await read((_request, response) => response.end(Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 7) % 256))));
    expect(page).toMatchObject({ outcome: 'ok', bytes: 4_096 });
  });

  it('names a status and a redirect, and follows none', async () => {
    expect(await read((_request, response) => response.writeHead(404).end('no'))).toMatchObject({ outcome: 'status', status: 404 });
    const moved = await read((_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    expect(moved).toMatchObject({ outcome: 'redirected', status: 302, headers: { location: 'http://127.0.0.1:1/' } });
  });

  it('names garbage, a reset and a closed port', async () => {
    const pages = pageReader(clock);
    cleanups.push(() => pages.close());
    const ask = (base: string) => pages.read(`${base}/metrics`, { timeoutMs: 5_000, byteCap: 1_000 });
    expect((await ask(await listen(createTcpServer((socket) => socket.on('data', () => socket.end('garbage\r\n\r\n')))))).outcome).toBe('protocol');
    expect((await ask(await listen(createTcpServer((socket) => socket.on('data', () => socket.resetAndDestroy()))))).outcome).toBe('reset');
    const gone = createTcpServer();
    const base = await listen(gone);
    await new Promise((resolve) => gone.close(resolve));
    expect((await ask(base)).outcome).toBe('refused');
    await expect(ask(`${base}/flush_cache?`).then(({ outcome }) => outcome)).rejects.toThrow('not a path');
  });

  it('asks once more when a kept-alive connection had just been closed', async () => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections += 1;
      let answers = 0;
      socket.on('data', () => {
        answers += 1;
        if (answers > 1) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
    });
    const base = await listen(server);
    const pages = pageReader(clock);
    cleanups.push(() => pages.close());
    const ask = () => pages.read(`${base}/metrics`, { timeoutMs: 5_000, byteCap: 1_000 });
    expect([(await ask()).outcome, (await ask()).outcome]).toEqual(['ok', 'ok']);
    expect(connections).toBe(2);
  });
});
