import './node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installed, ROOT } from './ready.mjs';
import { command } from './say.mjs';

// In this very process, so that Ctrl-C and the exit code need no messenger.
command(async () => {
  await installed();
  process.env.TSX_TSCONFIG_PATH = join(ROOT, 'tsconfig.json');
  const { register } = await import('tsx/esm/api');
  register();
  const { main } = await import(pathToFileURL(join(ROOT, 'lib/cli/diagnose.ts')).href);
  // a resolver that is silent holds a thread, and the process with it
  process.exit(await main());
});
