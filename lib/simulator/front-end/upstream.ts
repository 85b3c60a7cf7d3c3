import { Agent, type IncomingMessage, request } from 'node:http';
import type { SimClock } from '../clock';

/** An upstream answer's beginning, or how the connection broke. */
export type Head = { kind: 'answer'; status: number; message: IncomingMessage } | { kind: 'broken'; code: string };

/** One request to an engine. `head` settles when its header is there or the connection has broken. */
export type Leg = { head: Promise<Head>; close(): void };

const agent = new Agent({ keepAlive: false });

/** Seconds after which a front-end gives an upstream call up (`--request-timeout-secs`, both front-ends). */
const REQUEST_TIMEOUT_S = 1800;

export function post(clock: SimClock, url: string, body: string, headers: Record<string, string>): Leg {
  return send(
    clock,
    'POST',
    url,
    { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers },
    REQUEST_TIMEOUT_S,
    body,
  );
}

/** A short GET; the whole text, or undefined status when it broke or took too long. */
export async function get(clock: SimClock, url: string, seconds: number): Promise<{ status: number | undefined; text: string }> {
  const leg = send(clock, 'GET', url, {}, seconds);
  const head = await leg.head;
  if (head.kind === 'broken') return { status: undefined, text: '' };
  try {
    return { status: head.status, text: await wholeText(head.message) };
  } catch {
    return { status: undefined, text: '' };
  }
}

/** Reads a body to its end; rejects when it breaks off. */
export async function wholeText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  if (!message.complete) throw new Error('the body broke off');
  return Buffer.concat(chunks).toString('utf8');
}

function send(clock: SimClock, method: string, url: string, headers: Record<string, string>, seconds: number, body?: string): Leg {
  const req = request(url, { method, headers, agent });
  const stop = clock.after(seconds, () => req.destroy(new Error('timeout')));
  req.on('close', stop);
  const head = new Promise<Head>((resolve) => {
    req.on('response', (message) => {
      message.on('error', () => {});
      resolve({ kind: 'answer', status: message.statusCode ?? 0, message });
    });
    req.on('error', (error: NodeJS.ErrnoException) => resolve({ kind: 'broken', code: error.code ?? error.message }));
    req.on('close', () => resolve({ kind: 'broken', code: 'closed' }));
  });
  req.end(body);
  return { head, close: () => req.destroy() };
}
