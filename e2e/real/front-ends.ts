import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { answers, echo } from '../../lib/cli/app.mjs';
import { children } from '../../lib/cli/children.mjs';
import { DATA, folder } from '../../lib/cli/ready.mjs';
import { until } from '../processes';

const HOST = '127.0.0.1';

/** A real front-end of the PyPI package, running before the engines whose URLs it was given. */
export type RealFrontEnd = { url: string; metricsUrl?: string; stop(): Promise<void> };

export type Behind = { prefill: string; decode: string };

/** The Rust gateway in PD mode; settles once it has found both engines well. */
export async function startGateway({ prefill, decode }: Behind, port: number, metricsPort: number): Promise<RealFrontEnd> {
  const metrics = ['--prometheus-host', HOST, '--prometheus-port', String(metricsPort)];
  const gateway = launch('gateway', ['--pd-disaggregation', '--prefill', prefill, '8998', '--decode', decode, ...metrics], port);
  await until(
    () => isReady(`${gateway.url}/readiness`),
    60_000,
    () => `the gateway found no well engines; see ${gateway.log}`,
  );
  return { ...gateway, metricsUrl: `http://${HOST}:${metricsPort}/metrics` };
}

/** mini_lb in PD mode; it knows no readiness, so it settles once it answers. */
export async function startMiniLb({ prefill, decode }: Behind, port: number): Promise<RealFrontEnd> {
  const miniLb = launch('mini-lb', ['--pd-disaggregation', '--mini-lb', '--prefill', prefill, '8998', '--decode', decode], port);
  if (!(await answers(`${miniLb.url}/health`, miniLb.child))) throw new Error(`mini_lb did not start; see ${miniLb.log}`);
  return miniLb;
}

function launch(name: string, args: string[], port: number) {
  const python = process.env.WEDGEWATCH_ROUTER_PYTHON;
  if (python === undefined) throw new Error('WEDGEWATCH_ROUTER_PYTHON is not set: start these tests with npm run test:real');
  const log = join(folder(join(DATA, 'logs')), `real-${name}-${port}.log`);
  const child = spawn(python, ['-m', 'sglang_router.launch_router', ...args, '--host', HOST, '--port', String(port)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  echo(children.adopt(child, name), name, log, () => false);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = () => {
    // It waits for open requests when asked politely, and some of ours never end.
    child.kill('SIGKILL');
    return gone;
  };
  return { url: `http://${HOST}:${port}`, child, log, stop };
}

async function isReady(url: string): Promise<boolean> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  return reply?.ok === true;
}
