import { readFileSync } from 'node:fs';
import { resolveSecret } from '@/lib/config';
import type { TargetConfig } from '@/lib/model/config';

/** Headers for one request to this target, secrets filled in. Never stored, never published. */
export function headersFor(config: TargetConfig): Record<string, string> {
  const key = config.apiKey === undefined ? undefined : resolveSecret(config.apiKey);
  return { ...config.headers, ...(key === undefined || key === '' ? {} : { authorization: `Bearer ${key}` }) };
}

/** Headers that are ours and no secret. */
const OPEN: ReadonlySet<string> = new Set(['content-type', 'accept', 'user-agent', 'x-request-id']);

/** What of these headers must not come back in anything that is kept: a key without its scheme too. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (OPEN.has(name.toLowerCase()) ? [] : [value, value.replace(/^\w+ /, '')]));
}

/** PEM text of the target's private CA, read at each use so that a renewed one counts. */
export function caFor(config: TargetConfig): { ca?: string } {
  return config.ca === undefined ? {} : { ca: readFileSync(config.ca, 'utf8') };
}
