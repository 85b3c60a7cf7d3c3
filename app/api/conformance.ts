import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import openapi from './openapi.json/openapi.json';
import { complaint, type Description, type Ids, type Try, triesOf } from './truth';

const description = openapi as unknown as Description;

/** The description held true: each path and method asked of the server at `base`, which is there once the tests run and has something to show. */
export function conformance(base: () => string): void {
  // The ids are asked for below; the tries are listed without them.
  describe.each([...new Set(triesOf(description, {}).map((each) => `${each.method} ${pathOf(each)}`))])('%s', (name) => {
    test('answers as described, and refuses with one sentence', async () => {
      const ids = await idsThere(base());
      const wrong: string[] = [];
      for (const tried of triesOf(description, ids).filter((each) => `${each.method} ${pathOf(each)}` === name)) {
        const said = complaint(description, tried, await ask(base(), tried));
        if (said !== undefined) wrong.push(`${tried.method} ${tried.path} ${tried.title}: ${said}`);
      }
      expect(wrong).toEqual([]);
    });
  });

  test('other methods are answered with 405', async () => {
    for (const path of Object.keys(description.paths)) {
      const tried = { title: '', method: 'PUT', path: path.replace('{id}', 'x'), headers: {}, expect: [405], operation: { responses: {} } };
      expect((await ask(base(), tried)).status, path).toBe(405);
    }
  });

  test('no answer holds a secret', async () => {
    const ids = await idsThere(base());
    for (const tried of triesOf(description, ids).filter((each) => each.method === 'GET'))
      expect((await ask(base(), tried)).body, tried.path).not.toContain('hush');
  });
}

function pathOf(tried: Try): string {
  return Object.keys(description.paths).find((path) => description.paths[path]?.[tried.method.toLowerCase()] === tried.operation) ?? '';
}

async function idsThere(base: string): Promise<Ids> {
  const read = async (path: string) =>
    JSON.parse((await ask(base, { title: '', method: 'GET', path, headers: {}, expect: [], operation: { responses: {} } })).body);
  const [stack] = (await read('/api/snapshot')).stacks;
  const first = (list: { id: string }[]) => list[0]?.id;
  const incident = first((await read('/api/incidents')).incidents);
  return {
    '/api/probes/{id}': first((await read('/api/probes')).probes),
    '/api/experiments/{id}': first((await read('/api/experiments')).experiments),
    ...Object.fromEntries(INCIDENT_PATHS.map((path) => [path, incident])),
    '/api/targets/{id}/pause': stack.nodes.find((node: { role: string }) => node.role === 'router')?.id,
    stack: stack.id,
  };
}

const INCIDENT_PATHS = Object.keys(description.paths).filter((path) => path.startsWith('/api/incidents/{id}'));

/** One request on a connection of its own; a stream is left after its first event. */
function ask(base: string, tried: Try): Promise<{ status: number; type: string; body: string }> {
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
