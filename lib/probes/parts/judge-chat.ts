import type { Exchange } from '@/lib/model/exchange';
import type { ChatReading, Outcome } from '@/lib/model/probe';
import { cut, failureSentence, span, statusSentence } from './words';

type Judged = { outcome: Outcome; sentence: string };

/** Tokens that came in one piece are no proof of buffering when they are few. */
const BURST_TOKENS = 4;

/** What a chat exchange turned out to be, at any moment of its life. */
export function judgeChat(exchange: Exchange, reading: ChatReading, asked: { stream: boolean; late: boolean }): Judged {
  const { status } = exchange;
  // a refusal is one however long its page
  const isLongRefusal = exchange.failure === 'too-big' && status !== undefined && status >= 300;
  if (exchange.failure !== undefined && !isLongRefusal) return broken(exchange, reading, asked.late);
  if (status !== undefined && status >= 300 && status < 400) return { outcome: 'redirected', sentence: redirect(exchange) };
  if (status !== undefined && (status < 200 || status >= 300))
    return { outcome: 'rejected', sentence: statusSentence(exchange, isLongRefusal ? undefined : reading.error) };
  if (reading.error !== undefined) return { outcome: 'error-in-200', sentence: `an error inside a 200 after ${span(exchange.elapsedMs)}: ${reading.error}` };
  if (exchange.ended) return asked.stream ? endedStream(exchange, reading) : endedWhole(exchange, reading);
  return asked.late ? silence(exchange, reading) : { outcome: 'pending', sentence: `out since ${span(exchange.elapsedMs)}` };
}

/** A probe that was silent past its deadline stays that silence when we close it: closing it adds nothing to what was seen. */
function broken(exchange: Exchange, reading: ChatReading, late: boolean): Judged {
  const failure = exchange.failure ?? 'closed-by-us';
  const isOurs = failure === 'closed-by-us' || failure === 'cap';
  if (isOurs && late) {
    const was = silence(exchange, reading);
    return { outcome: was.outcome, sentence: `${was.sentence}; ${failure === 'cap' ? 'closed by us at the hard cap' : 'closed by us'}` };
  }
  if (failure === 'too-big' && reading.tokens > 0) return { outcome: failure, sentence: `${failureSentence(exchange, failure)}, ${reading.tokens} tokens` };
  return { outcome: failure, sentence: failureSentence(exchange, failure) + (reading.tokens > 0 ? `, ${reading.tokens} tokens` : '') };
}

function silence(exchange: Exchange, reading: ChatReading): Judged {
  const { marks } = exchange;
  const past = span(exchange.elapsedMs);
  if (marks.connected === undefined && exchange.socketBytes === 0) {
    return marks.resolved === undefined
      ? { outcome: 'dns', sentence: `no answer from the resolver after ${past}` }
      : { outcome: 'connect-timeout', sentence: `no answer to the connection request after ${past}` };
  }
  // a request goes out with the connection, unless a handshake must come first
  if (exchange.socketBytes === 0 && marks.sent === undefined) return { outcome: 'zero-bytes', sentence: `connected, and no TLS handshake after ${past}` };
  if (exchange.socketBytes === 0) return { outcome: 'zero-bytes', sentence: `zero bytes after ${past} on an open connection` };
  if (exchange.status === undefined)
    return { outcome: 'zero-bytes', sentence: `part of a header (${exchange.socketBytes} bytes), then nothing, after ${past}` };
  const comments = reading.comments > 0 ? `, ${reading.comments} keep-alive comments` : '';
  if (reading.tokens === 0) {
    if (reading.sawRole) return { outcome: 'role-only', sentence: `headers and a role chunk, no token after ${past}${comments}` };
    return { outcome: 'headers-only', sentence: `${exchange.status} and headers, no token after ${past}${comments}` };
  }
  return { outcome: 'stalled', sentence: `${plural(reading.tokens)}, then nothing for ${span(reading.maxGapMs)}; out since ${past}${comments}` };
}

function endedStream(exchange: Exchange, reading: ChatReading): Judged {
  if (exchange.bytes === 0) return { outcome: 'empty', sentence: `${exchange.status} with an empty body after ${span(exchange.elapsedMs)}` };
  const type = exchange.headers['content-type'] ?? 'no content type';
  if (exchange.marks.firstEvent === undefined && reading.comments === 0) {
    const what = reading.finishReason !== undefined ? 'a whole JSON answer' : cut(exchange.head, 120);
    return { outcome: 'not-sse', sentence: `${exchange.status} but no event stream (${cut(type, 60)}): ${what}` };
  }
  const worked = didWork(reading);
  if (!reading.sawDone) return { outcome: 'no-done', sentence: `the stream ended after ${plural(reading.tokens)} without [DONE]` };
  if (!worked) return { outcome: 'empty', sentence: `a stream that ended properly after ${span(exchange.elapsedMs)} without one token` };
  return { outcome: 'ok', sentence: good(exchange, reading) };
}

function endedWhole(exchange: Exchange, reading: ChatReading): Judged {
  if (exchange.bytes === 0) return { outcome: 'empty', sentence: `${exchange.status} with an empty body` };
  if (didWork(reading)) return { outcome: 'ok', sentence: `answered whole in ${span(exchange.elapsedMs)}` };
  const isAnswer = reading.finishReason !== undefined || reading.sawRole;
  return isAnswer
    ? { outcome: 'empty', sentence: 'an answer without one token' }
    : { outcome: 'not-sse', sentence: `${exchange.status} but no chat answer: ${cut(exchange.head, 120)}` };
}

/** A reasoning model cut short may show no content at all (litellm #26987): a counted token is an answer. */
function didWork(reading: ChatReading): boolean {
  return reading.tokens > 0 || (reading.finishReason === 'length' && (reading.completionTokens ?? 0) >= 1);
}

function good(exchange: Exchange, reading: ChatReading): string {
  const first = reading.ttftMs === undefined ? '' : `first token after ${span(reading.ttftMs)}, `;
  const isBurst = reading.tokens >= BURST_TOKENS && reading.maxGapMs === 0;
  return `${first}${plural(reading.tokens)} in ${span(exchange.marks.end ?? exchange.elapsedMs)}${isBurst ? '; answered, not streamed: all tokens in one burst' : ''}`;
}

function redirect(exchange: Exchange): string {
  return `${exchange.status}: sends us to ${cut(exchange.headers.location ?? 'nowhere', 160)}; not followed`;
}

function plural(tokens: number): string {
  return tokens === 1 ? '1 token' : `${tokens} tokens`;
}
