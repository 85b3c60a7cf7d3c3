import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, echo, startApp } from '../lib/cli/app.mjs';
import { children } from '../lib/cli/children.mjs';
import { demoConfig, portsFrom } from '../lib/cli/demo-stack.mjs';
import { isFree } from '../lib/cli/ports.mjs';
import { ROOT, TSX } from '../lib/cli/ready.mjs';

const HOST = '127.0.0.1';

/** A simulated stack in a process of its own and the app (production build) watching it, on free ports, with a data folder that vanishes afterwards. */
export type Stack = {
  url: string;
  data: string;
  ports: ReturnType<typeof portsFrom>;
  /** Kills the app as told and starts it again on the same port and data. */
  restartApp(signal: NodeJS.Signals): Promise<void>;
  /** Sends a signal to the app and leaves it at that: SIGSTOP makes it stand still. */
  signalApp(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
};

export type StackOptions = {
  /** A scenario file, from the project's root. */
  scenario: string;
  /** The story and the app's clock this much faster. */
  timeScale?: number;
  /** The app's configuration, made from the usual one. */
  configure?: (yaml: string, ports: ReturnType<typeof portsFrom>) => string;
};

export async function startStack({ scenario, timeScale = 1, configure = (yaml) => yaml }: StackOptions): Promise<Stack> {
  const data = mkdtempSync(join(tmpdir(), 'wedgewatch-e2e-'));
  const base = await freeRun(8);
  const ports = portsFrom(base);
  const port = base + 7;
  const config = join(data, 'wedgewatch.yaml');
  writeFileSync(config, configure(demoConfig(ports, { data, listen: `${HOST}:${port}` }), ports));
  const env = { WEDGEWATCH_CONFIG: config, ...(timeScale === 1 ? {} : { WEDGEWATCH_TIME_SCALE: String(timeScale), WEDGEWATCH_BENCH: '1' }) };
  const url = `http://${HOST}:${port}`;
  const log = join(data, 'app.log');

  const simulator = simulate(scenario, base, timeScale, join(data, 'simulator.log'));
  await upOrFail(`http://${HOST}:${ports.router}/health`, simulator, 'the simulator');
  let app = await startWatching();

  async function startWatching(): Promise<ChildProcess> {
    const child = startApp({ host: HOST, port, env, log });
    await upOrFail(`${url}/api/healthz`, child, 'the app');
    return child;
  }

  return {
    url,
    data,
    ports,
    async restartApp(signal) {
      await ended(app, signal);
      app = await startWatching();
    },
    signalApp(signal) {
      app.kill(signal);
    },
    async stop() {
      await Promise.all([ended(app, 'SIGTERM'), ended(simulator, 'SIGTERM')]);
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function simulate(scenario: string, base: number, timeScale: number, log: string): ChildProcess {
  const args = ['--import', TSX, 'lib/simulator/main.ts', scenario, '--base-port', String(base), '--time-scale', String(timeScale)];
  const child = children.adopt(spawn(process.execPath, args, { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }), 'the simulator');
  echo(child, 'simulator', log, () => process.env.WEDGEWATCH_VERBOSE !== undefined);
  return child;
}

async function upOrFail(url: string, child: ChildProcess, name: string): Promise<void> {
  if (!(await answers(url, child))) throw new Error(`${name} did not answer at ${url} (exit code ${child.exitCode})`);
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const force = setTimeout(() => child.kill('SIGKILL'), 5000);
  return new Promise((resolve) => {
    child.once('exit', () => {
      clearTimeout(force);
      resolve();
    });
    child.kill(signal);
  });
}

/** The first of so many ports in a row that are free now, from a random place of the range that the system does not hand out by itself. */
export async function freeRun(count: number): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const base = 15_000 + Math.floor(Math.random() * 15_000);
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(base + index)));
    if (free.every(Boolean)) return base;
  }
  throw new Error('no run of free ports was found');
}
