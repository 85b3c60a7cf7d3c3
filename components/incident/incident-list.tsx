'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { acknowledge } from '@/lib/client/actions';
import { incidentsWhere, useSnapshot } from '@/lib/client/queries';
import { useSettings } from '@/lib/client/settings';
import { cut, elapsed, percent } from '@/lib/format';
import type { Incident } from '@/lib/model/incident';
import { whereWords } from '../topology/facts';
import { Panel, type PanelState } from '../ui/panel';
import { Sentence } from '../ui/sentence';
import { type Column, Table } from '../ui/table';
import { Time } from '../ui/time';
import { VerdictBadge } from '../ui/verdict-badge';
import { ViewLink } from '../ui/view-link';
import { FiguresPanel } from './figures';
import { Filters, useFilter } from './filters';
import { AlarmStateWord } from './state';

/** All incidents, newest first, narrowed as wanted; on a phone as cards with the acknowledgement at hand. */
export function IncidentList() {
  const { filter, query, range, change, allTimes } = useFilter();
  const { data, error, isPending, refetch } = useQuery(incidentsWhere(query));
  const now = useSnapshot((snapshot) => snapshot.at) ?? 0;
  // What is open is told by the snapshot, as everywhere else.
  const live = useSnapshot((snapshot) => snapshot.stacks.flatMap((stack) => [stack.incident ?? [], stack.returned ?? []].flat())) ?? [];
  const rows = (data ?? []).map((each) => live.find((one) => one.id === each.id) ?? each);
  return (
    <>
      <h1 className="text-xl font-semibold">Incidents</h1>
      <Filters filter={filter} {...(range ? { range } : {})} change={change} allTimes={allTimes} />
      <Panel
        title="One wedge, one incident"
        aside="a relapse within a minute reopens the same one"
        state={stateOf(data, error, isPending, query !== '', () => void refetch())}
      >
        <div className="max-sm:hidden">
          <Table caption="Incidents, newest first" rows={rows} rowKey={(one) => one.id} columns={columns(now)} />
        </div>
        <ul aria-label="Incidents, newest first" className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:hidden">
          {rows.map((one) => (
            <li key={one.id}>
              <IncidentCard incident={one} now={now} />
            </li>
          ))}
        </ul>
      </Panel>
      <FiguresPanel />
    </>
  );
}

function stateOf(data: Incident[] | undefined, error: Error | null, isPending: boolean, isNarrow: boolean, retry: () => void): PanelState {
  if (data && data.length > 0) return error ? { kind: 'stale', why: `Not up to date: ${error.message}` } : { kind: 'ready' };
  if (error) return { kind: 'error', why: error.message, retry };
  if (isPending) return { kind: 'loading' };
  if (isNarrow) return { kind: 'empty', why: 'No incident is like that. Take a filter away, or look at all times.' };
  return {
    kind: 'empty',
    why: 'No incident yet. One opens by itself when a front-end hangs or is down and a second witness agrees; it closes when new probes succeed.',
  };
}

/** An incident for a thumb. */
function IncidentCard({ incident, now }: { incident: Incident; now: number }) {
  const { id, verdict, sentence, openedAt, closedAt } = incident;
  return (
    <article
      data-verdict={closedAt === undefined ? verdict : 'ok'}
      className={`grid gap-1 border-l-4 pl-3 ${closedAt === undefined ? 'border-state' : 'border-hairline'}`}
    >
      <p className="flex flex-wrap items-center gap-x-3">
        <VerdictBadge verdict={verdict} />
        <span className="text-soft">
          <Time at={openedAt} withDate />, {closedAt === undefined ? `open ${elapsed(now - openedAt)}` : `lasted ${elapsed(closedAt - openedAt)}`}
        </span>
      </p>
      <ViewLink path={`/incidents/${encodeURIComponent(id)}`} className="link font-semibold">
        <Sentence text={cut(sentence, 200)} />
      </ViewLink>
      <p className="text-soft">
        <AlarmStateWord incident={incident} />
      </p>
      {incident.ack ? null : <AcknowledgeButton incident={incident} />}
    </article>
  );
}

/** One tap, when this browser knows who is tapping; else the incident's page asks for the name. */
function AcknowledgeButton({ incident }: { incident: Incident }) {
  const { name } = useSettings();
  const client = useQueryClient();
  const act = useMutation({ mutationFn: () => acknowledge(incident.id, name.trim()), onSuccess: () => client.invalidateQueries({ queryKey: ['incidents'] }) });
  if (name.trim() === '')
    return (
      <ViewLink path={`/incidents/${encodeURIComponent(incident.id)}`} className={BUTTON}>
        Acknowledge…
      </ViewLink>
    );
  return (
    <>
      <button type="button" disabled={act.isPending} onClick={() => act.mutate()} className={BUTTON}>
        Acknowledge as {cut(name.trim(), 30)}
      </button>
      {act.error ? <p role="alert">{act.error.message}</p> : null}
    </>
  );
}

const BUTTON =
  'flex min-h-10 items-center justify-center justify-self-start rounded-sm border border-line px-4 font-semibold hover:border-ink disabled:opacity-50';

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
    { title: 'state', cell: (one) => <AlarmStateWord incident={one} isShort /> },
    { title: 'verdict', sort: (one) => one.verdict, cell: (one) => <VerdictBadge verdict={one.verdict} /> },
    { title: 'where', sort: (one) => one.place?.kind ?? '', cell: (one) => (one.place ? whereWords(one.place) : '') },
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
