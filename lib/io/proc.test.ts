import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listProcesses } from './proc';

let root = '';

function process_(pid: number, cmdline: string, sockets: number[] = []): void {
  mkdirSync(join(root, String(pid), 'fd'), { recursive: true });
  writeFileSync(join(root, String(pid), 'cmdline'), cmdline);
  for (const inode of sockets) symlinkSync(`socket:[${inode}]`, join(root, String(pid), 'fd', String(inode)));
}

const row = (local: string, state: string, inode: number) =>
  `  0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0000 100 0 0 10 0\n`;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'wedgewatch-proc-'));
  mkdirSync(join(root, 'net'));
  writeFileSync(
    join(root, 'net/tcp'),
    `  sl  local_address\n${row('0100007F:7531', '0A', 11)}${row('0100007F:7531', '01', 12)}${row('00000000:1F40', '0A', 13)}${row('0500000A:7534', '0A', 14)}garbage\n`,
  );
  writeFileSync(
    join(root, 'net/tcp6'),
    `  sl  local_address\n${row('00000000000000000000000000000000:7148', '0A', 15)}${row('00000000000000000000000001000000:7149', '0A', 16)}`,
  );
  process_(1, 'init\0');
  process_(2, '');
  process_(30, 'python\0-m\0sglang.launch_server\0--model\0\0--port\x0030001\0', [11, 12, 99]);
  process_(31, 'sglang::router\0\0\0\0\0', [13, 15, 16]);
  process_(32, 'other\0', [14]);
  mkdirSync(join(root, '33'));
  mkdirSync(join(root, 'self'));
});
afterAll(() => rmSync(root, { recursive: true }));

describe('listProcesses', () => {
  it('lists words and listening ports, and no kernel threads or vanished processes', () => {
    expect(listProcesses(root)).toEqual([
      { pid: 1, argv: ['init'], ports: [] },
      { pid: 30, argv: ['python', '-m', 'sglang.launch_server', '--model', '', '--port', '30001'], ports: [30001] },
      { pid: 31, argv: ['sglang::router'], ports: [8000, 29000, 29001], addresses: { 29001: '::1' } },
      { pid: 32, argv: ['other'], ports: [30004], addresses: { 30004: '10.0.0.5' } },
    ]);
  });

  it('finds nothing where there is no /proc', () => {
    expect(listProcesses(join(root, 'nowhere'))).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('sees a real child with its words, and our own listening port', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()', 'a mark with blanks']);
    await new Promise((resolve) => child.once('spawn', resolve));
    const all = listProcesses();
    child.kill();
    const address = server.address();
    expect(all.find(({ pid }) => pid === process.pid)?.ports).toContain(typeof address === 'object' ? address?.port : undefined);
    expect(all.find(({ pid }) => pid === child.pid)?.argv.at(-1)).toBe('a mark with blanks');
    server.close();
  });
});
