import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { children } from '@/lib/cli/children.mjs';
import { compare } from './cost/compare';
import { watching } from './cost/watching';

/** `npm run bench:collect [-- --targets N --every MS --rounds N --seconds S] [-- --watch --seconds S]` */
const { values } = parseArgs({
  options: {
    targets: { type: 'string', default: '100' },
    every: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string' },
    watch: { type: 'boolean', default: false },
    'cpu-prof': { type: 'string' },
  },
});

const dir = mkdtempSync(join(tmpdir(), 'wedgewatch-bench-'));
try {
  if (values.watch) await watching({ seconds: Number(values.seconds ?? 60), dir });
  else {
    const profile = values['cpu-prof'];
    const options = { count: Number(values.targets), everyMs: Number(values.every), rounds: Number(values.rounds), roundSeconds: Number(values.seconds ?? 12) };
    await compare({ ...options, dir, ...(profile === undefined ? {} : { profile }) });
  }
} finally {
  await children.stopAll();
  rmSync(dir, { recursive: true, force: true });
}
