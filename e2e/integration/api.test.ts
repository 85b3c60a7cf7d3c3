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

conformance(() => stack?.url ?? '');

test('no page may stand inside another site, where a click on it could be stolen', async () => {
  for (const path of ['/', '/wall', '/api/snapshot']) {
    const { headers } = await fetch(`${stack?.url}${path}`);
    expect([headers.get('content-security-policy'), headers.get('x-content-type-options')], path).toEqual(["frame-ancestors 'self'", 'nosniff']);
  }
});
