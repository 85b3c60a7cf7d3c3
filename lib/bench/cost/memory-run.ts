import { join } from 'node:path';
import type { FromLongRun, LongRunStart } from './long-run';
import { built, loadSentence, pidOf, residentMiB, said, start } from './process';

const TARGETS_PER_STACK = 10;
const POINTS = 8;

/** Memory of a detector that is told of many targets over hours, in a process of its own that collects its garbage before each look. */
export async function memoryRun({ targets, hours }: { targets: number; hours: number }): Promise<void> {
  const from = await built('detector', ['bench/cost/long-run']);
  const stacks = Math.ceil(targets / TARGETS_PER_STACK);
  const child = start(join(from, 'bench/cost/long-run.mjs'), { stacks, seconds: hours * 3600, points: POINTS } satisfies LongRunStart, ['--expose-gc']);
  console.log(`\nDetector, ${stacks * TARGETS_PER_STACK} targets in ${stacks} stacks over ${hours} told hours:`);
  for (let point = 0; point < POINTS; point++) {
    const { second, heapMiB, cpuMs, frameBytes } = await said<FromLongRun>(child);
    const at = `${(second / 60).toFixed(0)} min`;
    console.log(
      `  ${at.padStart(8)}  heap ${heapMiB.toFixed(0)} MiB, RSS ${residentMiB(pidOf(child)).now.toFixed(0)} MiB, ${cpuMs.toFixed(1)} ms of CPU per told second, frame ${(frameBytes / 1000).toFixed(0)} kB   (${loadSentence()})`,
    );
  }
  child.kill('SIGTERM');
}
