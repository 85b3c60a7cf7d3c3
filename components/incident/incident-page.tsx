'use client';

import { useQuery } from '@tanstack/react-query';
import { incidentRecord, useSnapshot } from '@/lib/client/queries';
import { cut, elapsed, percent } from '@/lib/format';
import type { Event, Incident } from '@/lib/model/incident';
import { IncidentExperiments } from '../experiment/experiments';
import { whereWords } from '../topology/facts';
import { Definitions } from '../ui/definitions';
import { Glyph } from '../ui/glyph';
import { Panel } from '../ui/panel';
import { Sentence } from '../ui/sentence';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';

/** One incident: what happened when, and the way to the picture of any of these moments. */
export function IncidentPage({ id }: { id: string }) {
  const { data, error, refetch, isPending } = useQuery(incidentRecord(id));
  if (isPending) return <Panel title="Incident" state={{ kind: 'loading' }} lines={8} />;
  if (!data) return <Panel title="Incident" state={{ kind: 'error', why: error?.message ?? 'This incident is not known.', retry: () => void refetch() }} />;
  return (
    <>
      <IncidentHeader incident={data.incident} shownAt={data.events.find((event) => event.kind === 'incident-opened' && event.incident === id)?.at} />
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,30%)]">
        <Timeline incident={data.incident} events={data.events} />
        <div className="grid min-w-0 content-start gap-4">
          <Affected incident={data.incident} />
          <IncidentExperiments incident={id} />
        </div>
      </div>
    </>
  );
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
        <h1 className="text-xl leading-[1.65rem] font-semibold">
          <Sentence text={cut(incident.sentence, 400)} />
        </h1>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-soft wrap-anywhere">
          <span className="font-semibold text-ink">{isOpen ? 'open' : 'closed'}</span>
          <span>
            opened <Time at={incident.openedAt} withDate />
          </span>
          {incident.closedAt === undefined ? null : (
            <span>
              closed <Time at={incident.closedAt} withDate />
            </span>
          )}
          <span>lasted {elapsed((incident.closedAt ?? now) - incident.openedAt)}</span>
          <ViewLink path={`/stacks/${encodeURIComponent(incident.stack)}`} change={{ t: iso(shownAt) }} className="link">
            the screen when it opened
          </ViewLink>
        </p>
      </div>
    </header>
  );
}

function Timeline({ incident, events }: { incident: Incident; events: readonly Event[] }) {
  const ordered = [...events].sort((a, b) => a.at - b.at);
  return (
    <Panel
      title="What happened"
      aside="each time opens the screen of that second"
      state={ordered.length === 0 ? { kind: 'empty', why: 'No event of this incident is kept.' } : undefined}
    >
      <ol className="grid gap-1">
        {ordered.map((event) => (
          <li key={event.id} className="grid grid-cols-[max-content_5.5rem_minmax(0,1fr)] gap-x-3 border-b border-hairline py-1 last:border-b-0">
            <ViewLink path={`/stacks/${encodeURIComponent(incident.stack)}`} change={{ t: iso(event.at) }} className="link">
              <Time at={event.at} />
            </ViewLink>
            <span className="text-faint">{event.kind.replace('incident-', '')}</span>
            <span>
              <Sentence text={cut(event.sentence, 600)} />
              {event.target ? (
                <>
                  {' '}
                  <ViewLink path={`/targets/${encodeURIComponent(event.target)}`} className="link text-2xs text-soft">
                    node
                  </ViewLink>
                </>
              ) : null}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Affected({ incident }: { incident: Incident }) {
  const { place, top } = incident;
  return (
    <Panel title={incident.closedAt === undefined ? 'What it is' : 'What it was'}>
      <Definitions
        of={[
          ['verdict', incident.verdict],
          ['where', place && whereWords(place)],
          ['likeliest', top && `${cut(top.claim, 200)} (${percent(top.probability)})`],
          [
            'first out',
            <ul key="targets">
              {incident.targets.map((target) => (
                <li key={target}>
                  <ViewLink path={`/targets/${encodeURIComponent(target)}`} className="link">
                    {cut(target, 80)}
                  </ViewLink>
                </li>
              ))}
            </ul>,
          ],
        ]}
      />
    </Panel>
  );
}

/** The first whole second whose picture holds what happened then: pictures are told once a second. */
function iso(at: number): string {
  return new Date(Math.ceil(at / 1_000) * 1_000 + 1_000).toISOString();
}
