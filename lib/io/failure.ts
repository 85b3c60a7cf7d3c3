import type { Failure } from '@/lib/model/exchange';

/** Failures that the network or the other side can cause; the rest are our own decisions. */
export type NetworkFailure = Exclude<Failure, 'too-big' | 'cap' | 'closed-by-us'>;

/** How far a connection had come when it broke. */
export type Progress = { secure: boolean; connected: boolean; secured: boolean };

const BY_CODE: Readonly<Record<string, NetworkFailure>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  EAI_NONAME: 'dns',
  ECONNREFUSED: 'refused',
  // also where the peer was quicker with it than we were in seeing the connection stand
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
};

/** Which failure an error of node's or undici's sockets is. An AggregateError (several addresses tried) counts as its first. */
export function failureOf(error: unknown, progress: Progress): NetworkFailure {
  const code = codeOf(error);
  if (progress.secure && progress.connected && !progress.secured) return 'tls';
  if (/^(ERR_TLS|ERR_SSL|CERT_|EPROTO|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/.test(code)) return 'tls';
  if (code === 'ETIMEDOUT') return progress.connected ? 'reset' : 'connect-timeout';
  if (code.startsWith('HPE_') || code === 'ERR_INVALID_HTTP_TOKEN') return 'protocol';
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  return progress.connected ? 'reset' : 'unreachable';
}

/** The error's own words, one line, cut at 200 characters. */
export function detailOf(error: unknown): string {
  const first = firstOf(error);
  const message = first instanceof Error ? first.message : String(first);
  const code = codeOf(error);
  return (code.startsWith('HPE_INVALID') || message.includes(code) ? message : `${code} ${message}`)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200);
}

function codeOf(error: unknown): string {
  const first = firstOf(error);
  const code = typeof first === 'object' && first !== null && 'code' in first ? first.code : undefined;
  if (typeof code === 'string') return code;
  // undici leaves the code of some parser errors out
  return first instanceof Error && first.name === 'HTTPParserError' ? 'HPE_INVALID' : '';
}

function firstOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return firstOf(error.errors[0]);
  if ('cause' in error && error.cause !== undefined && !('code' in error)) return firstOf(error.cause);
  return error;
}
