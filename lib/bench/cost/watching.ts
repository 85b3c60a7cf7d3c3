import { join } from 'node:path';
import { DEFAULTS } from '@/lib/model/config';
import { isFrontEnd } from '@/lib/model/target';
import type { FromPageServer } from './page-server';
import { ask, built, cpuSeconds, loadSentence, pidOf, residentMiB, said, seconds, start } from './process';
import type { FromStackServer } from './stack-server';
import { watchConfig } from './watch-config';
import type { FromWatcher } from './watcher';

const WARM_UP_S = 30;
const CPU_GOAL = 5;
const MEMORY_GOAL = 250;
const SCENARIO = 'lib/bench/cost/twelve.yaml';

/** What it costs to watch 12 targets at the default intervals: the product's worker alone in a process, its chats and health calls to a simulated stack, its engines' pages of full size. */
export async function watching({ seconds: lasts, dir }: { seconds: number; dir: string }): Promise<void> {
  const from = await built('watch', ['worker', 'bench/cost/watcher', 'bench/cost/stack-server', 'bench/cost/page-server']);
  const { targets } = await said<FromStackServer>(start(join(from, 'bench/cost/stack-server.mjs'), { file: SCENARIO }));
  const engines = targets.filter((target) => !isFrontEnd(target));
  const pages = start(join(from, 'bench/cost/page-server.mjs'), { count: engines.length, everyMs: DEFAULTS.scrape.everyMs, gzip: true });
  const served = await said<Extract<FromPageServer, { ports: number[] }>>(pages);
  const urls = new Map(engines.map(({ name }, index) => [name, `http://127.0.0.1:${served.ports[index]}/metrics`]));
  const config = watchConfig(
    targets.map((target) => ({ ...target, ...(urls.has(target.name) ? { metricsUrl: urls.get(target.name) } : {}) })),
    join(dir, 'data'),
  );
  const watcher = start(join(from, 'bench/cost/watcher.mjs'), { config, worker: join(from, 'worker.mjs') });
  await said<FromWatcher>(watcher);
  console.log(
    `${targets.length} targets at the default intervals: ${targets.length - engines.length} front-ends, ${engines.length} engines with pages of ${(served.bytes / 1000).toFixed(0)} kB`,
  );
  await seconds(WARM_UP_S);
  const before = { cpu: cpuSeconds(pidOf(watcher)), at: performance.now(), frames: (await ask<FromWatcher>(watcher)).frames };
  await seconds(lasts);
  const used = cpuSeconds(pidOf(watcher)) - before.cpu;
  const over = (performance.now() - before.at) / 1000;
  const last = await ask<FromWatcher>(watcher);
  const { reads } = await ask<Extract<FromPageServer, { reads: unknown }>>(pages);
  const share = (100 * used) / over;
  const memory = residentMiB(pidOf(watcher));
  console.log(`  ${last.sentence} (${last.verdicts.join(', ')})`);
  console.log(`  ${last.frames - before.frames} frames in ${over.toFixed(0)} s, the last of ${last.bytes} bytes (${last.packedBytes} as gzip)`);
  console.log(`  engines' pages read so far: ${reads.wedgewatch ?? 0}`);
  console.log(
    `  CPU: ${used.toFixed(2)} s in ${over.toFixed(0)} s = ${share.toFixed(1)} % of one core; goal <= ${CPU_GOAL} %: ${met(share, CPU_GOAL)} (${loadSentence()})`,
  );
  console.log(`  RSS: ${memory.now.toFixed(0)} MiB (peak ${memory.peak.toFixed(0)}); goal <= ${MEMORY_GOAL}: ${met(memory.peak, MEMORY_GOAL)}`);
}

function met(value: number, goal: number): string {
  return value <= goal ? 'met' : 'not met';
}
