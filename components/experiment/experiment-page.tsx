'use client';

import { useQuery } from '@tanstack/react-query';
import { experimentRecord, useSnapshot } from '@/lib/client/queries';
import { cut, duration, elapsed } from '@/lib/format';
import type { Experiment, ExperimentCell } from '@/lib/model/experiment';
import { lookOf, outcomeWords } from '../topology/probe-words';
import { Glyph } from '../ui/glyph';
import { Panel } from '../ui/panel';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';

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
    </>
  );
}

function ExperimentHeader({ experiment }: { experiment: Experiment }) {
  const { progress, conclusion, state } = experiment;
  return (
    <header className="min-w-0 border-l-8 border-hairline py-2 pl-4">
      <h1 className="text-xl leading-[1.65rem] font-semibold">{conclusion ? cut(conclusion.sentence, 400) : STATES[state]}</h1>
      <p className="mt-0.5 flex flex-wrap gap-x-3 text-soft">
        {conclusion ? <span>confidence {conclusion.confidence}</span> : null}
        <span>
          started <Time at={experiment.startedAt} withDate />
        </span>
        <span>{experiment.endedAt === undefined ? 'running' : `took ${elapsed(experiment.endedAt - experiment.startedAt)}`}</span>
        <span>
          {progress.done} of {progress.of} probes
        </span>
        <ViewLink path={`/stacks/${encodeURIComponent(experiment.stack)}`} className="link">
          stack {cut(experiment.stack, 60)}
        </ViewLink>
      </p>
      {state === 'running' ? (
        <div
          role="progressbar"
          aria-label="Progress of the experiment"
          aria-valuemin={0}
          aria-valuemax={progress.of}
          aria-valuenow={progress.done}
          className="mt-2 h-2 w-80 max-w-full border border-line"
        >
          <div className="h-full bg-soft" style={{ width: `${(progress.done / Math.max(1, progress.of)) * 100}%` }} />
        </div>
      ) : null}
    </header>
  );
}

const STATES: Record<Experiment['state'], string> = {
  running: 'The experiment is running; a hanging cell takes its whole deadline.',
  done: 'The experiment is done.',
  cancelled: 'The experiment was cancelled.',
  failed: 'The experiment failed.',
};

function Matrix({ experiment }: { experiment: Experiment }) {
  const names = useSnapshot(({ stacks }) => Object.fromEntries(stacks.flatMap((stack) => stack.nodes.map((node) => [node.id, node.name])))) ?? {};
  const targets = [...new Set(experiment.cells.map((cell) => cell.target))];
  const rows = [...new Set(experiment.cells.map(rowOf))];
  const state = experiment.cells.length === 0 ? ({ kind: 'empty', why: 'No cell has been asked yet.' } as const) : undefined;
  return (
    <Panel title="Front-ends by model id" aside="each mark is one try and opens its record" state={state}>
      <div className="overflow-x-auto">
        <table className="border-collapse text-left">
          <caption className="sr-only">Outcome of each front-end with each model id</caption>
          <thead>
            <tr className="border-b border-hairline">
              <th scope="col" className="py-1 pr-6 font-normal text-faint">
                model id
              </th>
              {targets.map((target) => (
                <th key={target} scope="col" className="py-1 pr-6">
                  {cut(names[target] ?? target, 40)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row} className="border-b border-hairline align-top">
                <th scope="row" className="max-w-80 py-2 pr-6 font-mono text-xs font-normal">
                  {cut(row, 120)}
                </th>
                {targets.map((target) => (
                  <td key={target} className="py-2 pr-6">
                    <Cell cell={experiment.cells.find((one) => one.target === target && rowOf(one) === row)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

/** Each front-end gets a nonsense id of its own; together they are one row. */
function rowOf(cell: ExperimentCell): string {
  return cell.whose === 'nonsense' ? 'no such model' : cell.model;
}

const WHOSE: Record<ExperimentCell['whose'], string> = { own: 'its own id', sibling: "its sibling's id", nonsense: 'a nonsense id' };

function Cell({ cell }: { cell: ExperimentCell | undefined }) {
  if (!cell) return <span className="text-faint">not asked</span>;
  return (
    <div className="grid gap-1">
      <span className="text-2xs text-faint">{WHOSE[cell.whose]}</span>
      {cell.tries.length === 0 ? <span className="text-soft">waiting</span> : null}
      {cell.tries.map((one) => {
        const look = lookOf(one);
        return (
          <ViewLink
            key={one.probe}
            path={`/probes/${encodeURIComponent(one.probe)}`}
            title={cut(one.sentence, 200)}
            className="inline-flex min-h-6 items-center gap-1.5 hover:underline"
          >
            <Glyph verdict={look === 'pending' ? 'unknown' : look} />
            {outcomeWords(one)}
            <span className="text-soft">{duration(one.ttftMs ?? one.elapsedMs)}</span>
          </ViewLink>
        );
      })}
    </div>
  );
}
