'use client';

import { elapsed } from '@/lib/format';
import type { CoverageOf, CoverageView, NodeView } from '@/lib/model/snapshot';
import { Panel } from '../ui/panel';
import { type Column, Table } from '../ui/table';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';

type Row = CoverageOf & { key: string; what: string; kind: 'rank' | 'engine' | 'pair'; node: string };

/** Which ranks and which pairs have proved lately that they answer: what no probe has passed through is not known to be well. */
export function Coverage({ coverage, nodes, now }: { coverage: CoverageView | undefined; nodes: readonly Pick<NodeView, 'id' | 'name'>[]; now: number }) {
  if (!coverage) return null;
  const rows = rowsOf(coverage, (id) => nodes.find((node) => node.id === id)?.name ?? id);
  const answered = rows.filter((row) => row.is === 'answered').length;
  return (
    <Panel title={`Who gave a good answer within ${elapsed(coverage.withinMs)}`} aside={`${answered} of ${rows.length} did`}>
      <Table caption="Ranks and prefill-decode pairs with their last good answer" rows={rows} rowKey={(row) => row.key} columns={columns(now)} />
      {coverage.more ? <p className="pt-1 text-2xs text-faint">and {coverage.more} more pairs</p> : null}
    </Panel>
  );
}

function rowsOf(coverage: CoverageView, name: (id: string) => string): Row[] {
  return [
    ...coverage.ranks.map(
      (of): Row => ({
        ...of,
        key: `${of.target}#${of.rank ?? ''}`,
        what: `${name(of.target)}${of.rank === undefined ? '' : ` rank ${of.rank}`}`,
        kind: of.rank === undefined ? 'engine' : 'rank',
        node: of.target,
      }),
    ),
    ...coverage.pairs.map(
      (of): Row => ({ ...of, key: `${of.prefill} ${of.decode}`, what: `${name(of.prefill)} with ${name(of.decode)}`, kind: 'pair', node: of.decode }),
    ),
  ];
}

function columns(now: number): Column<Row>[] {
  return [
    {
      title: 'who',
      sort: (row) => row.what,
      cell: (row) => (
        <ViewLink path={`/targets/${encodeURIComponent(row.node)}`} className="inline-flex min-h-6 items-center hover:underline">
          {row.what}
        </ViewLink>
      ),
    },
    { title: 'what', sort: (row) => row.kind, cell: (row) => <span className="text-soft">{row.kind}</span>, isWide: true },
    { title: 'answered', sort: (row) => row.is, cell: (row) => <span className={row.is === 'not seen' ? 'font-semibold' : 'text-soft'}>{WORDS[row.is]}</span> },
    {
      title: 'last',
      sort: (row) => row.at ?? 0,
      cell: (row) =>
        row.at === undefined ? (
          <span className="text-faint">–</span>
        ) : (
          <>
            <Time at={row.at} /> <span className="text-soft">({elapsed(now - row.at)} ago)</span>
          </>
        ),
    },
    {
      title: 'how that is known',
      cell: (row) => (
        <span className="text-soft">
          {row.because}
          {row.probe ? (
            <>
              {' '}
              <ViewLink path={`/probes/${encodeURIComponent(row.probe)}`} className="link text-2xs">
                probe
              </ViewLink>
            </>
          ) : null}
        </span>
      ),
      isWide: true,
    },
  ];
}

const WORDS: Record<CoverageOf['is'], string> = { answered: 'yes', 'not seen': 'no', 'cannot be told': 'cannot be told' };
