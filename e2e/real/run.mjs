import '../../lib/cli/node-version.mjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, ROOT } from '../../lib/cli/ready.mjs';
import { runAloud } from '../../lib/cli/run.mjs';
import { command, say } from '../../lib/cli/say.mjs';
import { pythonWithRouter } from './python.mjs';

// The real gateway and the real mini_lb before simulated engines. Where they cannot be had this is skipped with its reason, but never in CI.
command(async () => {
  await installed();
  const { python, reason } = await pythonWithRouter();
  if (reason) return without(reason);
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--config', 'e2e/vitest.config.ts', ...(process.argv.length > 2 ? process.argv.slice(2) : []), 'e2e/real'];
  return runAloud('the real front-ends', process.execPath, args, { cwd: ROOT, env: { WEDGEWATCH_ROUTER_PYTHON: python } });
});

function without(reason) {
  const isCi = Boolean(process.env.CI);
  say(`${isCi ? 'failed' : 'skipped'}: ${reason}`);
  if (!isCi && process.env.WEDGEWATCH_REPORT) writeFileSync(process.env.WEDGEWATCH_REPORT, JSON.stringify({ skipped: reason }));
  return isCi ? 1 : 0;
}
