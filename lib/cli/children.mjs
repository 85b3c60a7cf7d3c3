import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
const PATIENCE_MS = 2500;

/**
 * Everything that a command has started. Each child leads a process group of its own, so that its children end with it; all of them end when the
 * command is interrupted, when it ends, when npm above it dies, and (through the guard process) when it is killed with -9.
 */
class Children {
  #live = new Map();
  #groups = new Set();
  #guard;
  #stopping;
  #watching = false;

  get isStopping() {
    return this.#stopping !== undefined;
  }

  /** Takes charge of a child that was spawned with `detached: true`. */
  adopt(child, name) {
    if (child.pid === undefined) return child;
    this.#watch();
    this.#live.set(child.pid, { child, name });
    this.#groups.add(child.pid);
    this.#tellGuard(`+${child.pid}`);
    child.once('exit', () => this.#leaderGone(child.pid));
    return child;
  }

  // A group may hold processes after its leader is gone: they are ended before it is forgotten.
  #leaderGone(pid) {
    this.#live.delete(pid);
    signalGroup(pid, 'SIGKILL');
    this.#groups.delete(pid);
    this.#tellGuard(`-${pid}`);
  }

  /** Ends all children: asked first, forced after a moment. Calling it again forces at once. */
  stopAll() {
    if (this.#stopping) {
      this.#signalAll('SIGKILL');
      return this.#stopping;
    }
    this.#stopping = this.#stop();
    return this.#stopping;
  }

  async #stop() {
    const gone = [...this.#live.values()].map(({ child }) => new Promise((resolve) => child.once('exit', resolve)));
    this.#signalAll('SIGTERM');
    const force = setTimeout(() => this.#signalAll('SIGKILL'), PATIENCE_MS);
    await Promise.all(gone);
    clearTimeout(force);
    this.#guard?.stdin.end();
  }

  #signalAll(signal) {
    for (const pid of this.#groups) signalGroup(pid, signal);
  }

  #watch() {
    if (this.#watching) return;
    this.#watching = true;
    for (const signal of SIGNALS) process.on(signal, () => this.#interrupted(EXIT_CODES[signal]));
    process.on('exit', () => this.#signalAll('SIGKILL'));
    this.#watchNpm();
    const guard = spawn(process.execPath, [fileURLToPath(new URL('./guard.mjs', import.meta.url))], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    guard.unref();
    guard.stdin.unref?.();
    guard.stdin.on('error', () => {});
    guard.on('error', () => {});
    this.#guard = guard;
  }

  // npm passes signals on, but when npm itself is killed with -9 nobody tells us: we only get another parent.
  #watchNpm() {
    if (process.env.npm_lifecycle_event === undefined) return;
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) this.#interrupted(EXIT_CODES.SIGHUP);
    }, 500).unref();
  }

  async #interrupted(code) {
    await this.stopAll();
    process.exit(code);
  }

  #tellGuard(line) {
    this.#guard?.stdin.write(`${line}\n`);
  }
}

export const children = new Children();

// Inherited by all that is started from here; see guard.mjs.
process.env.WEDGEWATCH_FAMILY = randomUUID();

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone, which is what was wanted.
  }
}
