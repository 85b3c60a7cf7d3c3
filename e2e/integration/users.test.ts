import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server of chats, and the users of `e2e/real` on it: what they told when they had gone. */
async function users(chat: (res: ServerResponse) => void, what: string, ...more: string[]): Promise<Record<string, number>> {
  const server = createServer((req, res) => req.resume().on('end', () => chat(res)));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const child = spawn(process.execPath, [fileURLToPath(new URL('../real/users.mjs', import.meta.url)), what, url, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closers.push(() => child.kill('SIGKILL'));
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(said) as Record<string, number>;
}

describe('the users of a stack that exists', () => {
  it('who leave early have all begun and left, and nothing of them has failed', async () => {
    const silent = (res: ServerResponse) => res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    expect(await users(silent, 'abort', '--n', '20', '--seconds', '0.2')).toEqual({ begun: 20, ended: 0, left: 20, failed: 0 });
  });

  it('who stay begin anew when their answer has ended, until their time is over', async () => {
    const told = await users((res) => setTimeout(() => res.end('data: [DONE]\n\n'), 20), 'stream', '--n', '2', '--seconds', '1');
    expect(told.ended).toBeGreaterThan(2);
    expect(told).toMatchObject({ failed: 0, begun: (told.ended ?? 0) + (told.left ?? 0) });
  });
});
