import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { allGone, isRunning, until } from '../processes';

const FAMILY = fileURLToPath(new URL('./family.mjs', import.meta.url));
const started: { command: ChildProcess; pids: number[] }[] = [];

afterEach(() => {
  for (const { command, pids } of started.splice(0)) for (const pid of [command.pid ?? 0, ...pids].filter(isRunning)) process.kill(pid, 'SIGKILL');
});

describe('what a command has started', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends with it on %s, children and their children, also deaf ones', async (signal, code) => {
    const { command, pids } = await family();
    const exit = new Promise((resolve) => command.once('exit', resolve));
    command.kill(signal);
    expect(await exit).toBe(code);
    await allGone(pids);
  });

  it('ends when the command is killed without warning', async () => {
    const { command, pids } = await family();
    command.kill('SIGKILL');
    await allGone(pids);
  });

  it('ends also when Ctrl-C comes a second time while the deaf ones are waited for', async () => {
    const { command, pids } = await family();
    command.kill('SIGINT');
    await until(
      () => pids.some((pid) => !isRunning(pid)),
      20_000,
      () => 'nobody ended',
    );
    command.kill('SIGINT');
    await allGone(pids);
  });

  it('ends when npm above the command is killed without warning', async () => {
    const { command, pids } = await family({ underNpm: true });
    command.kill('SIGKILL');
    await allGone(pids);
  });
});

async function family({ underNpm = false } = {}) {
  const args = underNpm ? ['-e', `require('node:child_process').spawn(process.execPath, [${JSON.stringify(FAMILY)}], { stdio: 'inherit' })`] : [FAMILY];
  const env = { ...process.env, npm_lifecycle_event: underNpm ? 'demo' : undefined };
  const command = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const pids: number[] = [];
  started.push({ command, pids });
  for await (const line of createInterface({ input: command.stdout })) {
    pids.push(...line.split(' ').map(Number));
    if (pids.length === 4) break;
  }
  expect(pids.every(isRunning)).toBe(true);
  return { command, pids };
}
