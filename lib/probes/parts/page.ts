import type { Exchange, RequestSpec } from '@/lib/model/exchange';
import type { Outcome, ProbeOn } from '@/lib/model/probe';
import { cut, failureSentence, span, statusSentence } from './words';

/** A plain GET of `on.url`. */
export function getRequest(on: ProbeOn): RequestSpec {
  return {
    method: 'GET',
    url: on.url,
    headers: { ...on.headers, accept: '*/*', 'user-agent': on.userAgent },
    ...(on.ca === undefined ? {} : { ca: on.ca }),
  };
}

/** A short answer judged by its status. "Slow" is not "down": a silent page is told as such, with how long we waited. */
export function judgePage(exchange: Exchange, late: boolean, isGood: (status: number) => boolean): { outcome: Outcome; sentence: string } {
  const { failure, status } = exchange;
  const past = span(exchange.elapsedMs);
  // a refusal is one however long its page
  if (failure === 'too-big' && status !== undefined && status >= 400) return { outcome: 'rejected', sentence: statusSentence(exchange, undefined) };
  if (failure !== undefined && !(late && (failure === 'cap' || failure === 'closed-by-us')))
    return { outcome: failure, sentence: failureSentence(exchange, failure) };
  if (!exchange.ended || failure !== undefined) {
    if (!late) return { outcome: 'pending', sentence: `out since ${past}` };
    if (exchange.marks.connected === undefined) return { outcome: 'connect-timeout', sentence: `no answer to the connection request after ${past}` };
    return exchange.status === undefined
      ? { outcome: 'zero-bytes', sentence: `no answer after ${past} on an open connection` }
      : { outcome: 'headers-only', sentence: `${status} and headers, body not ended after ${past}` };
  }
  if (status !== undefined && status >= 300 && status < 400 && !isGood(status)) {
    return { outcome: 'redirected', sentence: `${status}: sends us to ${cut(exchange.headers.location ?? 'nowhere', 160)}; not followed` };
  }
  if (status === undefined || !isGood(status)) return { outcome: 'rejected', sentence: statusSentence(exchange, undefined) };
  return { outcome: 'ok', sentence: `${status} after ${past}` };
}
