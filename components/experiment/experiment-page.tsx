'use client';

import { useQuery } from '@tanstack/react-query';
import { experimentRecord } from '@/lib/client/queries';
import { cut, elapsed, rate } from '@/lib/format';
import type { Experiment } from '@/lib/model/experiment';
import { Panel } from '../ui/panel';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';
import { ByHand } from './by-hand';
import { Cancel } from './cancel';
import { Matrix } from './matrix';
import { STATES } from './words';

/** A controlled experiment: front-ends against model ids, and what follows from it. */
export function ExperimentPage({ id }: { id: string }) {
  const { data: experiment, error, refetch, isPending } = useQuery(experimentRecord(id));
  if (isPending) return <Panel title="Experiment" state={{ kind: 'loading' }} />;
  if (!experiment)
    return <Panel title="Experiment" state={{ kind: 'error', why: error?.message ?? 'This experiment is not known.', retry: () => void refetch() }} />;
  return (
    <>
      <ExperimentHeader experiment={experiment} />
      <Matrix experiment={experiment} />
      <ByHand experiment={experiment} />
    </>
  );
}

function ExperimentHeader({ experiment }: { experiment: Experiment }) {
  const { progress, conclusion, state } = experiment;
  return (
    <header className="min-w-0 border-l-8 border-hairline py-2 pl-4">
      <h1 className="text-xl leading-[1.65rem] font-semibold">{conclusion ? cut(conclusion.sentence, 900) : STATES[state]}</h1>
      <p className="mt-0.5 flex flex-wrap gap-x-3 text-soft wrap-anywhere">
        {conclusion ? <span>confidence {conclusion.confidence}</span> : null}
        {conclusion?.rate ? <span>hung with real ids: {rate(conclusion.rate)}</span> : null}
        <span>
          started <Time at={experiment.startedAt} withDate />
        </span>
        <span>
          {experiment.endedAt === undefined
            ? 'running'
            : `${state === 'cancelled' ? 'cancelled after' : 'took'} ${elapsed(experiment.endedAt - experiment.startedAt)}`}
        </span>
        <span>
          {progress.done} of {progress.of} chats
        </span>
        <ViewLink path={`/stacks/${encodeURIComponent(experiment.stack)}`} className="link">
          stack {cut(experiment.stack, 60)}
        </ViewLink>
        {experiment.incident === undefined ? null : (
          <ViewLink path={`/incidents/${encodeURIComponent(experiment.incident)}`} className="link">
            kept with its incident
          </ViewLink>
        )}
      </p>
      {state === 'running' ? (
        <div className="mt-2 flex flex-wrap items-center gap-4">
          <div
            role="progressbar"
            aria-label="Progress of the experiment"
            aria-valuemin={0}
            aria-valuemax={progress.of}
            aria-valuenow={progress.done}
            className="h-2 w-80 max-w-full border border-line"
          >
            <div className="h-full bg-soft" style={{ width: `${(progress.done / Math.max(1, progress.of)) * 100}%` }} />
          </div>
          <Cancel id={experiment.id} />
        </div>
      ) : null}
    </header>
  );
}
