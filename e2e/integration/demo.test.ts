import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Command, startCommand } from '../command';
import { allGone, commandLine, isRunning, until } from '../processes';
import { freeRun } from '../stack';

const data = mkdtempSync(join(tmpdir(), 'wedgewatch-demo-'));
let base: number;
let demo: Command | undefined;

beforeAll(async () => {
  base = await freeRun(10);
});
afterEach(async () => {
  if (demo && isRunning(demo.pid)) demo.kill('SIGTERM');
  await demo?.ended;
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

async function startDemo() {
  demo = startCommand('demo.mjs', ['--base-port', String(base), '--port', String(base + 6), '--data', data]);
  const [, url = ''] = await demo.says(/Wedgewatch is at\s+(\S+)/);
  return { command: demo, url };
}

describe('the demo', () => {
  it('watches its simulated stack, and Ctrl-C stops everything that it started', async () => {
    const { command, url } = await startDemo();
    await until(
      async () => (await targets(url)).length >= 4,
      60_000,
      () => command.said(),
    );
    expect(await targets(url)).toEqual(expect.arrayContaining(['router', 'mini_lb', 'prefill', 'decode']));
    const family = command.family();
    expect(family.length).toBeGreaterThanOrEqual(2);
    command.kill('SIGINT');
    expect(await command.ended).toBe(130);
    await allGone(family);
  });

  it('starts an app that was killed with -9 again, and the history from before is still there', async () => {
    const { command, url } = await startDemo();
    await until(
      async () => (await probes(url)).length > 0,
      60_000,
      () => command.said(),
    );
    const before = await probes(url);
    const app = await appPid(command);
    process.kill(app, 'SIGKILL');
    await command.says(/The app ended \(SIGKILL\); starting it again/);
    await until(
      async () => (await probes(url)).length > 0,
      60_000,
      () => command.said(),
    );
    expect((await probes(url)).map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
  });

  it('ends with an error when its simulated stack dies, and stops the app', async () => {
    const { command } = await startDemo();
    const family = command.family();
    const app = await appPid(command);
    for (const pid of family.filter((one) => one !== app && commandLine(one).includes('simulator'))) process.kill(pid, 'SIGKILL');
    expect(await command.ended).toBe(1);
    expect(command.said()).toMatch(/simulated stack ended by itself \(SIGKILL\); everything else was stopped/);
    await allGone(family);
  });
});

async function targets(url: string): Promise<string[]> {
  const snapshot = await json<{ stacks?: { nodes: { name: string }[] }[] }>(`${url}api/snapshot`);
  return snapshot?.stacks?.flatMap((stack) => stack.nodes.map((node) => node.name)) ?? [];
}

async function probes(url: string): Promise<{ id: string }[]> {
  return (await json<{ probes: { id: string }[] }>(`${url}api/probes?limit=100`))?.probes ?? [];
}

async function json<T>(url: string): Promise<T | undefined> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
  return reply?.ok ? ((await reply.json()) as T) : undefined;
}

async function appPid(command: Command): Promise<number> {
  const app = () => command.family().find((pid) => /next-server|next\/dist\/bin\/next/.test(commandLine(pid)));
  await until(
    () => app() !== undefined,
    10_000,
    () => 'the app is not there',
  );
  return app() ?? 0;
}
