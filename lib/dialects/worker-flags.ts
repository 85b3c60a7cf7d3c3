import type { ListedWorker } from '@/lib/model/topology';
import { flagLists } from './argv';
import { webUrl } from './web-url';

/** `--prefill URL [BOOTSTRAP_PORT]`, `--decode URL`, `--worker-urls URL...`: every word that is a URL. */
export function workersOfFlags(argv: readonly string[]): ListedWorker[] {
  const roles = [
    ['--prefill', 'prefill'],
    ['--decode', 'decode'],
    ['--worker-urls', 'unified'],
  ] as const;
  return roles.flatMap(([name, role]) =>
    flagLists(argv, name)
      .flat()
      .map((word) => webUrl(word))
      .filter((url) => url !== undefined)
      .map((url) => ({ url, role })),
  );
}
