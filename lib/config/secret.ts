import { readFileSync, statSync } from 'node:fs';
import type { SecretRef } from '@/lib/model/config';
import { why } from './file';

/** The secret behind a reference, read anew at each call so that a rotated key is taken up. Throws with a sentence that names the place, never the value. */
export function resolveSecret(ref: SecretRef, env: Readonly<Record<string, string | undefined>> = process.env): string {
  const missing = secretProblem(ref, env);
  if (missing !== undefined) throw Object.assign(new Error(`api key: ${missing}`), { name: 'SecretMissing' });
  return 'env' in ref ? (env[ref.env] ?? '').trim() : readFileSync(ref.file, 'utf8').trim();
}

/** What keeps a secret from being read, with its remedy; undefined when it can be. */
export function secretProblem(ref: SecretRef, env: Readonly<Record<string, string | undefined>>): string | undefined {
  if ('env' in ref) {
    const value = env[ref.env]?.trim() ?? '';
    return value === '' ? `environment variable ${ref.env} is not set or empty; set it before starting` : unfit(value, `environment variable ${ref.env}`);
  }
  try {
    const stat = statSync(ref.file);
    if (!stat.isFile()) return `${ref.file} is no regular file; name one`;
    if (stat.size > 65_536) return `${ref.file} is larger than any key; name the file that holds only the key`;
    const value = readFileSync(ref.file, 'utf8').trim();
    return value === '' ? `${ref.file} is empty; put the key into it` : unfit(value, ref.file);
  } catch (error) {
    return `${ref.file} ${why(error)}`;
  }
}

/** A header must be one line of visible text. */
function unfit(value: string, where: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(value) ? undefined : `${where} holds more than one word or a character that no header can have; it must hold only the key`;
}
