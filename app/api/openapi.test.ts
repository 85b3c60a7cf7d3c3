import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchExamples } from './examples';
import openapi from './openapi.json/openapi.json';
import { complaint, type Description, type Ids, type Try, triesOf } from './truth';

const description = openapi as unknown as Description;
const folder = fileURLToPath(new URL('.', import.meta.url));
const routes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('route.ts'))
  .map((name) => ({ file: join(folder, name), path: `/api/${name.replace(/\/route\.ts$/, '').replace(/\[(\w+)\]/g, '{$1}')}` }));
const methodsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^export (?:const|async function|function) (GET|HEAD|POST|PUT|PATCH|DELETE)\b/gm)].map((found) => found[1] ?? '');

/** A server that is running already, with something to show; else the routes are served here over a watched example. */
const given = process.env.WEDGEWATCH_URL;
let base = given ?? '';
let stop = () => {};
beforeAll(async () => {
  if (given !== undefined) return;
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

// The ids are asked for below; the tries are listed without them.
describe.each([...new Set(triesOf(description, {}).map((each) => `${each.method} ${pathOf(each)}`))])('%s', (name) => {
  test('answers as described, and refuses with one sentence', async () => {
    const ids = await idsThere();
    const wrong: string[] = [];
    for (const tried of triesOf(description, ids).filter((each) => `${each.method} ${pathOf(each)}` === name)) {
      const said = complaint(description, tried, await ask(tried));
      if (said !== undefined) wrong.push(`${tried.method} ${tried.path} ${tried.title}: ${said}`);
    }
    expect(wrong).toEqual([]);
  });
});

test('other methods are answered with 405', { skip: given === undefined }, async () => {
  for (const path of Object.keys(description.paths)) {
    const tried = { title: '', method: 'PUT', path: path.replace('{id}', 'x'), headers: {}, expect: [405], operation: { responses: {} } };
    expect((await ask(tried)).status, path).toBe(405);
  }
});

test('no answer holds a secret', async () => {
  const ids = await idsThere();
  for (const tried of triesOf(description, ids).filter((each) => each.method === 'GET')) expect((await ask(tried)).body, tried.path).not.toContain('hush');
});

function pathOf(tried: Try): string {
  return Object.keys(description.paths).find((path) => description.paths[path]?.[tried.method.toLowerCase()] === tried.operation) ?? '';
}

async function idsThere(): Promise<Ids> {
  const read = async (path: string) => JSON.parse((await ask({ title: '', method: 'GET', path, headers: {}, expect: [], operation: { responses: {} } })).body);
  const target = (await read('/api/snapshot')).stacks[0].nodes[0].id;
  const first = (list: { id: string }[]) => list[0]?.id ?? 'none';
  return {
    '/api/probes/{id}': first((await read('/api/probes')).probes),
    '/api/experiments/{id}': first((await read('/api/experiments')).experiments),
    '/api/incidents/{id}': first((await read('/api/incidents')).incidents),
    '/api/targets/{id}/pause': target,
  };
}

/** One request on a connection of its own; a stream is left after its first event. */
function ask(tried: Try): Promise<{ status: number; type: string; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(base + tried.path, { method: tried.method, headers: { ...tried.headers, connection: 'close' }, agent: false }, (answer) => {
      let body = '';
      const done = () => resolve({ status: answer.statusCode ?? 0, type: String(answer.headers['content-type'] ?? ''), body });
      answer.setEncoding('utf8');
      answer.on('data', (piece) => {
        body += piece;
        if (!String(answer.headers['content-type']).startsWith('text/event-stream') || !body.includes('data: ')) return;
        done();
        answer.destroy();
      });
      answer.on('end', done);
      answer.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(tried.body);
  });
}

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
