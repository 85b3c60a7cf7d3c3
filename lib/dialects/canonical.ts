import type { Sample, SampleSource, SeriesName } from '@/lib/model/sample';
import { type Labels, type Line, own } from './prometheus-text';

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

/** Where a line of these labels goes, its value aside. */
type Place = { sample: Omit<Sample, 'value'>; key: string; replica: string; preference: number };
type Cell = { place: Place; value: number };

/** Places by the labels of lines that come again; see the parser's own memo. Of use for one dialect's mappings and ranks only. */
export type Places = WeakMap<Labels, Place | 'nowhere'>;

/**
 * Folds lines into canonical samples: replicas of one number (TP, PP ranks) are never added, the lowest stands for all;
 * what else differs (streaming or not, handler, category) is added. NaN and Inf have no sample.
 */
export function canonical(lines: readonly Line[], mappings: Mappings, source: SampleSource, ranks: Ranks, ownPrefix: string, places?: Places): Sample[] {
  const cells = new Map<string, Cell>();
  for (const line of lines) {
    if (!Number.isFinite(line.value)) continue;
    const known = places?.get(line.labels);
    const place = known ?? placeOf(line, mappings, source, ranks, ownPrefix);
    if (known === undefined) places?.set(line.labels, place);
    if (place !== 'nowhere') fold(cells, { place, value: line.value });
  }
  return [...cells.values()].map(({ place, value }) => ({ ...place.sample, value }));
}

function placeOf(line: Line, mappings: Mappings, source: SampleSource, ranks: Ranks, ownPrefix: string): Place | 'nowhere' {
  const mapping = mappings.get(line.name);
  if (mapping === undefined || mapping.only?.(line.labels) === false) return 'nowhere';
  const by = mapping.by?.(line.labels);
  if (mapping.by !== undefined && by === undefined) return 'nowhere';
  const said = line.labels[ranks.rank] ?? '';
  // a rank that is no small number is none: each new one would be a series for ever
  const rank = /^\d{1,3}$/.test(said) ? said : '';
  return {
    sample: {
      name: mapping.name,
      source,
      ...(rank === '' ? {} : { rank: own(rank) }),
      ...(by === undefined ? {} : { by: own(by) }),
      ...(line.name === ownPrefix + mapping.name ? {} : { alias: own(line.name) }),
    },
    key: `${mapping.name}\n${rank}\n${by ?? ''}`,
    replica: replicaOf(line.labels, ranks.replicas),
    preference: mapping.preference ?? 0,
  };
}

function fold(cells: Map<string, Cell>, cell: Cell): void {
  const { key, preference, replica, sample } = cell.place;
  const before = cells.get(key);
  if (before === undefined && cells.size >= MAX_SAMPLES) return;
  if (before === undefined || preference < before.place.preference) cells.set(key, cell);
  else if (preference > before.place.preference || sample.alias !== before.place.sample.alias) return;
  else if (replica < before.place.replica) cells.set(key, cell);
  else if (replica === before.place.replica) before.value += cell.value;
}

function replicaOf(labels: Labels, replicas: readonly string[]): string {
  return replicas.map((label) => (labels[label] ?? '').padStart(4, '0')).join();
}
