import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { realClock } from './clock';
import { deliver } from './deliver';

const LIMITS = { tries: 4, firstWaitMs: 20, longestWaitMs: 40, tryMs: 300 };
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function receiver(answer: (turn: number, request: IncomingMessage, response: ServerResponse) => void) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    answer(bodies.push(body), request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { bodies, spec: { method: 'POST' as const, url, headers: { 'content-type': 'application/json' }, body: '{"event":"opened"}' } };
}

test('a receiver that fails, resets and is silent is tried again until it accepts', async () => {
  const { spec, bodies } = await receiver((turn, request, response) => {
    if (turn === 1) response.writeHead(503).end();
    if (turn === 2) request.socket.destroy();
    if (turn === 4) response.writeHead(204).end();
  });
  expect(await deliver(spec, realClock(), undefined, LIMITS)).toEqual({ accepted: true, tries: 4, status: 204, why: 'answered 204' });
  expect(bodies).toEqual(new Array(4).fill('{"event":"opened"}'));
});

test('a receiver that never accepts is given up at the bound', async () => {
  const { spec, bodies } = await receiver((_turn, _request, response) => response.writeHead(500).end());
  expect(await deliver(spec, realClock(), undefined, LIMITS)).toMatchObject({ accepted: false, tries: 4, status: 500 });
  expect(bodies).toHaveLength(4);
});

test('a refusal that will not change is not repeated, nor a redirect followed', async () => {
  for (const status of [401, 404, 302]) {
    const { spec, bodies } = await receiver((_turn, _request, response) => response.writeHead(status, { location: '/elsewhere' }).end());
    expect(await deliver(spec, realClock(), undefined, LIMITS)).toMatchObject({ accepted: false, tries: 1, status });
    expect(bodies).toHaveLength(1);
  }
});

test('nobody there is told without the address', async () => {
  const { spec } = await receiver(() => {});
  for (const stop of stops.splice(0)) stop();
  const told = await deliver(spec, realClock(), undefined, { ...LIMITS, tries: 2 });
  expect(told).toMatchObject({ accepted: false, tries: 2 });
  expect(told.why).toContain('refused');
  expect(told.why).not.toContain('hook');
});

test('a shutdown ends the trying at once', async () => {
  const abort = new AbortController();
  const { spec } = await receiver(() => abort.abort());
  expect(await deliver(spec, realClock(), abort.signal, { ...LIMITS, tryMs: 60_000, firstWaitMs: 60_000 })).toMatchObject({ accepted: false, tries: 1 });
});
