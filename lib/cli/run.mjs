import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { children } from './children.mjs';
import { say, tail, took } from './say.mjs';

/** Runs a step to its end with its output in a log file; tells that it goes on when it takes more than a second. Answers `{ code, log }`. */
export async function runQuietly(title, file, args, { cwd, log, env = {} }) {
  mkdirSync(dirname(log), { recursive: true });
  const out = createWriteStream(log);
  const began = performance.now();
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  children.adopt(child, title);
  child.stdout.pipe(out, { end: false });
  child.stderr.pipe(out, { end: false });
  const slow = setTimeout(() => say(`${title} ...`), 1000);
  const alive = setInterval(() => say(`  still at it after ${took(began)}  ${tail(log, 1).slice(0, 100)}`.trimEnd()), 20_000);
  const code = await ended(child);
  clearTimeout(slow);
  clearInterval(alive);
  await new Promise((resolve) => out.end(resolve));
  if (code === 0) say(`${title}: done in ${took(began)}`);
  return { code, log };
}

/** Runs a step with its output on the screen; answers its exit code. */
export async function runAloud(title, file, args, { cwd, env = {} }) {
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  children.adopt(child, title);
  return ended(child);
}

function ended(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      say(`could not start ${child.spawnfile}: ${error.message}`);
      resolve(127);
    });
    child.once('close', (code, signal) => resolve(code ?? (signal ? 128 : 1)));
  });
}
