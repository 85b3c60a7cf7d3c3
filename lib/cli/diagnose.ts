import { realClock } from '@/lib/io/clock';
import { HELP, readArgs } from './diagnose/args';
import { EXIT_OURS, EXIT_USAGE } from './diagnose/diagnosis';
import { memoryFile, memoryIn } from './diagnose/memory';
import { teller } from './diagnose/progress';
import { diagnose } from './diagnose/run';
import { written } from './diagnose/words';

/** `npm run diagnose`: reads the command line, runs, writes, and answers the exit code. */
export async function main(): Promise<number> {
  const read = readArgs(process.argv.slice(2), { env: process.env, cwd: process.env.INIT_CWD ?? process.cwd() });
  if ('help' in read) return said(HELP, 0);
  if ('wrong' in read) {
    process.stderr.write(`diagnose: ${read.wrong}\n"npm run diagnose -- --help" tells the options.\n`);
    return EXIT_USAGE;
  }
  const stop = new AbortController();
  // the collector's clock keeps nobody alive
  setInterval(() => {}, 60_000);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const clock = realClock();
  const progress = teller(process.stderr);
  try {
    const diagnosis = await diagnose(read.options, clock, memoryIn(memoryFile(process.env), clock.now, read.options.again), progress.tell, stop.signal);
    progress.end();
    return said(written(diagnosis, read.options.form, { isColoured: process.stdout.isTTY && !process.env.NO_COLOR }), diagnosis.exitCode);
  } catch (error) {
    progress.end();
    process.stderr.write(`diagnose: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT_OURS;
  }
}

/** All of it is written before the process may end. */
function said(text: string, code: number): Promise<number> {
  return new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve(code)));
}
