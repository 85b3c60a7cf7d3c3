import type { Exchange, Failure } from '@/lib/model/exchange';
import { readable } from '@/lib/model/foreign';

/** Seconds with one decimal below a minute: "8.0 s"; milliseconds below one second. */
export function span(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** Foreign words as one line, cut. */
export function cut(text: string, most: number): string {
  const line = readable(text).replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

const SAYS: Record<Failure, string> = {
  dns: 'the name does not resolve',
  refused: 'connection refused: nobody listens',
  'connect-timeout': 'no answer to the connection request',
  unreachable: 'the host cannot be reached',
  tls: 'TLS failed',
  reset: 'the connection was broken off',
  protocol: 'the answer is not HTTP',
  'too-big': 'the answer does not end',
  cap: 'closed by us at the hard cap',
  'closed-by-us': 'closed by us',
};

/** One sentence on a broken exchange: what, how far it had come, in the error's own words. */
export function failureSentence(exchange: Exchange, failure: Failure): string {
  const when = `after ${span(exchange.elapsedMs)}`;
  const got = exchange.bytes > 0 ? `, ${exchange.bytes} bytes of body` : exchange.status !== undefined ? ', headers only' : '';
  const detail = exchange.detail === undefined ? '' : ` (${cut(exchange.detail, 160)})`;
  return `${SAYS[failure]} ${when}${got}${detail}`;
}

/** What an answer that is no 2xx says: status and the first words of its body. */
export function statusSentence(exchange: Exchange, words: string | undefined): string {
  const said = words ?? cut(exchange.head, 160);
  const code = exchange.headers['x-smg-error-code'];
  return `${exchange.status} after ${span(exchange.elapsedMs)}${code === undefined ? '' : ` ${cut(code, 60)}`}${said === '' ? ', no words' : `: ${said}`}`;
}
