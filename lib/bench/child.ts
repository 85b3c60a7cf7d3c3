import { type ChildProcess, spawn } from 'node:child_process';
import { children } from '@/lib/cli/children.mjs';
import { ROOT } from '@/lib/cli/ready.mjs';

type Said = { kind: string };
type OfKind<From extends Said, Kind extends From['kind']> = Extract<From, { kind: Kind }>;

/** A process of ours that takes orders and answers them; it lives for many runs, and ends with us. */
export class Child<To extends Said, From extends Said> {
  private readonly process: ChildProcess;
  private readonly ears = new Set<(message: From) => void>();
  private readonly mourners = new Set<(why: string) => void>();
  isDead = false;

  constructor(file: string) {
    this.process = spawn(process.execPath, [file], { cwd: ROOT, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    children.adopt(this.process, file);
    this.process.on('message', (message: From) => {
      for (const ear of this.ears) ear(message);
    });
    this.process.once('exit', (code, signal) => {
      this.isDead = true;
      for (const mourner of this.mourners) mourner(`${file} ended by ${signal ?? `code ${code}`}`);
    });
    this.process.once('error', () => undefined);
  }

  send(message: To): void {
    if (!this.isDead) this.process.send(message, () => undefined);
  }

  /** Hears every message from now on; returns how to leave. */
  on(ear: (message: From) => void): () => void {
    this.ears.add(ear);
    return () => this.ears.delete(ear);
  }

  /** The next message of that kind; rejects when it tells an error or dies instead. */
  next<Kind extends From['kind']>(kind: Kind): Promise<OfKind<From, Kind>> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.ears.delete(hear);
        this.mourners.delete(mourn);
      };
      const hear = (message: From) => {
        if (message.kind !== kind && message.kind !== 'error') return;
        leave();
        if (message.kind === kind) resolve(message as OfKind<From, Kind>);
        else reject(new Error('message' in message ? String(message.message) : 'a process of the run told an error'));
      };
      const mourn = (why: string) => {
        leave();
        reject(new Error(why));
      };
      this.ears.add(hear);
      this.mourners.add(mourn);
      if (this.isDead) mourn('a process of the run is gone');
    });
  }

  /** Rejects when it dies or tells an error, and never resolves. `leave` ends the waiting. */
  trouble(): { promise: Promise<never>; leave(): void } {
    let leave = () => {};
    const promise = new Promise<never>((_, reject) => {
      const hear = (message: From) => {
        if (message.kind === 'error') reject(new Error('message' in message ? String(message.message) : 'a process of the run told an error'));
      };
      const mourn = (why: string) => reject(new Error(why));
      this.ears.add(hear);
      this.mourners.add(mourn);
      leave = () => {
        this.ears.delete(hear);
        this.mourners.delete(mourn);
      };
    });
    return { promise, leave };
  }

  /** Stands still, as in a suspend; `continue` wakes it up. */
  stop(): void {
    this.process.kill('SIGSTOP');
  }

  continue(): void {
    this.process.kill('SIGCONT');
  }

  kill(): void {
    this.process.kill('SIGKILL');
  }
}
