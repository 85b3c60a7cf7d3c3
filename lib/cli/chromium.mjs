import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { DATA, ROOT } from './ready.mjs';
import { runQuietly } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const ELSEWHERE = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium', '/snap/bin/chromium'];
const PACKAGE_MANAGERS = [
  ['apt-get', [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]],
  ['dnf', [['install', '-y', 'chromium']]],
  ['apk', [['add', 'chromium']]],
];

/**
 * A Chromium that runs here, as `{ path, from }`, else `{ reason }`: the one named by WEDGEWATCH_CHROMIUM, a system one, Playwright's own download,
 * and last the system's package manager.
 */
export async function chromium() {
  const named = process.env.WEDGEWATCH_CHROMIUM;
  if (named)
    return (await runs(named))
      ? { path: named, from: 'WEDGEWATCH_CHROMIUM' }
      : { reason: `WEDGEWATCH_CHROMIUM names ${named}, which does not run; name a Chrome or Chromium that does` };
  const ways = [
    ['the system', systemOnes],
    ['Playwright', () => [playwrightOne()]],
    ["Playwright's download", downloadedOne],
    ["the system's packages", packagedOnes],
  ];
  for (const [from, find] of ways) for (const path of await find()) if (path && (await runs(path))) return { path, from };
  return {
    reason: `no Chromium was found, and none could be got (logs in ${join(DATA, 'logs')}); install one, or name it with WEDGEWATCH_CHROMIUM=/path/to/chromium`,
  };
}

function systemOnes() {
  const inPath = NAMES.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)));
  return [...inPath, ...ELSEWHERE].filter(isExecutable);
}

function playwrightOne() {
  const { chromium } = createRequire(join(ROOT, 'package.json'))('playwright-core');
  const path = chromium.executablePath();
  return path && existsSync(path) ? path : undefined;
}

async function downloadedOne() {
  const cli = join(ROOT, 'node_modules', 'playwright-core', 'cli.js');
  await limited('Downloading Chromium', process.execPath, [cli, 'install', 'chromium'], 'chromium-download');
  return [playwrightOne()];
}

async function packagedOnes() {
  const manager = PACKAGE_MANAGERS.find(([name]) => (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, name))));
  if (manager === undefined || process.getuid?.() !== 0) return [];
  const [name, steps] = manager;
  for (const step of steps) await limited(`Installing Chromium (${name} ${step[0]})`, name, step, `chromium-${name}-${step[0]}`);
  return systemOnes();
}

function limited(title, file, args, log) {
  return runQuietly(title, file, args, {
    cwd: ROOT,
    log: join(DATA, 'logs', `${log}.log`),
    env: { DEBIAN_FRONTEND: 'noninteractive', PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' },
  });
}

// A browser without its libraries does not even tell its version.
function runs(path) {
  return new Promise((resolve) => execFile(path, ['--version'], { timeout: 30_000 }, (error) => resolve(error === null)));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
