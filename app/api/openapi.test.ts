import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conformance } from './conformance';
import { watchExamples } from './examples';
import openapi from './openapi.json/openapi.json';
import type { Description } from './truth';

const description = openapi as unknown as Description;
const folder = fileURLToPath(new URL('.', import.meta.url));
const routes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('route.ts'))
  .map((name) => ({ file: join(folder, name), path: `/api/${name.replace(/\/route\.ts$/, '').replace(/\[(\w+)\]/g, '{$1}')}` }));
const methodsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^export (?:const|async function|function) (GET|HEAD|POST|PUT|PATCH|DELETE)\b/gm)].map((found) => found[1] ?? '');

let base = '';
let stop = () => {};
beforeAll(async () => {
  watchExamples();
  const server = createServer(async (incoming, outgoing) => {
    const answer = await routed(incoming);
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) outgoing.end();
    else Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]).pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((then) => server.once('listening', then));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterAll(() => stop());

test('every route is described and every description has its route', () => {
  const written = routes.flatMap(({ path, file }) => methodsOf(file).map((method) => `${method} ${path}`));
  const described = Object.entries(description.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
  expect(written.sort()).toEqual(described.sort());
});

conformance(() => base);

/** What Next does for us in the product: the route of a path, its parameters, and 405. */
async function routed(incoming: IncomingMessage): Promise<Response> {
  const url = new URL(incoming.url ?? '', `http://${incoming.headers.host}`);
  const match = routes
    .map((route) => ({ route, found: new RegExp(`^${route.path.replace('{id}', '([^/]+)').replace('.json', '\\.json')}$`).exec(url.pathname) }))
    .find((each) => each.found !== null);
  if (match === undefined) return new Response(null, { status: 404 });
  const module = await import(match.route.file);
  const handler = module[incoming.method ?? ''];
  if (handler === undefined) return new Response(null, { status: 405 });
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const hasBody = chunks.length > 0 && incoming.method !== 'GET';
  const request = new Request(url, {
    method: incoming.method,
    headers: incoming.headers as Record<string, string>,
    ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
  });
  return handler(request, { params: Promise.resolve({ id: decodeURIComponent(match.found?.[1] ?? '') }) });
}
