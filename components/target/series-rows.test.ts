import { describe, expect, it } from 'vitest';
import type { SeriesRange } from '@/lib/client/series';
import type { ExportTable, NodeView } from '@/lib/model/snapshot';
import { seriesRows } from './series-rows';

const AT = 1_800_000_000_000;
const table: ExportTable = {
  found: [
    ['num_running_reqs', 'sglang:num_running_reqs', 'metrics'],
    ['num_running_reqs', 'a field of /v1/loads', 'loads'],
    ['http_requests_active', 'sglang:http_requests_active', 'metrics'],
  ],
  missing: ['loads_age_seconds'],
};
const pages: NodeView['pages'] = [
  { source: 'metrics', outcome: 'timeout', at: AT, lastOk: AT - 25_000 },
  { source: 'loads', outcome: 'ok', at: AT - 2_000 },
];
const read = (key: string, name: string, last: number | null): SeriesRange => ({
  target: 'x',
  key,
  name,
  buckets: [{ at: AT - 30_000, min: last, max: last, last, count: 1 }],
});

describe('all series of a node', () => {
  it('are as old as the last good reading of their page', () => {
    const rows = seriesRows({ pages }, table, []);
    expect(rows.map(({ key, readAt }) => [key, readAt])).toEqual([
      ['num_running_reqs', AT - 25_000],
      ['num_running_reqs@loads', AT - 2_000],
      ['http_requests_active', AT - 25_000],
      ['loads_age_seconds', undefined],
    ]);
    expect(rows.at(-1)?.state).toBe('not exported');
  });

  it('show each label by itself, and a value that was not read is none', () => {
    const rows = seriesRows({ pages }, table, [
      read('http_requests_active{by=chat}', 'http_requests_active', 3),
      read('http_requests_active{by=health}', 'http_requests_active', 0),
      read('num_running_reqs', 'num_running_reqs', null),
    ]);
    expect(rows.map(({ key, value }) => [key, value])).toContainEqual(['http_requests_active{by=health}', 0]);
    expect(rows.find((row) => row.key === 'num_running_reqs')?.value).toBeUndefined();
  });

  it('mark what a standing scheduler wrote as its last word, and what the HTTP process writes as live', () => {
    const rows = seriesRows({ pages, stands: true }, table, []);
    expect(rows.filter((row) => row.isLastWord).map((row) => row.key)).toEqual(['num_running_reqs']);
  });

  it('tell of one that its page no longer holds', () => {
    const rows = seriesRows({ pages, vanished: [{ key: 'num_running_reqs', at: AT - 90_000 }] }, table, []);
    expect(rows[0]).toMatchObject({ state: 'vanished', readAt: AT - 90_000 });
  });
});
