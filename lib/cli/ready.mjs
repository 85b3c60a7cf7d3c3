import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { locked } from './lock.mjs';
import { remedy } from './remedy.mjs';
import { runQuietly } from './run.mjs';
import { problem, tail } from './say.mjs';

/** The project's root folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** Where everything that is made at run time goes. */
export const DATA = join(ROOT, '.wedgewatch');

const INSTALLED = join(ROOT, 'node_modules', '.wedgewatch-installed');
const BUILT = join(ROOT, '.next', 'wedgewatch-built');
const SOURCES = ['app', 'components', 'lib', 'public', 'instrumentation.ts', 'next.config.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'];
const NOT_IN_BUILD = /\.test\.tsx?$|^lib\/(cli|bench|simulator|scenarios|dialects\/fixtures)\//;

/** Installs the packages unless those of the present lock file are there already. */
export function installed() {
  const stamp = digest([lockText(), process.platform, process.arch, process.versions.modules]);
  return once(
    () => read(INSTALLED) === stamp,
    async () => {
      const [file, args] = npm();
      // Tools of the build are development dependencies, whatever NODE_ENV says.
      const flags = ['ci', '--include=dev', '--no-audit', '--no-fund', '--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=8000'];
      const run = await runQuietly('Installing packages', file, [...args, ...flags], { cwd: ROOT, log: log('install') });
      if (run.code !== 0) throw failed('The packages could not be installed.', run.log);
      write(INSTALLED, stamp);
    },
  );
}

/** Builds the app unless the sources are those of the last build. */
export function built() {
  const stamp = digest(sourceFiles().flatMap((path) => [path, read(join(ROOT, path)) ?? '']));
  return once(
    () => read(BUILT) === stamp && existsSync(join(ROOT, '.next', 'BUILD_ID')),
    async () => {
      const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
      const run = await runQuietly('Building the app', process.execPath, [nextBin(), 'build'], { cwd: ROOT, log: log('build'), env });
      if (run.code !== 0) throw failed('The app could not be built.', run.log);
      write(BUILT, stamp);
    },
  );
}

/** Does the work unless it is done already, one process at a time; where it is done nothing is written, so that others than the owner may run it. */
async function once(isDone, work) {
  if (!isDone()) await locked(join(DATA, 'preparing'), async () => isDone() || work());
}

function failed(what, file) {
  return problem(`${what} ${remedy(tail(file, 200))}\n\n${tail(file, 20)}\n\nAll of it: ${file}`);
}

/** Version and build, as the page shows them. */
export function buildName() {
  const { version } = JSON.parse(read(join(ROOT, 'package.json')) ?? '{}');
  return `${version}+${(read(BUILT) ?? 'unknown').slice(0, 7)}`;
}

/** Next's command as a file for Node. */
export function nextBin() {
  return join(ROOT, 'node_modules', 'next', 'dist', 'bin', 'next');
}

/** tsx as a value of Node's --import, which runs our TypeScript without a build. */
export const TSX = pathToFileURL(join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;

/** npm as [file, leading arguments]: the very npm that called us, else the one in PATH. */
export function npm() {
  const own = process.env.npm_execpath;
  return own && basename(own).startsWith('npm') ? [process.execPath, [own]] : ['npm', []];
}

function log(name) {
  return join(DATA, 'logs', `${name}.log`);
}

function lockText() {
  return read(join(ROOT, 'package-lock.json')) ?? read(join(ROOT, 'package.json')) ?? '';
}

function sourceFiles() {
  return SOURCES.flatMap(walk)
    .filter((path) => !NOT_IN_BUILD.test(path))
    .sort();
}

function walk(path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) return [];
  try {
    return readdirSync(full, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? walk(`${path}/${entry.name}`) : [`${path}/${entry.name}`]));
  } catch {
    return [path];
  }
}

function digest(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part}\0`);
  return hash.digest('hex');
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function write(path, text) {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw problem(`${path} could not be written: ${error.message}. ${remedy(String(error.message))}`);
  }
}

/** Makes a folder, or says why it cannot be made and what to do. */
export function folder(path) {
  try {
    mkdirSync(path, { recursive: true });
    return path;
  } catch (error) {
    throw problem(`The folder ${path} could not be made. ${remedy(String(error.message))}`);
  }
}
