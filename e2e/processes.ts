import { readdirSync, readFileSync } from 'node:fs';

/** Whether a process still runs; one that has ended but was not yet fetched by its parent does not. */
export function isRunning(pid: number): boolean {
  const state = stat(pid)?.state;
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** All processes below this one, at this moment. */
export function descendants(pid: number): number[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  const below = (parent: number): number[] => all.filter((child) => stat(child)?.parent === parent).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/** Settles when none of them runs any more; fails when one still does after `limitMs`, which is far beyond what is expected. */
export async function allGone(pids: number[], limitMs = 20_000): Promise<void> {
  await until(
    () => pids.every((pid) => !isRunning(pid)),
    limitMs,
    () => `still running: ${pids.filter(isRunning).join(', ')}`,
  );
}

/** Settles when the condition holds; for things outside of us that tell no event. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs: number, failure: () => string): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(failure());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function stat(pid: number): { state: string; parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: state ?? 'X', parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/** The command line of a process; empty when it has gone. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
