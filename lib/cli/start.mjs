import './node-version.mjs';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, startApp } from './app.mjs';
import { children } from './children.mjs';
import { nextFree } from './ports.mjs';
import { built, folder, installed, ROOT, TSX } from './ready.mjs';
import { runAloud } from './run.mjs';
import { command, problem, say } from './say.mjs';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1', '[::1]']);

command(async () => {
  await installed();
  const choice = await chosen();
  if (choice.exitCode !== undefined) return choice.exitCode;
  await built();
  return serve(choice);
});

/** What to watch and where to listen, worked out by start.ts, which may use the product's own modules now that they are installed. */
async function chosen() {
  const exchange = mkdtempSync(join(tmpdir(), 'wedgewatch-start-'));
  const file = join(exchange, 'choice.json');
  try {
    const code = await runAloud(
      'reading the configuration',
      process.execPath,
      ['--import', TSX, join(ROOT, 'lib/cli/start.ts'), file, ...process.argv.slice(2)],
      {
        cwd: process.cwd(),
        env: { TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.json') },
      },
    );
    return code === 0 && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { exitCode: code };
  } finally {
    rmSync(exchange, { recursive: true, force: true });
  }
}

async function serve({ host, port: wanted, data, env }) {
  const port = await nextFree(wanted, host);
  if (port === undefined) throw problem(`No port from ${wanted} upwards is free on ${host}; name another with --port N.`);
  if (port !== wanted) say(`Port ${wanted} is taken; listening on ${port}.`);
  if (!LOOPBACK.has(host)) say(`Warning: listening on ${host}, so everyone who reaches this machine can see the page; there is no log-in.`);
  const app = startApp({ host, port, env, log: join(folder(data), 'app.log') });
  const gone = new Promise((resolve) => app.once('exit', (code, signal) => resolve({ code, signal })));
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}/`;
  if (await answers(url, app)) say(`Wedgewatch is at ${url}  (Ctrl-C stops it)`);
  const { code, signal } = await gone;
  if (children.isStopping) return new Promise(() => {});
  say(`The app ended (${signal ?? `exit code ${code}`}).`);
  return code || 1;
}
