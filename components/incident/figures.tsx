'use client';

import { useQuery } from '@tanstack/react-query';
import { alarmFigures } from '@/lib/client/queries';
import { cut, elapsed, plural } from '@/lib/format';
import { Definitions } from '../ui/definitions';
import { Panel } from '../ui/panel';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';

/** Whether the alarms themselves are of use: few, not in floods, none stale, nothing that chatters (ISA-18.2). */
export function FiguresPanel() {
  const { data, error, isPending, refetch } = useQuery(alarmFigures);
  const state = isPending ? ({ kind: 'loading' } as const) : error ? ({ kind: 'error', why: error.message, retry: () => void refetch() } as const) : undefined;
  return (
    <Panel title="How the alarms behave" aside="last 24 hours" state={state}>
      {data ? (
        <Definitions
          of={[
            ['alarms', `${data.alarms}, ${data.perTenMinutes.mean.toFixed(2)} in 10 min (about 1 can be handled)`],
            [
              'densest',
              data.perTenMinutes.mostAt === undefined ? undefined : (
                <>
                  {data.perTenMinutes.most} in 10 min from <Time at={data.perTenMinutes.mostAt} />
                </>
              ),
            ],
            [
              'floods',
              data.floods.length === 0
                ? 'none (more than 10 in 10 min)'
                : data.floods.map((each) => `${each.alarms} in ${elapsed(each.to - each.from)}`).join(', '),
            ],
            [
              'stale',
              data.stale.length === 0
                ? 'none (open for more than a day)'
                : data.stale.map((each) => (
                    <ViewLink key={each.id} path={`/incidents/${encodeURIComponent(each.id)}`} className="link mr-2">
                      {cut(each.stack, 40)} since <Time at={each.openedAt} withDate />
                    </ViewLink>
                  )),
            ],
            [
              'acknowledged',
              data.acknowledgedAfterMs === undefined ? 'none was' : `after ${elapsed(data.acknowledgedAfterMs)} (median), ${data.unacknowledged} not`,
            ],
            [
              'changed most',
              data.changes.length === 0 ? (
                'nothing changed its verdict'
              ) : (
                <ul key="changes">
                  {data.changes.map((each) => (
                    <li key={each.target}>
                      <ViewLink path={`/targets/${encodeURIComponent(each.target)}`} className="link">
                        {cut(each.target, 60)}
                      </ViewLink>{' '}
                      {plural(each.changes, 'change')}
                      {each.chatters ? <strong> chatters: {each.mostPerMinute} in a minute</strong> : null}
                    </li>
                  ))}
                </ul>
              ),
            ],
          ]}
        />
      ) : null}
    </Panel>
  );
}
