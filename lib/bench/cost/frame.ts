import { gzipSync } from 'node:zlib';
import { createDetector } from '@/lib/detector/detector';
import { dialectOf } from '@/lib/dialects/recognise';
import { type Config, DEFAULTS } from '@/lib/model/config';
import type { Snapshot } from '@/lib/model/snapshot';
import { type Json, pack } from '@/lib/packed';
import { fleet } from './fleet';

const WEDGED_FROM_S = 300;
const LOOKED_AT_S = 420;
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
    proves: (target, path) => dialectOf(target.kind)?.health.find((health) => health.path === path)?.proves ?? 'An HTTP answer, nothing more.',
  });
}

/** Bytes of one frame: 12 targets, 4 of them front-ends with full strips, two minutes into a wedge of all decodes; and who has the largest share. */
export function tellFrame(): void {
  const detector = detectorFor(1);
  const { second, targets } = fleet({ stacks: 1, frontEnds: 4, pairs: 4, wedgedFromS: WEDGED_FROM_S });
  for (let s = 0; s <= LOOKED_AT_S; s++) for (const observation of second(s)) detector.step(observation);
  const snapshot = detector.snapshot();
  if (snapshot === undefined) throw new Error('the detector shows nothing');
  const json = JSON.stringify(snapshot);
  const packed = JSON.stringify(pack(JSON.parse(json) as Json));
  const strips = snapshot.stacks[0]?.nodes.filter((node) => node.strip.length > 0).map((node) => node.strip.length);
  console.log(`Frame of ${targets} targets in a wedge ("${snapshot.stacks[0]?.sentence}"; strips of ${strips?.join(', ')}):`);
  console.log(
    `  ${packed.length} bytes as a tab gets it (packed), ${gzipSync(packed).length} as gzip; goal <= ${GOAL} bytes: ${packed.length <= GOAL ? 'met' : 'not met'}`,
  );
  console.log(`  ${json.length} bytes as plain JSON, ${gzipSync(json).length} as gzip; shares of the plain one:`);
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
