import { readFileSync } from 'node:fs';
import { resolveSecret } from '@/lib/config';
import type { TargetConfig } from '@/lib/model/config';

/** Headers for one request to this target, secrets filled in. Never stored, never published. */
export function headersFor(config: TargetConfig): Record<string, string> {
  const key = config.apiKey === undefined ? undefined : resolveSecret(config.apiKey);
  return { ...config.headers, ...(key === undefined || key === '' ? {} : { authorization: `Bearer ${key}` }) };
}

/** PEM text of the target's private CA, read at each use so that a renewed one counts. */
export function caFor(config: TargetConfig): { ca?: string } {
  return config.ca === undefined ? {} : { ca: readFileSync(config.ca, 'utf8') };
}
