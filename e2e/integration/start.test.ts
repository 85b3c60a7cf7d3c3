import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Command, startCommand } from '../command';
import { allGone, isRunning } from '../processes';
import { freeRun } from '../stack';

const folder = mkdtempSync(join(tmpdir(), 'wedgewatch-start-'));
const commands: Command[] = [];

afterEach(async () => {
  for (const command of commands.splice(0)) {
    if (isRunning(command.pid)) command.kill('SIGTERM');
    await command.ended;
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(...args: string[]): Command {
  const command = startCommand('start.mjs', args, { cwd: folder });
  commands.push(command);
  return command;
}

function config(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('npm start', () => {
  it('tells all mistakes of the configuration together and starts nothing', async () => {
    const command = start(
      '--config',
      config('wrong.yaml', 'stacks:\n  - name: a\n    targets:\n      - {name: x, url: "localhost:1"}\nprobe: {every: soon}\nlissten: 1\n'),
    );
    expect(await command.ended).toBe(1);
    expect(command.said()).toMatch(/scheme/);
    expect(command.said()).toMatch(/every/);
    expect(command.said()).toMatch(/lissten/);
  });

  it('refuses options that it does not know, and tells which there are', async () => {
    const command = start('--nope');
    expect(await command.ended).toBe(2);
    expect(command.said()).toContain('--no-probe');
  });

  it('tells its options when asked, and starts nothing', async () => {
    const command = start('--help');
    expect(await command.ended).toBe(0);
    expect(command.said()).toContain('--config FILE');
  });

  it('tells what it will send before it starts, takes the next port when one is taken, and leaves nothing behind', async () => {
    const base = await freeRun(4);
    const taken = await listen(base);
    const command = start(
      '--config',
      config(
        'good.yaml',
        `stacks:\n  - name: a\n    targets:\n      - {name: router, url: "http://127.0.0.1:${base + 3}"}\nlisten: 127.0.0.1:${base}\ndata: data\n`,
      ),
    );
    const [, url = ''] = await command.says(/Wedgewatch is at (\S+)/);
    taken.close();
    expect(command.said()).toMatch(/tokens a minute[\s\S]*Wedgewatch is at/);
    expect(command.said()).toContain(`Port ${base} is taken`);
    expect((await fetch(url)).status).toBe(200);
    const family = command.family();
    command.kill('SIGTERM');
    expect(await command.ended).toBe(143);
    await allGone(family);
  });

  it('only looks when told so', async () => {
    const base = await freeRun(2);
    const command = start(
      '--no-probe',
      '--config',
      config(
        'look.yaml',
        `stacks:\n  - name: a\n    targets:\n      - {name: router, url: "http://127.0.0.1:${base + 1}"}\nlisten: 127.0.0.1:${base}\ndata: look\n`,
      ),
    );
    await command.says(/Wedgewatch is at/);
    expect(command.said()).toContain('no chat is sent');
  });
});

function listen(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}
