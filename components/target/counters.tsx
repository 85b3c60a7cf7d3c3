'use client';

import { count, cut, elapsed } from '@/lib/format';
import type { NodeView, ValueView } from '@/lib/model/snapshot';
import { Num } from '../ui/number';
import { Panel } from '../ui/panel';
import { type Column, Table } from '../ui/table';

/** Every value of one node: what it is called there, where it was read, how old it is and how long it has stood. */
export function Counters({ node }: { node: NodeView }) {
  const state = node.values.length === 0 ? ({ kind: 'empty', why: why(node) } as const) : undefined;
  return (
    <Panel title="Counters" aside={state ? undefined : `${node.values.length} series; hatched values are old or written by nobody any more`} state={state}>
      <Table caption={`Counters of ${node.name}`} rows={node.values} rowKey={(value) => `${value.source} ${value.key}`} columns={COLUMNS} />
    </Panel>
  );
}

const COLUMNS: Column<ValueView>[] = [
  { title: 'series', sort: (value) => value.key, cell: (value) => <span className="font-mono text-xs">{cut(value.key, 120)}</span> },
  {
    title: 'value',
    sort: (value) => value.v ?? -1,
    isNumber: true,
    cell: (value) => (
      <span className={`font-semibold ${value.stale ? 'hatched px-1' : ''}`}>
        {value.v === null ? (
          count(value.v)
        ) : (
          <Num text={String(value.v)} isInTable>
            {count(value.v)}
          </Num>
        )}
      </span>
    ),
  },
  {
    title: 'read',
    sort: (value) => value.ageMs,
    isNumber: true,
    cell: (value) => <span className={value.stale ? 'font-semibold' : 'text-soft'}>{elapsed(value.ageMs)} ago</span>,
  },
  {
    title: 'stands since',
    sort: (value) => value.stillMs ?? -1,
    isNumber: true,
    cell: (value) =>
      value.stillMs === undefined ? (
        <span className="text-faint">–</span>
      ) : (
        <span className={value.stale ? 'font-semibold' : 'text-soft'}>{elapsed(value.stillMs)}</span>
      ),
  },
  { title: 'from', sort: (value) => value.source, cell: (value) => <span className="text-soft">{value.source}</span>, isWide: true },
  { title: 'exported as', cell: (value) => <span className="font-mono text-xs text-soft">{cut(value.alias ?? '', 120)}</span>, isWide: true },
];

function why(node: NodeView): string {
  if (node.pages.length === 0 && node.kind === 'mini-lb') return 'mini_lb counts nothing. What it does shows in its probes.';
  if (node.pages.length === 0 && node.kind === 'vllm-proxy') return 'This proxy counts nothing. What it does shows in its probes.';
  if (node.pages.length === 0 && node.kind === 'openai') return 'Nothing is known of the counters of this software. What it does shows in its probes.';
  const page = node.pages.find((one) => one.outcome !== 'ok');
  if (!page) return 'Nothing has been read yet.';
  if (page.outcome === 'not-exported') return METRICS_OFF[node.kind] ?? 'It exports no metrics page that we know. What it does shows in its probes.';
  return `Its ${page.source} page could not be read: ${page.outcome}${page.detail ? `, ${cut(page.detail, 200)}` : ''}. That says nothing about the server's work.`;
}

/** Which flag turns the numbers on, by software. */
const METRICS_OFF: Partial<Record<NodeView['kind'], string>> = {
  sglang: 'This engine exports no metrics page: not available, which is not zero. Start it with --enable-metrics.',
  'sglang-router': 'This gateway exports no metrics page where it was looked for. Start it with --prometheus-port.',
  vllm: 'This engine exports no metrics. vLLM does by itself, unless it was started with --disable-log-stats.',
};
