import { type ChildProcess, spawn } from 'node:child_process';
import { children } from '../lib/cli/children.mjs';
import { ROOT } from '../lib/cli/ready.mjs';
import { descendants } from './processes';

/** One of our commands as a person starts it, with everything that it has said so far. */
export type Command = {
  pid: number;
  said(): string;
  /** Settles with the match when the command has said it; fails when the command ends before that. */
  says(what: RegExp): Promise<RegExpMatchArray>;
  /** Exit code, or the signal's name. */
  ended: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
  family(): number[];
};

export function startCommand(script: string, args: string[], { env = {}, cwd = ROOT }: { env?: Record<string, string>; cwd?: string } = {}): Command {
  const child: ChildProcess = children.adopt(
    spawn(process.execPath, [`${ROOT}/lib/cli/${script}`, ...args], {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    }),
    script,
  );
  const pid = child.pid ?? 0;
  let said = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      said += chunk;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<number | string>((resolve) => child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown')));
  return {
    pid,
    said: () => said,
    says(what) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const match = said.match(what);
          if (!match) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        void ended.then((how) => reject(new Error(`${script} ended (${how}) without saying ${what}:\n${said}`)));
      });
    },
    ended,
    kill: (signal) => void process.kill(pid, signal),
    family: () => descendants(pid),
  };
}
