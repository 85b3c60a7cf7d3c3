'use client';

import { useQuery } from '@tanstack/react-query';
import { experimentList, usePastMoment } from '@/lib/client/queries';
import { cut } from '@/lib/format';
import type { Experiment } from '@/lib/model/experiment';
import type { StackView } from '@/lib/model/snapshot';
import { takesChats } from '@/lib/model/target';
import { Panel } from '../ui/panel';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';
import { RunExperiment } from './run';
import { STATES } from './words';

/** The way to a controlled experiment on a stack, and what the last ones have shown. */
export function StackExperiments({ stack }: { stack: StackView }) {
  const { data } = useQuery(experimentList());
  const isPast = usePastMoment() !== undefined;
  const own = (data ?? []).filter((one) => one.stack === stack.id).slice(0, 3);
  return (
    <Panel title="Controlled experiment">
      {isPast ? (
        <p className="text-soft">It can be run from the live screen.</p>
      ) : (
        <RunExperiment stack={stack.id} targets={stack.nodes.filter(takesChats).map((node) => node.id)} />
      )}
      <p className="mt-2 text-2xs text-faint">
        Asks each front-end with its own id, its sibling's and a nonsense one, streaming and whole, within the probe budget.
      </p>
      {own.length > 0 ? <Conclusions of={own} /> : null}
    </Panel>
  );
}

/** What experiments have shown while an incident was open. */
export function IncidentExperiments({ incident }: { incident: string }) {
  const { data, error, refetch, isPending } = useQuery(experimentList(incident));
  const all = data ?? [];
  const state = isPending
    ? ({ kind: 'loading' } as const)
    : error
      ? ({ kind: 'error', why: error.message, retry: () => void refetch() } as const)
      : all.length === 0
        ? ({ kind: 'empty', why: 'None was run while it was open.' } as const)
        : undefined;
  return (
    <Panel title="Experiments during it" state={state} lines={2}>
      <Conclusions of={all} />
    </Panel>
  );
}

function Conclusions({ of }: { of: readonly Experiment[] }) {
  return (
    <ul className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {of.map((one) => (
        <li key={one.id}>
          <ViewLink path={`/experiments/${encodeURIComponent(one.id)}`} className="link">
            <Time at={one.startedAt} />
          </ViewLink>{' '}
          <span className="text-soft">{cut(one.conclusion?.sentence ?? STATES[one.state], 160)}</span>
        </li>
      ))}
    </ul>
  );
}
