import { dialectOf } from '@/lib/dialects/recognise';
import type { Kind, Role } from '@/lib/model/target';
import type { ListedWorker } from '@/lib/model/topology';
import type { Fingerprint } from './ask';
import type { Candidate } from './candidates';

/** A target in the making: what is there, how it was found, and whom it names as workers. */
export type Node = {
  url: string;
  kind: Kind;
  role: Role;
  version?: string;
  foundBy: 'cmdline' | 'port' | 'workers';
  pid?: number;
  cmdline?: string;
  metricsUrl?: string;
  workers: ListedWorker[];
};

/** A node, or the sentence that says why there is none. */
export function nodeOf(candidate: Candidate, seen: Fingerprint): Node | string {
  const { finding } = candidate;
  const isKnown = dialectOf(seen.kind) !== undefined;
  const where = `${candidate.url}${candidate.pid === undefined ? '' : ` (process ${candidate.pid})`}`;
  // A renamed or unnamed process may hold many ports: only those that answer count. One with flags is there even while it is mute.
  if (!isKnown && (finding?.port === undefined || seen.kind === 'dummy')) return `${where}: ${seen.why}.`;
  return {
    url: candidate.url,
    kind: isKnown ? seen.kind : (finding?.kind ?? 'unknown'),
    role: seen.role === 'unknown' ? (finding?.role ?? 'unknown') : seen.role,
    ...(seen.version === undefined ? {} : { version: seen.version }),
    foundBy: candidate.foundBy,
    ...(candidate.pid === undefined ? {} : { pid: candidate.pid }),
    ...(candidate.cmdline === undefined ? {} : { cmdline: candidate.cmdline }),
    ...(finding?.metricsPort === undefined ? {} : { metricsUrl: `http://127.0.0.1:${finding.metricsPort}/metrics` }),
    workers: finding?.workers ?? [],
  };
}

/** Same address although written differently. */
export function addressKey(url: string): string {
  try {
    const { hostname, port, protocol, pathname } = new URL(url);
    const host = /^(localhost|0\.0\.0\.0|\[::1?\]|127\.\d+\.\d+\.\d+)$/.test(hostname) ? '127.0.0.1' : hostname;
    return `${host}:${port || (protocol === 'https:' ? '443' : '80')}${pathname.replace(/\/$/, '')}`;
  } catch {
    return url;
  }
}

/** "SGLang decode at http://127.0.0.1:30002 (process 12)". */
export function told(node: Node): string {
  const title = dialectOf(node.kind)?.title ?? node.kind;
  const role = node.role === 'unknown' ? ' of unknown role' : ['prefill', 'decode'].includes(node.role) ? ` ${node.role}` : '';
  const how = node.foundBy === 'workers' ? ', named by a front-end' : node.pid === undefined ? '' : ` (process ${node.pid})`;
  return `${title}${role} at ${node.url}${how}`;
}
