'use client';

import { elapsed, hostPort } from '@/lib/format';
import type { NodeView } from '@/lib/model/snapshot';
import { VERDICTS } from '@/lib/model/verdict';
import { Panel } from '../ui/panel';
import { type Column, Table } from '../ui/table';
import { Time } from '../ui/time';
import { VerdictBadge } from '../ui/verdict-badge';
import { ViewLink } from '../ui/view-link';
import { healthWords, provenWords, queuesOf } from './facts';
import { inOrder, ROLES } from './layout';

/** The map's equal: the same nodes with the same words, sortable. */
export function NodeTable({ nodes, now }: { nodes: readonly NodeView[]; now: number }) {
  return (
    <Panel title="Nodes" aside={`${nodes.length} in this stack`}>
      <Table caption="Nodes of this stack" rows={inOrder(nodes)} rowKey={(node) => node.id} columns={columns(now)} />
    </Panel>
  );
}

function columns(now: number): Column<NodeView>[] {
  return [
    {
      title: 'node',
      sort: (node) => node.name,
      cell: (node) => (
        <ViewLink path={`/targets/${encodeURIComponent(node.id)}`} className="inline-flex min-h-6 items-center font-semibold hover:underline">
          {node.name}
        </ViewLink>
      ),
    },
    { title: 'address', sort: (node) => node.url, cell: (node) => <span className="text-soft">{hostPort(node.url)}</span>, isWide: true },
    { title: 'role', sort: (node) => ROLES.indexOf(node.role), cell: (node) => node.role, isWide: true },
    {
      title: 'verdict',
      sort: (node) => VERDICTS.indexOf(node.judgement.verdict),
      cell: (node) => <VerdictBadge verdict={node.judgement.verdict} freshness={node.judgement.freshness} detail={node.judgement.detail} />,
    },
    {
      title: 'since',
      sort: (node) => node.judgement.since,
      cell: (node) => (
        <>
          <Time at={node.judgement.since} />
          {node.judgement.verdict === 'ok' ? null : ` (${elapsed(now - node.judgement.since)})`}
        </>
      ),
    },
    { title: 'health says', sort: healthWords, cell: healthWords },
    { title: 'probe proves', sort: (node) => provenWords(node, now), cell: (node) => provenWords(node, now) || <span className="text-faint">not probed</span> },
    {
      title: 'queues',
      cell: (node) =>
        queuesOf(node)
          .map(([label, value]) => `${label} ${value}`)
          .join(', ') || <span className="text-faint">none of its own</span>,
      isWide: true,
    },
    {
      title: 'software',
      sort: (node) => node.kind,
      cell: (node) => <span className="text-soft">{[node.kind, node.version].filter(Boolean).join(' ')}</span>,
      isWide: true,
    },
    { title: 'known by', cell: (node) => <span className="text-soft">{node.known.join(', ')}</span>, isWide: true },
  ];
}
