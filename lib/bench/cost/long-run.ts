import { fleet } from './fleet';
import { detectorFor } from './frame';

/** Told seconds to run, and at how many of them to look. */
export type LongRunStart = { stacks: number; seconds: number; points: number };
export type FromLongRun = { second: number; heapMiB: number; cpuMs: number; frameBytes: number };

const { stacks, seconds, points } = JSON.parse(process.argv[2] ?? '{}') as LongRunStart;
const MIB = 1024 ** 2;
// All decodes stand from the middle on: hung chats and incidents are kept longest. Chats and ticks are rarer than in life, for the sake of time:
// what is kept is bounded by number, and is full after 64 chats and 180 scrapes.
const { second } = fleet({ stacks, frontEnds: 2, pairs: 4, wedgedFromS: seconds / 2, chatEveryS: 60, tickEveryS: 5 });
const detector = detectorFor(stacks);
const every = seconds / points;
let from = process.cpuUsage();
for (let s = 0; s <= seconds; s++) {
  for (const observation of second(s)) detector.step(observation);
  if (s === 0 || s % every !== 0) continue;
  const { user, system } = process.cpuUsage(from);
  globalThis.gc?.();
  process.send?.({
    second: s,
    heapMiB: process.memoryUsage().heapUsed / MIB,
    cpuMs: (user + system) / 1000 / every,
    frameBytes: JSON.stringify(detector.snapshot()).length,
  } satisfies FromLongRun);
  from = process.cpuUsage();
}
setInterval(() => undefined, 60_000);
