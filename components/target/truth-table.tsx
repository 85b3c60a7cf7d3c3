'use client';

import { cut, duration, elapsed } from '@/lib/format';
import type { ClaimView, NodeView, StackView } from '@/lib/model/snapshot';
import { Panel } from '../ui/panel';
import { type Column, Table } from '../ui/table';
import { ViewLink } from '../ui/view-link';

type Row = ClaimView & { node: Pick<NodeView, 'id' | 'name'>; by?: string; proves?: string };

/** Every health URL of these nodes: what it says, what code says so, and what that green therefore proves. */
export function TruthTable({
  nodes,
  readings,
  now,
  namesNodes = false,
}: {
  nodes: readonly NodeView[];
  readings: StackView['readings'];
  now: number;
  namesNodes?: boolean;
}) {
  const rows = nodes.flatMap((node) =>
    (node.claims ?? []).map((claim): Row => {
      const reading = claim.reading === undefined ? undefined : readings?.[claim.reading];
      return { ...claim, node, ...(reading?.by ? { by: reading.by } : {}), ...(reading?.proves ? { proves: reading.proves } : {}) };
    }),
  );
  const state = rows.length === 0 ? ({ kind: 'empty', why: 'No health URL has been asked yet.' } as const) : undefined;
  return (
    <Panel title="What each health answer proves" aside="a green is a claim; the probe is the proof" state={state}>
      <Table
        caption="Health URLs, their answers and what these prove"
        rows={rows}
        rowKey={(row) => `${row.node.id} ${row.path}`}
        columns={[...(namesNodes ? [NODE] : []), ...columns(now)]}
      />
    </Panel>
  );
}

const NODE: Column<Row> = {
  title: 'node',
  sort: (row) => row.node.name,
  cell: (row) => (
    <ViewLink path={`/targets/${encodeURIComponent(row.node.id)}`} className="inline-flex min-h-6 items-center font-semibold hover:underline">
      {cut(row.node.name, 60)}
    </ViewLink>
  ),
};

function columns(now: number): Column<Row>[] {
  return [
    { title: 'URL', sort: (row) => row.path, cell: (row) => <span className="font-mono text-xs wrap-anywhere">{row.path}</span> },
    {
      title: 'answer',
      sort: (row) => row.says,
      cell: (row) => <span className={row.says === 'up' || row.says === 'not asked' ? 'text-soft' : 'font-semibold'}>{answerWords(row)}</span>,
    },
    {
      title: 'took',
      sort: (row) => row.tookMs ?? -1,
      isNumber: true,
      isWide: true,
      cell: (row) => (row.tookMs === undefined ? <None /> : duration(row.tookMs)),
    },
    {
      title: 'asked',
      sort: (row) => row.at ?? 0,
      isNumber: true,
      isWide: true,
      cell: (row) => (row.at === undefined ? <None /> : <span className="text-soft">{elapsed(now - row.at)} ago</span>),
    },
    { title: 'answered by', isWide: true, cell: (row) => <p className="max-w-prose min-w-40 whitespace-normal">{row.by ?? <None />}</p> },
    {
      title: 'what that proves',
      cell: (row) => (
        <p className="max-w-prose min-w-32 whitespace-normal text-soft">{row.proves ?? (row.notAsked ? `Left alone: ${row.notAsked}.` : 'Nothing yet.')}</p>
      ),
    },
  ];
}

function answerWords({ status, says }: Row): string {
  if (says === 'up') return `${status ?? 200}`;
  return status === undefined ? says : `${status} ${says}`;
}

function None() {
  return <span className="text-faint">–</span>;
}
