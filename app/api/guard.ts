import { hostname } from 'node:os';
import type { Config } from '@/lib/model/config';
import { quoted, refusal } from './answer';

const LONGEST_BODY = 64 * 1024;

/** Under which names this server may be asked for. */
export type Names = Pick<Config, 'listen' | 'hosts'>;

/**
 * Why a request under this `Host` is refused, or undefined. It must be an address, a loopback name, this machine's, or one that was
 * configured: a foreign name that resolves to us (DNS rebinding) makes a foreign page "same origin" to the browser, which may then read all.
 */
export function foreignHost(host: string, names: Names): string | undefined {
  if (isOurs(nameOf(host), names)) return undefined;
  return `Host ${quoted(host)} is not a name of this server; use its address or localhost, or add that name to "hosts" in the configuration.`;
}

/** What changes something must come from our own page, or from a program that is no browser. */
export function sameOrigin(request: Request, names: Names): void {
  const host = request.headers.get('host') ?? '';
  const foreign = foreignHost(host, names);
  if (foreign !== undefined) throw refusal(403, foreign);
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  if (origin !== null && hostOf(origin) !== host.toLowerCase()) throw refusal(403, `Origin ${quoted(origin)} is not this server; use its own page.`);
  if (site !== null && site !== 'same-origin') throw refusal(403, `Sec-Fetch-Site ${quoted(site)} says that another page asks; use this server's own page.`);
}

/** The JSON object in the body, bounded; where a body is needed its type must be JSON, which a foreign page cannot send unasked. */
export async function jsonBody(request: Request): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw refusal(415, `Content-Type ${quoted(type)} is not taken; send JSON with application/json.`);
  const text = await bounded(request);
  const body = parsed(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refusal(400, `body: ${quoted(text)} is no JSON object; send one, such as {"for": "10m"}.`);
  return body as Record<string, unknown>;
}

function isOurs(name: string, { listen, hosts = [] }: Names): boolean {
  const known = ['localhost', listen.host, hostname(), ...hosts].map((each) => each.toLowerCase());
  return isAddress(name) || name.endsWith('.localhost') || known.includes(name);
}

/** An address cannot be made to resolve to another. */
function isAddress(name: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || /^[\da-f:.]*:[\da-f:.]*$/.test(name);
}

/** `[::1]:3030` -> `::1`. */
function nameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined; // "null", from a sandboxed page.
  }
}

async function bounded(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const reader = request.body?.getReader();
  for (let piece = await reader?.read(); piece !== undefined && !piece.done; piece = await reader?.read()) {
    bytes += piece.value.length;
    if (bytes > LONGEST_BODY) {
      await reader?.cancel();
      throw refusal(413, `The body is longer than ${LONGEST_BODY} bytes; send less.`);
    }
    text += decoder.decode(piece.value, { stream: true });
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
