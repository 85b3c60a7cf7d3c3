import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeFailure } from '../failure';

/**
 * One writer per folder. A file names the writing process; it holds while that very process lives, so that neither `kill -9` nor a
 * collector's thread begun anew in the same process leaves the folder locked.
 */
export function claim(dir: string): () => void {
  const path = join(dir, 'writer.json');
  const holder = readHolder(path);
  if (holder !== undefined && holder.pid !== process.pid && startOf(holder.pid) === holder.started)
    throw storeFailure('StoreLocked', `${dir} is in use by the Wedgewatch with process id ${holder.pid}; stop that one, or set "data" to another folder`);
  writeFileSync(path, JSON.stringify({ pid: process.pid, started: startOf(process.pid) ?? 'running' }));
  return () => {
    if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true });
  };
}

function readHolder(path: string): { pid: number; started: string } | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof found !== 'object' || found === null || !('pid' in found) || !('started' in found)) return undefined;
    return typeof found.pid === 'number' && typeof found.started === 'string' ? { pid: found.pid, started: found.started } : undefined;
  } catch {
    return undefined; // Absent or half-written by a process that was killed: nobody holds it.
  }
}

/** When the process began in its kernel's words, for a number is soon given to another; undefined when there is no such process. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return isRunning(pid) ? 'running' : undefined; // No /proc on this system.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
