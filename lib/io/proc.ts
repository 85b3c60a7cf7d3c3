import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A process of this host: its words, and the TCP ports on which it listens, as far as we may see them. */
export type Process = {
  pid: number;
  argv: string[];
  ports: number[];
  /** Address by port where it is neither loopback nor a wildcard: only there the port can be reached. */
  addresses?: Record<number, string>;
  /** Its sockets belong to another user: which ports are its own cannot be seen. */
  isHidden?: boolean;
};

const MAX_CMDLINE = 65_536;
const LISTEN = '0A';

/** Reads `/proc`, changing nothing. Processes that end meanwhile, and whatever this user may not see, are left out without a word. */
export function listProcesses(root = '/proc'): Process[] {
  const sockets = listening(root);
  const pids = names(root).filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid): Process[] => {
    const argv = argvOf(join(root, pid, 'cmdline'));
    // Kernel threads have no command line.
    return argv === undefined || argv.length === 0 ? [] : [{ pid: Number(pid), argv, ...portsOf(join(root, pid, 'fd'), sockets) }];
  });
}

function argvOf(path: string): string[] | undefined {
  const text = textOf(path)?.slice(0, MAX_CMDLINE);
  // A retitled process leaves zeros behind its title, where its words were.
  return text?.split('\0').filter((word, index, words) => word !== '' || index < words.findLastIndex((later) => later !== ''));
}

type Socket = { port: number; address: string };

function listening(root: string): Map<string, Socket> {
  const found = new Map<string, Socket>();
  for (const table of ['tcp', 'tcp6']) {
    for (const line of (textOf(join(root, 'net', table)) ?? '').split('\n').slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      const [hex, port] = local?.split(':') ?? [];
      if (state === LISTEN && inode !== undefined && hex !== undefined && port !== undefined)
        found.set(inode, { port: Number.parseInt(port, 16), address: addressOf(hex) });
    }
  }
  return found;
}

function portsOf(folder: string, sockets: ReadonlyMap<string, Socket>): Pick<Process, 'ports' | 'addresses' | 'isHidden'> {
  let descriptors: string[];
  try {
    descriptors = readdirSync(folder);
  } catch (error) {
    return codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM' ? { ports: [], isHidden: true } : { ports: [] };
  }
  const own = descriptors.flatMap((descriptor) => sockets.get(/^socket:\[(\d+)\]$/.exec(linkOf(join(folder, descriptor)))?.[1] ?? '') ?? []);
  const elsewhere = own.filter(({ address }) => address !== '');
  return {
    ports: [...new Set(own.map(({ port }) => port))].sort((a, b) => a - b),
    ...(elsewhere.length === 0
      ? {}
      : {
          addresses: Object.fromEntries(
            elsewhere.filter(({ port }) => own.every((socket) => socket.port !== port || socket.address !== '')).map(({ port, address }) => [port, address]),
          ),
        }),
  };
}

/** The kernel writes each 32-bit group in the machine's byte order. '' for loopback and wildcard: both are reached by 127.0.0.1. */
function addressOf(hex: string): string {
  const groups = hex.match(/.{8}/g) ?? [];
  const bytes = groups.flatMap((group) => (group.match(/../g) ?? []).reverse().map((pair) => Number.parseInt(pair, 16)));
  const isMapped = bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255;
  const four = bytes.length === 4 ? bytes : isMapped ? bytes.slice(12) : undefined;
  if (four !== undefined) return four[0] === 127 || four.every((byte) => byte === 0) ? '' : four.join('.');
  if (bytes.slice(0, 15).every((byte) => byte === 0)) return bytes[15] === 1 ? '::1' : '';
  return (
    bytes
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
      .match(/.{4}/g) ?? []
  ).join(':');
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No /proc (macOS, a container without it): nothing can be found this way.
    return [];
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}
