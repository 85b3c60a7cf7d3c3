import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { children } from '@/lib/cli/children.mjs';
import { DATA, ROOT } from '@/lib/cli/ready.mjs';

/** Ticks of /proc/PID/stat: 100 a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const TO_MIB = 1024;

/** CPU seconds that a process has used so far in all of its threads, in its own code and in the kernel for it. */
export function cpuSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory of a process, now and at its highest. */
export function residentMiB(pid: number): { now: number; peak: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / TO_MIB;
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

/** Said beside every figure: on a busy machine only ratios of one run mean something. */
export function loadSentence(): string {
  return `load average ${loadavg()
    .map((value) => value.toFixed(1))
    .join(' ')}`;
}

/**
 * Builds files of `lib` (named from there) as the product is built, in a folder from which packages are found; returns it. Run from its sources a
 * process would carry the compiler in its memory.
 */
export async function built(name: string, files: readonly string[]): Promise<string> {
  const outDir = join(DATA, 'bench', name);
  const input = Object.fromEntries(files.map((file) => [file, join(ROOT, 'lib', `${file}.ts`)]));
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    resolve: { alias: { '@': ROOT } },
    build: { ssr: true, outDir, emptyOutDir: true, minify: false, target: 'node20', rolldownOptions: { input, output: { entryFileNames: '[name].mjs' } } },
  });
  return outDir;
}

/** A built file as a process of its own, told what to do by one argument; it ends with us. */
export function start(file: string, argument: unknown, nodeFlags: readonly string[] = []): ChildProcess {
  const child = spawn(process.execPath, [...nodeFlags, file, JSON.stringify(argument)], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return children.adopt(child, file);
}

/** The next message of a child; fails when it ends instead. */
export function said<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const hear = (message: unknown) => {
      child.off('exit', gone);
      resolve(message as Message);
    };
    const gone = () => {
      child.off('message', hear);
      reject(new Error(`${child.spawnargs.at(-2)} ended with code ${child.exitCode}`));
    };
    child.once('message', hear);
    child.once('exit', gone);
  });
}

/** What a child answers when asked how far it is. */
export function ask<Message>(child: ChildProcess): Promise<Message> {
  const answer = said<Message>(child);
  child.send('tell');
  return answer;
}

export function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error(`${child.spawnfile} could not be started`);
  return child.pid;
}

export function seconds(count: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, count * 1000));
}
