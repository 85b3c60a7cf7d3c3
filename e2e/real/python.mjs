import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DATA, ROOT } from '../../lib/cli/ready.mjs';
import { runQuietly } from '../../lib/cli/run.mjs';
import { tail } from '../../lib/cli/say.mjs';

const REQUIREMENTS = fileURLToPath(new URL('./requirements.txt', import.meta.url));
const VENV = join(DATA, 'venv');
const PYTHON_IN_VENV = join(VENV, 'bin', 'python');
const STAMP = join(VENV, 'wedgewatch-installed');
const ABOUT = 'import sys, venv; assert sys.version_info >= (3, 9), "it is older than 3.9"; print(sys.version.split()[0], sys.executable)';

/** A Python with the packages of requirements.txt in a virtual environment of ours, as `{ python }`; else `{ reason }` why it cannot be had here. */
export async function pythonWithRouter() {
  const system = process.env.WEDGEWATCH_PYTHON ?? 'python3';
  const about = await ask(system, ['-c', ABOUT]);
  if (about.failed)
    return { reason: `no usable Python 3.9 or newer as ${system} (${about.text.split('\n').pop()}); install one, or name it with WEDGEWATCH_PYTHON` };
  const wanted = `${about.text}\n${readFileSync(REQUIREMENTS, 'utf8')}`;
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return { python: PYTHON_IN_VENV };
  rmSync(VENV, { recursive: true, force: true });
  const failure =
    (await step('Making a Python environment', system, ['-m', 'venv', VENV])) ??
    (await step('Installing sglang-router', PYTHON_IN_VENV, [
      '-m',
      'pip',
      'install',
      '-q',
      '--disable-pip-version-check',
      '--only-binary',
      ':all:',
      '-r',
      REQUIREMENTS,
    ]));
  if (failure) return { reason: failure };
  writeFileSync(STAMP, wanted);
  return { python: PYTHON_IN_VENV };
}

async function step(title, file, args) {
  const log = join(DATA, 'logs', 'python.log');
  const { code } = await runQuietly(title, file, args, { cwd: ROOT, log });
  return code === 0 ? undefined : `${title.toLowerCase()} failed: ${tail(log, 3).replaceAll('\n', ' ')} (${log})`;
}

function ask(file, args) {
  return new Promise((resolve) =>
    execFile(file, args, { timeout: 30_000 }, (error, out, words) =>
      resolve(error ? { failed: true, text: (words || error.message).trim() } : { text: out.trim() }),
    ),
  );
}
