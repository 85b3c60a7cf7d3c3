import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conformance } from '@/app/api/conformance';
import { until } from '../processes';
import { type Stack, startStack } from '../stack';

let stack: Stack | undefined;
const has = async (path: string, isThere: (body: string) => boolean) => {
  const answer = await fetch(`${stack?.url}${path}`);
  return answer.ok && isThere(await answer.text());
};

beforeAll(async () => {
  stack = await startStack({ scenario: 'lib/scenarios/incident.yaml' });
  await until(
    () => has('/api/snapshot', (body) => body.includes('"role":"router"') || body.includes('"role":"balancer"')),
    60_000,
    () => 'no front-end was found',
  );
  await until(
    () => has('/api/probes?limit=1', (body) => body.includes('"id"')),
    60_000,
    () => 'no probe was recorded',
  );
  const [{ id }] = (await (await fetch(`${stack.url}/api/snapshot`)).json()).stacks;
  await fetch(`${stack.url}/api/experiments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ stack: id, tries: 1 }),
  });
});
afterAll(() => stack?.stop());

/** As no browser and no fetch would: under any Host, with the path as it stands. */
function asked(path: string, host: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(stack?.url ?? '');
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, headers: { host } }, (incoming) => {
      let body = '';
      incoming.setEncoding('utf8').on('data', (piece: string) => {
        body += piece;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body }));
    });
    outgoing.on('error', reject).end();
  });
}

conformance(() => stack?.url ?? '');

test('a name that is not ours reads nothing, whatever it resolves to; addresses and localhost do', async () => {
  const { port } = new URL(stack?.url ?? '');
  for (const path of ['/', '/wall', '/api/snapshot', '/api/stream', '/api/metrics', '/experiments/x'])
    expect(await asked(path, `rebound.example:${port}`), path).toMatchObject({ status: 403, body: expect.stringContaining('rebound.example') });
  for (const name of ['localhost', '127.0.0.1', '[::1]']) expect((await asked('/api/healthz', `${name}:${port}`)).status, name).toBe(200);
});

test('an address that cannot be decoded is refused as the mistake that it is', async () => {
  for (const path of ['/probes/%E0%A4%A', '/api/probes/%', '/targets/%zz'])
    expect(await asked(path, new URL(stack?.url ?? '').host), path).toMatchObject({ status: 400, body: expect.stringContaining('%25') });
});

test('no page may stand inside another site, where a click on it could be stolen', async () => {
  for (const path of ['/', '/wall', '/api/snapshot']) {
    const { headers } = await fetch(`${stack?.url}${path}`);
    expect([headers.get('content-security-policy'), headers.get('x-content-type-options')], path).toEqual(["frame-ancestors 'self'", 'nosniff']);
  }
});
