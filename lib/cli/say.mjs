import { closeSync, openSync, readSync, statSync } from 'node:fs';

// A terminal that has gone away must not take the clean-up down with it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** One calm line. */
export function say(line = '') {
  process.stdout.write(`${line}\n`);
}

/** A mistake that a person can act on; the commands print it without a stack and end with `exitCode`. */
export function problem(message, exitCode = 1) {
  return Object.assign(new Error(message), { name: 'Problem', exitCode });
}

/** Runs a command's main function and turns whatever goes wrong into words and an exit code. */
export async function command(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    const told = error?.name === 'Problem';
    process.stderr.write(`\n${told ? error.message : (error?.stack ?? error)}\n`);
    process.exitCode = error?.exitCode ?? 1;
  }
}

/** The end of a log file, for messages. */
export function tail(path, lines = 15) {
  try {
    const size = statSync(path).size;
    const bytes = Buffer.alloc(Math.min(size, 16_384));
    const file = openSync(path, 'r');
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    closeSync(file);
    return bytes.toString('utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}

/** `7 s`, `2 m 11 s`. */
export function took(sinceMs, nowMs = performance.now()) {
  const seconds = Math.round((nowMs - sinceMs) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}
