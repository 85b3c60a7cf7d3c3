'use client';

import { useQuery } from '@tanstack/react-query';
import { incidentList, useSnapshot } from '@/lib/client/queries';
import { cut, elapsed, percent } from '@/lib/format';
import type { Incident } from '@/lib/model/incident';
import { whereWords } from '../topology/facts';
import { Panel, type PanelState } from '../ui/panel';
import { Sentence } from '../ui/sentence';
import { type Column, Table } from '../ui/table';
import { Time } from '../ui/time';
import { VerdictBadge } from '../ui/verdict-badge';
import { ViewLink } from '../ui/view-link';

/** All incidents, newest first. */
export function IncidentList() {
  const { data, error, isPending, refetch } = useQuery(incidentList);
  const now = useSnapshot((snapshot) => snapshot.at) ?? 0;
  return (
    <>
      <h1 className="text-xl font-semibold">Incidents</h1>
      <Panel
        title="One wedge, one incident"
        aside="a relapse within a minute reopens the same one"
        state={stateOf(data, error, isPending, () => void refetch())}
      >
        <Table caption="Incidents, newest first" rows={data ?? []} rowKey={(one) => one.id} columns={columns(now)} />
      </Panel>
    </>
  );
}

function stateOf(data: Incident[] | undefined, error: Error | null, isPending: boolean, retry: () => void): PanelState {
  if (data && data.length > 0) return error ? { kind: 'stale', why: `Not up to date: ${error.message}` } : { kind: 'ready' };
  if (error) return { kind: 'error', why: error.message, retry };
  if (isPending) return { kind: 'loading' };
  return {
    kind: 'empty',
    why: 'No incident yet. One opens by itself when a front-end hangs or is down and a second witness agrees; it closes when new probes succeed.',
  };
}

function columns(now: number): Column<Incident>[] {
  return [
    { title: 'opened', sort: (one) => one.openedAt, cell: (one) => <Time at={one.openedAt} withDate /> },
    {
      title: 'what',
      cell: (one) => (
        <ViewLink path={`/incidents/${encodeURIComponent(one.id)}`} className="font-semibold hover:underline">
          <Sentence text={cut(one.sentence, 300)} />
        </ViewLink>
      ),
    },
    { title: 'verdict', sort: (one) => one.verdict, cell: (one) => <VerdictBadge verdict={one.verdict} /> },
    { title: 'where', cell: (one) => (one.place ? whereWords(one.place) : '') },
    {
      title: 'lasted',
      sort: (one) => (one.closedAt ?? now) - one.openedAt,
      isNumber: true,
      cell: (one) => (one.closedAt === undefined ? <strong>open, {elapsed(now - one.openedAt)}</strong> : elapsed(one.closedAt - one.openedAt)),
    },
    { title: 'likeliest', cell: (one) => (one.top ? `${cut(one.top.claim, 160)} (${percent(one.top.probability)})` : ''), isWide: true },
    { title: 'stack', sort: (one) => one.stack, cell: (one) => <span className="text-soft">{one.stack}</span>, isWide: true },
  ];
}
