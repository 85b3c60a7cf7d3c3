'use client';

import { useQuery } from '@tanstack/react-query';
import { experimentList } from '@/lib/client/queries';
import { cut } from '@/lib/format';
import type { Event, Incident } from '@/lib/model/incident';
import type { Kept } from '@/lib/model/kept';
import { type Entry, type Lead, timeline } from '@/lib/report/timeline';
import { Panel } from '../ui/panel';
import { Sentence } from '../ui/sentence';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';
import { Note } from './note';

/** What happened, oldest first: evidence, verdicts, and what people did. Each time is the way to the screen of that second. */
export function Timeline({ incident, events, kept }: { incident: Incident; events: readonly Event[]; kept?: Kept }) {
  const { data: experiments } = useQuery(experimentList(incident.id));
  const entries = timeline({ incident, events, ...(kept ? { kept } : {}), ...(experiments ? { experiments } : {}) });
  return (
    <Panel
      title="What happened"
      aside="each time opens the screen of that second"
      state={entries.length === 0 ? { kind: 'empty', why: 'No event of this incident is kept.' } : undefined}
    >
      <ol aria-label="What happened" className="grid grid-cols-[minmax(0,1fr)] gap-1">
        {entries.map((entry) => (
          <Line key={entry.key} entry={entry} stack={incident.stack} isOfItsTime={entry.at >= incident.openedAt - EARLY_MS} />
        ))}
      </ol>
    </Panel>
  );
}

const EARLY_MS = 60_000;

function Line({ entry, stack, isOfItsTime }: { entry: Entry; stack: string; isOfItsTime: boolean }) {
  const isStrong = STRONG.has(entry.what);
  return (
    <li
      className={`grid grid-cols-[max-content_6.5rem_minmax(0,1fr)] gap-x-3 border-b border-hairline py-1 last:border-b-0 max-sm:grid-cols-[max-content_minmax(0,1fr)] ${isOfItsTime ? '' : 'text-soft'}`}
    >
      <ViewLink path={`/stacks/${encodeURIComponent(stack)}`} change={{ t: secondAfter(entry.at) }} className="link">
        <Time at={entry.at} />
      </ViewLink>
      <span className={isStrong ? 'font-semibold' : 'text-faint'}>{entry.what}</span>
      <div className="min-w-0 wrap-anywhere max-sm:col-span-2">
        {entry.isFirstOut ? <strong className="mr-2 border-2 border-current px-1 text-2xs tracking-wide">FIRST OUT</strong> : null}
        <Sentence text={cut(entry.sentence, 600)} />
        {entry.by && entry.what === 'mark' ? <span className="text-soft"> ({entry.by})</span> : null}
        {entry.lead ? <LeadLink lead={entry.lead} /> : null}
        {entry.note ? (
          <div className="mt-1">
            <Note text={entry.note} />
          </div>
        ) : null}
      </div>
    </li>
  );
}

const STRONG: ReadonlySet<string> = new Set(['first bad chat', 'frozen since', 'opened', 'healed', 'restart', 'acknowledged', 'note', 'shelved', 'mark']);
const PATHS: Record<Lead['kind'], readonly [folder: string, word: string]> = {
  probe: ['probes', 'probe'],
  target: ['targets', 'node'],
  experiment: ['experiments', 'experiment'],
};

function LeadLink({ lead }: { lead: Lead }) {
  const [folder, word] = PATHS[lead.kind];
  return (
    <>
      {' '}
      <ViewLink path={`/${folder}/${encodeURIComponent(lead.id)}`} className="link text-2xs text-soft">
        {word}
      </ViewLink>
    </>
  );
}

/** The first whole second whose picture holds what happened then: pictures are told once a second. */
export function secondAfter(at: number): string {
  return new Date(Math.ceil(at / 1_000) * 1_000 + 1_000).toISOString();
}
