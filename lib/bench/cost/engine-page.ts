import { readFileSync } from 'node:fs';
import { prng } from '@/lib/simulator/prng';

/** A decode engine under load, from the project's root: sglang 0.5.23, seen running; 92 families, 724 samples, 106 kB. */
const RECORDED = 'lib/dialects/fixtures/sglang-0.5.23/pd/pd-decode-metrics-load.prom';
/** The recorded model was called `tiny`. With a name as served in production the page has the size that production pages have (about 130 kB). */
const MODEL = 'deepseek-ai/DeepSeek-V3.1-Terminus';

/** A page whose counters grow and whose gauges wander at each turn, as under load; what was zero stays zero. */
export type MovingPage = { families: number; samples: number; next(): string };

export function movingPage(seed: number): MovingPage {
  const recorded = readFileSync(RECORDED, 'utf8').replaceAll('model_name="tiny"', `model_name="${MODEL}"`);
  const random = prng(seed);
  const gauges = new Set([...recorded.matchAll(/^# TYPE (\S+) gauge$/gm)].map((match) => match[1]));
  const parts = recorded.split('\n').map((line) => partOf(line, gauges));
  const moving = parts.filter((part) => part.value !== undefined && part.value !== 0 && Number.isFinite(part.value));
  return {
    families: recorded.match(/^# TYPE /gm)?.length ?? 0,
    samples: parts.filter((part) => part.value !== undefined).length,
    next() {
      // Of one family all lines grow by the same share, so that buckets stay cumulative.
      const share = 0.001 + 0.001 * random.next();
      for (const part of moving) part.value = part.isGauge ? wandered(part, random.next()) : grown(part, share);
      return parts.map((part) => (part.value === undefined ? part.before : `${part.before} ${told(part.value, part.isWhole)}`)).join('\n');
    },
  };
}

type Part = { before: string; value?: number; first: number; isGauge: boolean; isWhole: boolean };

function partOf(line: string, gauges: ReadonlySet<string | undefined>): Part {
  const space = line.lastIndexOf(' ');
  if (line.startsWith('#') || space === -1) return { before: line, first: 0, isGauge: false, isWhole: false };
  const value = Number(line.slice(space + 1));
  const name = /^[^{ ]+/.exec(line)?.[0];
  return { before: line.slice(0, space), value, first: value, isGauge: gauges.has(name), isWhole: Number.isInteger(value) };
}

function wandered(part: Part, chance: number): number {
  const next = part.first * (0.5 + chance);
  return part.isWhole ? Math.max(1, Math.round(next)) : next;
}

function grown(part: Part, share: number): number {
  const next = (part.value ?? 0) + part.first * share;
  return part.isWhole ? Math.ceil(next) : next;
}

/** As Python prints a float. */
function told(value: number, isWhole: boolean): string {
  if (Number.isNaN(value)) return 'NaN';
  return isWhole && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
}
