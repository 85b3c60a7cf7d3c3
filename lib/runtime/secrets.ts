import { headersFor, secretsIn } from '@/lib/collector/secrets';
import { hider } from '@/lib/io/hide';
import type { Config } from '@/lib/model/config';

/** Takes every secret of the configuration out of a text, as it is and as JSON writes it. Read anew each time, since a key may have been rotated. */
export function withoutSecretsOf(config: Config): (text: string) => string {
  return (text) => {
    const targets = config.stacks.flatMap((stack) => stack.targets);
    const secrets = [...targets.flatMap((target) => secretsIn(headersOf(target))), ...secretsIn(config.webhook?.headers ?? {}), ...urlSecrets(config)];
    return hider(secrets.flatMap((each) => [each, JSON.stringify(each).slice(1, -1)]))(text);
  };
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
