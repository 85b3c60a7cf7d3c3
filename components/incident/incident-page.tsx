'use client';

import { useQuery } from '@tanstack/react-query';
import { incidentRecord, keptRecord, useSnapshot } from '@/lib/client/queries';
import { cut, elapsed } from '@/lib/format';
import type { Incident } from '@/lib/model/incident';
import type { Kept } from '@/lib/model/kept';
import { IncidentExperiments } from '../experiment/experiments';
import { Glyph } from '../ui/glyph';
import { Panel } from '../ui/panel';
import { Sentence } from '../ui/sentence';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';
import { Actions } from './actions';
import { Affected, Export, Related } from './around';
import { AlarmCard } from './card';
import { KeptPanel } from './kept';
import { OddsPanel } from './odds';
import { AlarmStateWord } from './state';
import { secondAfter, Timeline } from './timeline';

/** One incident: what it is, what people did, what happened when, and what was taken before it could be erased. */
export function IncidentPage({ id }: { id: string }) {
  const { data, error, refetch, isPending } = useQuery(incidentRecord(id));
  const incident = useNewest(data?.incident, id);
  const { data: kept, error: notKept } = useQuery({ ...keptRecord(id, incident?.closedAt === undefined), enabled: incident !== undefined });
  if (isPending) return <Panel title="Incident" state={{ kind: 'loading' }} lines={8} />;
  if (!data || !incident)
    return <Panel title="Incident" state={{ kind: 'error', why: error?.message ?? 'This incident is not known.', retry: () => void refetch() }} />;
  const opened = data.events.find((event) => event.kind === 'incident-opened' && event.incident === id);
  return (
    <>
      <IncidentHeader incident={incident} shownAt={opened?.at} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,30%)] lg:grid-rows-[auto_1fr]">
        <div className="min-w-0 lg:col-start-2">
          <Actions incident={incident} />
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <Timeline incident={incident} events={data.events} {...(kept ? { kept } : {})} />
          <WhatIsKept incident={incident} kept={kept} why={notKept?.message} />
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4 lg:col-start-2">
          <AlarmCard incident={incident} />
          <Affected incident={incident} {...(kept ? { kept } : {})} />
          <IncidentExperiments incident={id} />
          <Related incidents={data.related} />
          <Export id={id} />
        </div>
      </div>
    </>
  );
}

function WhatIsKept({ incident, kept, why }: { incident: Incident; kept?: Kept; why?: string }) {
  if (!kept) return <Panel title="Taken when it opened" state={why === undefined ? { kind: 'loading' } : { kind: 'empty', why }} />;
  const { openedAt, closedAt } = incident;
  return (
    <>
      <OddsPanel odds={kept.odds} openedAt={openedAt} {...(closedAt === undefined ? {} : { closedAt })} />
      <KeptPanel kept={kept} />
    </>
  );
}

/** While it is open the snapshot is the truth, here as in header, map and list; afterwards the record is. */
function useNewest(record: Incident | undefined, id: string): Incident | undefined {
  const shown = useSnapshot((snapshot) => snapshot.stacks.flatMap((stack) => [stack.incident, stack.returned]).find((each) => each?.id === id));
  return record?.closedAt === undefined ? (shown ?? record) : record;
}

function IncidentHeader({ incident, shownAt = incident.openedAt }: { incident: Incident; shownAt?: number }) {
  const now = useSnapshot((snapshot) => snapshot.at) ?? incident.openedAt;
  const isOpen = incident.closedAt === undefined;
  return (
    <header
      data-verdict={isOpen ? incident.verdict : 'ok'}
      className={`flex items-center gap-4 border-l-8 py-2 pl-4 ${isOpen ? 'border-state' : 'border-hairline'}`}
    >
      <Glyph verdict={incident.verdict} hollow={!isOpen} className="size-11 max-sm:size-8" />
      <div className="min-w-0">
        <h1 className="text-xl leading-[1.65rem] font-semibold max-sm:text-base max-sm:leading-5">
          <Sentence text={cut(incident.sentence, 400)} />
        </h1>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-soft wrap-anywhere">
          <span className="text-ink">
            <span className="font-semibold">{isOpen ? 'open' : 'closed'}</span>, <AlarmStateWord incident={incident} />
          </span>
          <span>
            opened <Time at={incident.openedAt} withDate />
          </span>
          {incident.closedAt === undefined ? null : (
            <span>
              closed <Time at={incident.closedAt} withDate />
            </span>
          )}
          <span>
            {isOpen ? 'for' : 'lasted'} {elapsed((incident.closedAt ?? now) - incident.openedAt)}
          </span>
          <ViewLink path={`/stacks/${encodeURIComponent(incident.stack)}`} change={{ t: secondAfter(shownAt) }} className="link">
            the screen when it opened
          </ViewLink>
        </p>
      </div>
    </header>
  );
}
