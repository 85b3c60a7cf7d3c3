import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { demoConfig, demoPorts } from './demo-stack.mjs';
import { isFree, nextFree } from './ports.mjs';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function taken(): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

it('a taken port gives the next free one', async () => {
  const port = await taken();
  expect(await isFree(port)).toBe(false);
  expect(await nextFree(port)).toBeGreaterThan(port);
  expect(await nextFree(port, '127.0.0.1', 1)).toBeUndefined();
});

it('a first port that was asked for and is taken is a mistake that names it', async () => {
  const port = await taken();
  await expect(demoPorts(String(port))).rejects.toMatchObject({ name: 'Problem', message: expect.stringContaining(String(port)) });
});

it('the demo watches the ports at which its stack listens', () => {
  const text = demoConfig({ router: 1, minilb: 2, prefill: 3, decode: 4, metrics: 5 }, { data: '/tmp/a "b"', listen: '127.0.0.1:3030' });
  expect([...text.matchAll(/127\.0\.0\.1:(\d)\b/g)].map((match) => match[1])).toEqual(['1', '5', '2', '3', '4']);
  expect(text).toContain('data: "/tmp/a \\"b\\""');
});
