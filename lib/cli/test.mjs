import './node-version.mjs';
import { join } from 'node:path';
import { chromium } from './chromium.mjs';
import { built, DATA, folder, installed, npm, ROOT } from './ready.mjs';
import { runAloud } from './run.mjs';
import { command, say, took } from './say.mjs';
import { forget, table, tally } from './tally.mjs';

const SETTINGS_OF_THE_PRODUCT = [
  'WEDGEWATCH_CONFIG',
  'WEDGEWATCH_FOUND',
  'WEDGEWATCH_NO_PROBE',
  'WEDGEWATCH_LISTEN',
  'WEDGEWATCH_TIME_SCALE',
  'WEDGEWATCH_BENCH',
];

command(async () => {
  await installed();
  for (const name of SETTINGS_OF_THE_PRODUCT) delete process.env[name];
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  const reports = folder(join(DATA, 'reports'));
  const rows = [];
  const step = async (name, work) => {
    say(`\n--- ${name}`);
    const began = performance.now();
    const row = await work().catch((error) => ({ passed: 0, failed: 1, note: error.message }));
    rows.push({ name, ...row, took: took(began) });
  };
  const suite = (name, kind, env = {}) => runSuite(name, kind, join(reports, `${name.replace(':', '-')}.json`), env);

  await step('types', () => runScript('types'));
  await step('lint', () => runScript('lint'));
  await step('unit', () => suite('unit', 'vitest'));
  await step('build', async () => {
    await built();
    return { passed: 1, failed: 0 };
  });
  await step('integration', () => suite('integration', 'vitest'));
  const browser = await chromium();
  if (browser.path) say(`\nChromium: ${browser.path} (from ${browser.from})`);
  await step('e2e', async () =>
    browser.path ? suite('e2e', 'playwright', { WEDGEWATCH_CHROMIUM: browser.path }) : { passed: 0, failed: 1, note: browser.reason },
  );
  await step('test:real', () => suite('test:real', 'vitest'));

  const passed = sum(rows, 'passed');
  const failed = sum(rows, 'failed');
  say(`\n${table(rows)}\n`);
  say(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

async function runScript(name, args = [], env = {}) {
  const [file, lead] = npm();
  const code = await runAloud(name, file, [...lead, 'run', '--silent', name, ...(args.length > 0 ? ['--', ...args] : [])], { cwd: ROOT, env });
  return code === 0 ? { passed: 1, failed: 0, code } : { passed: 0, failed: 1, code, note: `exit code ${code}` };
}

/** Runs a suite that leaves a report of its tests. A suite that ends badly without a failed test counts as one failure. */
async function runSuite(name, kind, report, env) {
  forget(report);
  const args = kind === 'vitest' ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : [];
  const { code } = await runScript(name, args, { WEDGEWATCH_REPORT: report, ...env });
  return tally(report, kind, code);
}

function sum(rows, key) {
  return rows.reduce((total, row) => total + row[key], 0);
}
