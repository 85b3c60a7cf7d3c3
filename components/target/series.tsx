'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useHash } from '@/lib/client/hash';
import { seriesAt, seriesWindow } from '@/lib/client/queries';
import { rates, summed } from '@/lib/client/series';
import { useTravel } from '@/lib/client/travel';
import { count, cut, elapsed } from '@/lib/format';
import type { NodeView, StackView } from '@/lib/model/snapshot';
import { ChartFrame, SharedCursor } from '../ui/chart-frame';
import { Panel } from '../ui/panel';
import { type Column, Table } from '../ui/table';
import { type SeriesRow, seriesRows } from './series-rows';

/** Every series of a node: under which name it was found, which are not exported by this build, and how old each value is. One that the address names is drawn. */
export function AllSeries({ node, exports, now }: { node: NodeView; exports: StackView['exports']; now: number }) {
  const table = node.exports === undefined ? undefined : exports?.[node.exports];
  const read = useQuery({ ...seriesAt(node.id, now), enabled: table !== undefined });
  const picked = useHash();
  if (!table) return null;
  const rows = seriesRows(node, table, read.data?.series ?? []);
  const one = rows.find((row) => row.key === picked && row.state !== 'not exported');
  const missing = rows.filter((row) => row.state === 'not exported').length;
  return (
    <Panel
      title="Every series, and under which name"
      aside={`${rows.length - missing} found, ${missing} not exported by this build; hatched: the last word of a scheduler that stands`}
    >
      {one ? <Drawn node={node.id} row={one} /> : null}
      <Table caption={`All series of ${node.name}`} rows={rows} rowKey={(row) => `${row.state} ${row.key}`} rowId={(row) => row.key} columns={columns(now)} />
    </Panel>
  );
}

/** The series that somebody has come for, over time. */
function Drawn({ node, row }: { node: string; row: SeriesRow }) {
  const place = useRef<HTMLDivElement>(null);
  const travel = useTravel(10_000);
  const { range } = travel;
  const query = useQuery(seriesWindow({ targets: [node], names: [row.meaning], spanMs: range.to - range.from, to: range.isLive ? undefined : range.to }));
  const mine = (query.data?.series ?? []).filter((each) => each.key === row.key);
  const isCounter = row.meaning.endsWith('_total') || row.meaning.endsWith('_count');
  useEffect(() => {
    // The browser has looked for the place before it was there.
    void place.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div ref={place} className="mb-3 max-w-3xl scroll-mt-20">
      <SharedCursor travel={travel}>
        <ChartFrame
          title={row.key}
          unit={isCounter ? 'per second' : 'as read'}
          isLoading={query.data === undefined}
          lines={[summed(row.key, row.meaning, isCounter ? mine.map(rates) : mine)]}
          from={query.data?.from ?? range.from}
          to={query.data?.to ?? range.to}
          stepMs={query.data?.stepMs ?? 10_000}
          bands={NO_BANDS}
        />
      </SharedCursor>
    </div>
  );
}

const NO_BANDS: never[] = [];

function columns(now: number): Column<SeriesRow>[] {
  return [
    {
      title: 'series',
      sort: (row) => row.key,
      cell: (row) =>
        row.state === 'not exported' ? (
          <span className="font-mono text-xs text-faint">{row.meaning}</span>
        ) : (
          <a href={`#${encodeURIComponent(row.key)}`} title="Draw it over time" className="inline-flex min-h-6 items-center font-mono text-xs hover:underline">
            {cut(row.key, 120)}
          </a>
        ),
    },
    {
      title: 'value',
      sort: (row) => row.value ?? -1,
      isNumber: true,
      cell: (row) =>
        row.state === 'not exported' ? (
          <span className="text-faint">not exported</span>
        ) : (
          <span className={`font-semibold ${row.isLastWord || row.state === 'vanished' ? 'hatched px-1' : ''}`}>{count(row.value)}</span>
        ),
    },
    {
      title: 'read',
      sort: (row) => row.readAt ?? 0,
      isNumber: true,
      cell: (row) =>
        row.readAt === undefined ? (
          <span className="text-faint">–</span>
        ) : (
          <span className={row.state === 'vanished' ? 'font-semibold' : 'text-soft'}>
            {elapsed(now - row.readAt)} ago{row.state === 'vanished' ? ', gone since' : ''}
          </span>
        ),
    },
    { title: 'page', sort: (row) => row.page ?? '', cell: (row) => <span className="text-soft">{row.page ?? ''}</span>, isWide: true },
    {
      title: 'found as',
      sort: (row) => row.name ?? '',
      cell: (row) => <span className="font-mono text-xs text-soft">{cut(row.name ?? '', 120)}</span>,
      isWide: true,
    },
  ];
}
