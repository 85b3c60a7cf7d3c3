import type { Sample, SampleSource, SeriesName } from '@/lib/model/sample';
import type { Labels, Line } from './prometheus-text';

/** How one exported name becomes a canonical series. */
export type Mapping = {
  name: SeriesName;
  /** Discriminator from the labels; undefined leaves the line out. */
  by?: (labels: Labels) => string | undefined;
  /** Keeps only the lines for which it holds. */
  only?: (labels: Labels) => boolean;
  /** Of two exported names for one series the lower preference wins. */
  preference?: number;
};

/** What a dialect knows of a page: exported sample name -> mapping. */
export type Mappings = ReadonlyMap<string, Mapping>;

/** Which labels carry the ranks of an engine. */
export type Ranks = { rank: string; replicas: readonly string[] };

/** A hostile page may hold a label value per line; 128 ranks with all that we read stay below this. */
const MAX_SAMPLES = 5000;

type Cell = { sample: Sample; replica: string; preference: number };

/**
 * Folds lines into canonical samples: replicas of one number (TP, PP ranks) are never added, the lowest stands for all;
 * what else differs (streaming or not, handler, category) is added. NaN and Inf have no sample.
 */
export function canonical(lines: readonly Line[], mappings: Mappings, source: SampleSource, ranks: Ranks, ownPrefix: string): Sample[] {
  const cells = new Map<string, Cell>();
  for (const line of lines) {
    const mapping = mappings.get(line.name);
    if (mapping === undefined || !Number.isFinite(line.value) || mapping.only?.(line.labels) === false) continue;
    const by = mapping.by?.(line.labels);
    if (mapping.by !== undefined && by === undefined) continue;
    const rank = line.labels[ranks.rank];
    const cell: Cell = {
      sample: {
        name: mapping.name,
        value: line.value,
        source,
        ...(rank === undefined || rank === '' ? {} : { rank: own(rank) }),
        ...(by === undefined ? {} : { by: own(by) }),
        ...(line.name === ownPrefix + mapping.name ? {} : { alias: own(line.name) }),
      },
      replica: replicaOf(line.labels, ranks.replicas),
      preference: mapping.preference ?? 0,
    };
    fold(cells, cell);
  }
  return [...cells.values()].map((cell) => cell.sample);
}

function fold(cells: Map<string, Cell>, cell: Cell): void {
  const key = `${cell.sample.name}\n${cell.sample.rank ?? ''}\n${cell.sample.by ?? ''}`;
  const before = cells.get(key);
  if (before === undefined && cells.size >= MAX_SAMPLES) return;
  if (before === undefined || cell.preference < before.preference) cells.set(key, cell);
  else if (cell.preference > before.preference || (cell.sample.alias ?? '') !== (before.sample.alias ?? '')) return;
  else if (cell.replica < before.replica) cells.set(key, cell);
  else if (cell.replica === before.replica) before.sample.value += cell.sample.value;
}

function replicaOf(labels: Labels, replicas: readonly string[]): string {
  return replicas.map((label) => (labels[label] ?? '').padStart(4, '0')).join();
}

/** A copy that does not keep the whole page in memory: V8's substrings point into their parent. */
function own(text: string): string {
  return ` ${text}`.slice(1);
}
