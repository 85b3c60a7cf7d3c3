import { latest, type SeriesRange } from '@/lib/client/series';
import { HTTP_WRITTEN } from '@/lib/model/sample';
import type { ExportTable, NodeView } from '@/lib/model/snapshot';

/** One line of the table of all series: a meaning, what it is called where it was read, and the reading with its moment. `key` is the raw record's. */
export type SeriesRow = {
  key: string;
  meaning: string;
  name?: string;
  page?: string;
  value?: number;
  readAt?: number;
  state: 'read' | 'vanished' | 'not exported';
  /** Its writer stands: the last word, however often the page is read. */
  isLastWord?: true;
};

/**
 * All that a node exports and all that it does not. A value on a page was read when its page was, unless the page no longer holds it;
 * `read` are the readings of the last minute before the shown second, where they are at hand.
 */
export function seriesRows(node: Pick<NodeView, 'pages' | 'vanished' | 'stands'>, table: ExportTable, read: readonly SeriesRange[]): SeriesRow[] {
  const found = table.found.flatMap(([meaning, name, page]): SeriesRow[] => {
    const suffix = page === 'loads' ? '@loads' : '';
    const known = node.pages.find((each) => each.source === page);
    const readAt = known?.outcome === 'ok' ? known.at : known?.lastOk;
    const mine = read.filter((one) => one.name === meaning && one.key.endsWith('@loads') === (suffix !== ''));
    const isLastWord = node.stands === true && page === 'metrics' && !HTTP_WRITTEN.has(meaning);
    const base = { meaning, name, page, state: 'read' as const, ...(isLastWord ? { isLastWord } : {}), ...(readAt === undefined ? {} : { readAt }) };
    if (mine.length === 0) return [{ ...base, key: meaning + suffix }];
    return mine.map((one) => ({ ...base, key: one.key, ...lastOf(one) }));
  });
  const gone = new Map((node.vanished ?? []).map((each) => [each.key, each.at]));
  const here = found.map((row): SeriesRow => (gone.has(row.key) ? { ...row, state: 'vanished', readAt: gone.get(row.key) } : row));
  const missing = table.missing.map((meaning): SeriesRow => ({ key: meaning, meaning, state: 'not exported' }));
  return [...here, ...missing];
}

function lastOf(series: SeriesRange): { value?: number } {
  const value = latest(series);
  return value === undefined ? {} : { value };
}
