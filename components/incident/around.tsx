'use client';

import { useStack } from '@/lib/client/queries';
import { cut, elapsed, percent } from '@/lib/format';
import type { Incident } from '@/lib/model/incident';
import type { Kept } from '@/lib/model/kept';
import { whereWords } from '../topology/facts';
import { Definitions } from '../ui/definitions';
import { Panel } from '../ui/panel';
import { Sentence } from '../ui/sentence';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';

/** Verdict, place, cause and who is concerned: first out marked, witnesses under what they witness. */
export function Affected({ incident, kept }: { incident: Incident; kept?: Kept }) {
  const { place, top } = incident;
  const live = useStack(incident.stack, ({ nodes }) => nodes.map(({ id, name, judgement }) => ({ id, name, under: judgement.suppressedBy })));
  const nodes = kept?.first.nodes.map(({ id, name, judgement }) => ({ id, name, under: judgement.suppressedBy })) ?? live ?? [];
  const witnesses = incident.closedAt === undefined ? (live ?? nodes).filter((each) => each.under !== undefined) : pastWitnesses(incident);
  const name = (id: string) => cut(nodes.find((each) => each.id === id)?.name ?? id, 60);
  return (
    <Panel title={incident.closedAt === undefined ? 'What it is' : 'What it was'}>
      <Definitions
        of={[
          ['verdict', incident.verdict],
          ['where', place && whereWords(place)],
          ['likeliest', top && `${cut(top.claim, 200)} (${percent(top.probability)})`],
          [
            'affected',
            <ul key="targets">
              {incident.targets.map((target, index) => (
                <li key={target}>
                  <Node id={target} name={name(target)} />
                  {index === 0 ? <span className="ml-2 border border-current px-1 text-2xs font-bold">FIRST OUT</span> : null}
                </li>
              ))}
            </ul>,
          ],
          [
            'suppressed',
            witnesses.length > 0 ? (
              <ul key="witnesses">
                {witnesses.map((each) => (
                  <li key={each.id}>
                    <Node id={each.id} name={name(each.id)} /> <span className="text-soft">only witnesses {name(each.under ?? '')}</span>
                  </li>
                ))}
              </ul>
            ) : undefined,
          ],
        ]}
      />
    </Panel>
  );
}

/** Who hung because of the place that was blamed. */
function pastWitnesses({ place, targets }: Incident): { id: string; under?: string }[] {
  const under = place?.target;
  return under === undefined ? [] : targets.filter((id) => id !== under).map((id) => ({ id, under }));
}

function Node({ id, name }: { id: string; name: string }) {
  return (
    <ViewLink path={`/targets/${encodeURIComponent(id)}`} className="link">
      {name}
    </ViewLink>
  );
}

/** Earlier incidents of the same verdict, place and suspicion: what helped then may help now. */
export function Related({ incidents }: { incidents: readonly Incident[] }) {
  return (
    <Panel
      title="The same before"
      state={incidents.length === 0 ? { kind: 'empty', why: 'None of the same verdict, place and suspicion is remembered.' } : undefined}
    >
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
        {incidents.map((each) => (
          <li key={each.id}>
            <ViewLink path={`/incidents/${encodeURIComponent(each.id)}`} className="link">
              <Time at={each.openedAt} withDate />
            </ViewLink>{' '}
            <span className="text-soft">
              {each.closedAt === undefined ? 'open' : `lasted ${elapsed(each.closedAt - each.openedAt)}`}: <Sentence text={cut(each.sentence, 120)} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The incident as something that can be sent: whole and readable without us. */
export function Export({ id }: { id: string }) {
  const path = (form: string, mask: boolean) => `/api/incidents/${encodeURIComponent(id)}/export?form=${form}${mask ? '&mask=hosts' : ''}`;
  return (
    <Panel title="Take it along" aside="never with a key in it">
      <ul className="grid gap-1">
        {FORMS.map(([form, words]) => (
          <li key={form} className="flex flex-wrap gap-x-3">
            <a href={path(form, false)} download className="link min-h-6">
              {words}
            </a>
            <a href={path(form, true)} download aria-label={`${words}, hosts masked`} className="link min-h-6 text-soft">
              hosts masked
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const FORMS = [
  ['html', 'Report (one HTML file)'],
  ['md', 'Markdown for the channel'],
  ['json', 'JSON'],
] as const;
