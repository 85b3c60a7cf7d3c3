import type { RequestSpec } from '@/lib/model/exchange';

/** Headers whose values are ours and no secret. */
const OPEN_HEADERS: ReadonlySet<string> = new Set(['content-type', 'accept', 'user-agent', 'x-request-id']);

/** The request as a curl command that a person may paste: secrets become shell variables, everything foreign is quoted. */
export function curl(spec: RequestSpec): string {
  const words = ['curl', '-sS', '-N', '-i'];
  if (spec.method !== 'GET') words.push('-X', spec.method);
  words.push(quoted(withoutCredentials(spec.url)));
  for (const [name, value] of Object.entries(spec.headers)) words.push('-H', header(name.toLowerCase(), value));
  if (spec.ca !== undefined) words.push('--cacert', '"$CA_FILE"');
  if (spec.body !== undefined) words.push('--data-raw', quoted(spec.body));
  return words.join(' ');
}

function header(name: string, value: string): string {
  if (OPEN_HEADERS.has(name)) return quoted(`${name}: ${value}`);
  const safe = name.replace(/[^a-z0-9-]/g, '');
  if (safe === 'authorization') return `"authorization: ${/^bearer /i.test(value) ? 'Bearer ' : ''}$API_KEY"`;
  return `"${safe}: $${safe.toUpperCase().replace(/-/g, '_')}"`;
}

function withoutCredentials(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/@]*@/i, '$1');
}

/** Single quotes stop every expansion; line ends and other control characters could not be pasted and go. */
function quoted(text: string): string {
  return `'${text.replace(/\p{Cc}/gu, ' ').replace(/'/g, `'\\''`)}'`;
}
