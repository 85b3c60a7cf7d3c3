import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { answers } from '@/lib/cli/app.mjs';
import { children } from '@/lib/cli/children.mjs';
import { freePort } from './free-port';

/** Debian's Prometheus reading the same pages, as its package runs it but on loopback and in its own folder. */
export type Prometheus = { child: ChildProcess; url: string };

/** Where the command is in PATH; undefined where there is none. */
export function prometheusPath(): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'prometheus'))
    .find(isExecutable);
}

export async function startPrometheus(path: string, { ports, everyMs, dir }: { ports: readonly number[]; everyMs: number; dir: string }): Promise<Prometheus> {
  const config = join(dir, 'prometheus.yml');
  const targets = ports.map((port) => `127.0.0.1:${port}`);
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: `${everyMs}ms`, scrape_timeout: `${everyMs}ms` },
      scrape_configs: [{ job_name: 'sglang', static_configs: [{ targets }] }],
    }),
  );
  const at = `127.0.0.1:${await freePort()}`;
  const child = spawn(path, [`--config.file=${config}`, `--storage.tsdb.path=${join(dir, 'tsdb')}`, `--web.listen-address=${at}`, '--log.level=error'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.adopt(child, 'prometheus');
  if (!(await answers(`http://${at}/-/ready`, child))) throw new Error(`prometheus did not answer at ${at} (exit code ${child.exitCode})`);
  return { child, url: `http://${at}` };
}

/** One number by an instant query; undefined when it has none. */
export async function asked({ url }: Prometheus, query: string): Promise<number | undefined> {
  const reply = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`);
  const body = (await reply.json()) as { data?: { result?: { value?: [number, string] }[] } };
  const value = body.data?.result?.[0]?.value?.[1];
  return value === undefined ? undefined : Number(value);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
