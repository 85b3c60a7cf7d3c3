import type { Observation } from '@/lib/model/observation';
import { quantile } from '@/lib/stats';
import { fleet } from './fleet';
import { detectorFor } from './frame';
import { loadSentence } from './process';

const WARM_UP_S = 120;
const LASTS_S = 900;
const WEDGED_FROM_S = 600;

/** Microseconds of one step of the detector by what is observed, and of one snapshot; 12 targets, well for ten minutes and then in a wedge. */
export function tellSteps(): void {
  const detector = detectorFor(1);
  const { second, targets } = fleet({ stacks: 1, frontEnds: 4, pairs: 4, wedgedFromS: WEDGED_FROM_S });
  const took = new Map<string, number[]>();
  const timed = (name: string, work: () => void) => {
    const before = process.hrtime.bigint();
    work();
    const list = took.get(name) ?? [];
    took.set(name, list);
    list.push(Number(process.hrtime.bigint() - before) / 1000);
  };
  for (let s = 0; s < LASTS_S; s++) {
    const observations: Observation[] = [...second(s)];
    if (s < WARM_UP_S) for (const observation of observations) detector.step(observation);
    else {
      for (const observation of observations) timed(`step ${observation.kind}`, () => detector.step(observation));
      timed('snapshot', () => detector.snapshot());
    }
  }
  console.log(`Detector, ${targets} targets, ${LASTS_S - WARM_UP_S} told seconds (${loadSentence()}):`);
  const steps = [...took].filter(([name]) => name !== 'snapshot').flatMap(([, list]) => list);
  for (const [name, list] of [['any step', steps] as const, ...took]) console.log(`  ${line(name, list)}`);
  const total = [...took.values()].flat().reduce((sum, each) => sum + each, 0);
  console.log(`  in all ${(total / (LASTS_S - WARM_UP_S) / 1000).toFixed(2)} ms of a second`);
}

function line(name: string, list: readonly number[]): string {
  const told = (q: number) => (quantile(list, q) ?? Number.NaN).toFixed(1).padStart(8);
  return `${name.padEnd(14)} median ${told(0.5)} µs   p99 ${told(0.99)} µs   (${list.length})`;
}
