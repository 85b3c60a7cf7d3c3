import { gzipSync } from 'node:zlib';
import { createDetector } from '@/lib/detector/detector';
import { software } from '@/lib/dialects/software';
import { type Config, DEFAULTS } from '@/lib/model/config';
import type { Snapshot } from '@/lib/model/snapshot';
import { type FrameForm, frameKeeper } from '@/lib/runtime/frames';
import { fleet } from './fleet';

const WEDGED_FROM_S = 300;
const LOOKED_AT_S = 420;
const LASTS_S = 60;
const GOAL = 20_000;
const SHOWN = 18;

/** A detector that judges as in the product. */
export function detectorFor(stacks: number) {
  const config = {
    ...DEFAULTS,
    scrape: { ...DEFAULTS.scrape },
    stacks: Array.from({ length: stacks }, (_, index) => ({ id: `stack-${index}`, name: `stack-${index}`, targets: [] })),
    source: 'the bench',
    timeScale: 1,
  } satisfies Config;
  return createDetector({
    config,
    build: 'bench',
    software,
  });
}

/** Bytes of what a tab gets each second: 12 targets, 4 of them front-ends with full strips, two minutes into a wedge of all decodes; and who has the largest share. */
export function tellFrame(): void {
  const detector = detectorFor(1);
  const { second, targets } = fleet({ stacks: 1, frontEnds: 4, pairs: 4, wedgedFromS: WEDGED_FROM_S });
  const frames = frameKeeper();
  const tabs = { plain: [] as Uint8Array[], packed: [] as Uint8Array[] } satisfies Record<FrameForm, Uint8Array[]>;
  for (let s = 0; s <= LOOKED_AT_S; s++) {
    for (const observation of second(s)) detector.step(observation);
    if (s < LOOKED_AT_S - LASTS_S) continue;
    frames.take(JSON.stringify(detector.snapshot()));
    if (s > LOOKED_AT_S - LASTS_S) continue;
    for (const form of ['plain', 'packed'] as const) frames.subscribe({ frame: (bytes) => tabs[form].push(bytes) > 0, closed() {} }, form);
  }
  const snapshot = frames.snapshot();
  if (snapshot === undefined) throw new Error('the detector shows nothing');
  const [whole, ...changes] = tabs.packed;
  const sizes = changes.map((each) => each.length).sort((a, b) => a - b);
  const most = sizes.at(-1) ?? 0;
  const plain = tabs.plain.at(-1) ?? new Uint8Array();
  const strips = snapshot.stacks[0]?.nodes.filter((node) => node.strip.length > 0).map((node) => node.strip.length);
  console.log(`Frames of ${targets} targets in a wedge ("${snapshot.stacks[0]?.sentence}"; strips of ${strips?.join(', ')}):`);
  console.log(
    `  as a tab gets them, each second what changed: ${sizes[Math.floor(sizes.length / 2)]} bytes at the median, ${most} at most over ${LASTS_S} s; goal <= ${GOAL} bytes: ${most <= GOAL ? 'met' : 'not met'}`,
  );
  console.log(`  the first of a connection, whole: ${whole?.length} bytes packed`);
  console.log(`  ${plain.length} bytes as plain JSON, ${gzipSync(plain).length} as gzip; shares of the plain one:`);
  for (const [path, bytes] of shares(snapshot).slice(0, SHOWN)) console.log(`  ${String(bytes).padStart(6)}  ${path}`);
}

/** Bytes by field, largest first; what an array holds counts for the array's field. */
function shares(snapshot: Snapshot): [string, number][] {
  const bytes = new Map<string, number>();
  const walk = (path: string, value: unknown) => {
    if (Array.isArray(value)) for (const each of value) walk(path, each);
    else if (value !== null && typeof value === 'object') for (const [key, each] of Object.entries(value)) walk(path === '' ? key : `${path}.${key}`, each);
    if (path !== '') bytes.set(path, (bytes.get(path) ?? 0) + (Array.isArray(value) ? 0 : JSON.stringify(value ?? '').length + 1 + nameBytes(path)));
  };
  walk('', snapshot);
  return [...bytes].sort(([, a], [, b]) => b - a);
}

function nameBytes(path: string): number {
  return path.length - path.lastIndexOf('.') + 2;
}
