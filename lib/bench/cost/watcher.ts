import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import type { Config } from '@/lib/model/config';
import type { Snapshot } from '@/lib/model/snapshot';
import type { FromWorker, WorkerStart } from '@/lib/worker';

/** The product's own worker thread (collector, detector, store) in a process that does nothing else but take its frames. */
export type WatcherStart = { config: Config; worker: string };
export type FromWatcher = { frames: number; bytes: number; packedBytes: number; sentence: string; verdicts: string[] };

const { config, worker } = JSON.parse(process.argv[2] ?? '{}') as WatcherStart;
let frames = 0;
let last = '';
const thread = new Worker(worker, { workerData: { config, build: 'bench', restarts: 0 } satisfies WorkerStart });
thread.on('message', (message: FromWorker) => {
  if (message.kind !== 'frame') return;
  frames += 1;
  last = message.json;
  if (frames === 1) process.send?.(told());
});
thread.on('error', (error) => {
  throw error;
});
process.on('message', () => process.send?.(told()));

function told(): FromWatcher {
  const stack = (JSON.parse(last) as Snapshot).stacks[0];
  return {
    frames,
    bytes: Buffer.byteLength(last),
    packedBytes: gzipSync(last).length,
    sentence: stack?.sentence ?? '',
    verdicts: stack?.nodes.map((node) => `${node.name} ${node.judgement.verdict}`) ?? [],
  };
}
