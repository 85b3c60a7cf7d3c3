import { readable } from '@/lib/model/foreign';

/** What stands in the place of a secret. */
export const REDACTED = 'REDACTED';

const SECRET_KEY = /(^|[_-])(keys?|keyfile_password|password|passwd|secret|token|authorization|cookie|credentials?)(_b)?$/i;
const SECRET_FLAG = /^--?[\w-]*(api[-_]?keys?|token|password|secret|authorization)$/i;
const MAX_DEPTH = 12;

/** A foreign payload with every secret replaced, before anything else is done with it. SGLang's `/server_info` tells keys twice: as fields and inside `launch_command`. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '...';
  if (Array.isArray(value)) return value.map((entry) => redact(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, SECRET_KEY.test(key) && typeof entry === 'string' ? REDACTED : redact(entry, depth + 1)]),
  );
}

/** Text with keys behind flags, bearer tokens and credentials in URLs replaced. */
export function redactText(text: string): string {
  return text
    .replace(
      /(?<![\w-])(--?[\w-]{0,60}?(?:api[-_]?keys?|token|password|secret|authorization))(\s{0,9}=\s{0,9}|\s{1,9})("[^"\n]{0,4096}"|'[^'\n]{0,4096}'|\S+)/gi,
      `$1$2${REDACTED}`,
    )
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{4,}/gi, `$1 ${REDACTED}`)
    .replace(/(\bhttps?:\/\/)[^\s/]*@/gi, `$1${REDACTED}@`)
    .replace(/\b(api[-_]?key|x-api-key|access[-_]?token)(["']?\s*[:=]\s*["']?)(?!["'\s])[^\s"',&}]+/gi, `$1$2${REDACTED}`);
}

/** A command line for showing. Values of secret flags are replaced word by word first, since a word may hold blanks. */
export function redactArgv(argv: readonly string[]): string {
  let isSecret = false;
  const shown = argv.map((word) => {
    if (word.startsWith('--')) isSecret = SECRET_FLAG.test(word);
    else if (isSecret) return REDACTED;
    return word;
  });
  return readable(redactText(shown.join(' '))).slice(0, 2000);
}
