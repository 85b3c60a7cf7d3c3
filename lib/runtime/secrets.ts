import { headersFor, secretsIn } from '@/lib/collector/secrets';
import { redactText } from '@/lib/dialects/redact';
import { hider } from '@/lib/io/hide';
import type { Config } from '@/lib/model/config';

/**
 * Takes out of all texts of a plain value what may not leave the house: every secret of the configuration, and what looks like one of others
 * (keys behind flags, bearer tokens, credentials in URLs). Keys are read anew each time, since they may have been rotated.
 */
export function withoutSecretsOf(config: Config): <T>(value: T) => T {
  return <T>(value: T) => {
    const targets = config.stacks.flatMap((stack) => stack.targets);
    const hide = hider([...targets.flatMap((target) => secretsIn(headersOf(target))), ...secretsIn(config.webhook?.headers ?? {}), ...urlSecrets(config)]);
    return cleaned(value, (text) => redactText(hide(text))) as T;
  };
}

function cleaned(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => cleaned(each, clean));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cleaned(each, clean)]));
}

/** A key that cannot be read now was not sent either; the written headers are still secret. */
function headersOf(target: Config['stacks'][number]['targets'][number]): Record<string, string> {
  try {
    return headersFor(target);
  } catch {
    return target.headers;
  }
}

/** The address of a webhook is its key. */
function urlSecrets({ webhook }: Config): string[] {
  return webhook === undefined ? [] : [webhook.url];
}
