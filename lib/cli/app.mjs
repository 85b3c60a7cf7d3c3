import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { children } from './children.mjs';
import { buildName, nextBin, ROOT } from './ready.mjs';
import { say } from './say.mjs';

const BANNER = /^\s*(▲|- (Local|Network)|✓|$)/;

/** Half of them may wait for a silent resolver (lib/io/lookup.ts). */
const THREADS = { UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? '16' };

/** Starts the built app on host and port. Its own lines go to the screen (but for Next's banner) and into the log file. */
export function startApp({ host, port, env, log }) {
  const child = spawn(process.execPath, [nextBin(), 'start', ROOT, '-H', host, '-p', String(port)], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      ...THREADS,
      WEDGEWATCH_LISTEN: `${host}:${port}`,
      WEDGEWATCH_BUILD: buildName(),
      ...env,
    },
  });
  echo(children.adopt(child, 'the app'), 'app', log, (line) => !BANNER.test(stripVTControlCharacters(line)));
  return child;
}

/** Copies a child's lines to the screen under its name, and all of them into its log file. */
export function echo(child, name, log, isShown = () => true) {
  const file = createWriteStream(log, { flags: 'a' });
  file.on('error', () => {});
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      file.write(`${line}\n`);
      if (isShown(line) && !children.isStopping) say(`${name.padEnd(10)} ${line}`);
    });
  }
  child.once('close', () => file.end());
}

/** Settles when the app answers HTTP there (true), or when the child has gone before that or `limitMs` is over (false). */
export async function answers(url, child, limitMs = 60_000) {
  const until = performance.now() + limitMs;
  while (performance.now() < until && child.exitCode === null && child.signalCode === null) {
    const reply = await fetch(url, { signal: AbortSignal.timeout(5000), redirect: 'manual' }).catch(() => undefined);
    await reply?.arrayBuffer().catch(() => undefined);
    if (reply) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
