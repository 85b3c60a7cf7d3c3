import { nameOf } from '@/lib/experiment/markdown';
import { isPlain } from '@/lib/experiment/shown';
import { bytes, cut, duration } from '@/lib/format';
import type { Experiment, ExperimentCell, ExperimentTry } from '@/lib/model/experiment';
import { lookOf, outcomeWords } from '../topology/probe-words';
import { Glyph } from '../ui/glyph';
import { Panel } from '../ui/panel';
import { ViewLink } from '../ui/view-link';
import { REACHED, rowOf, WHOSE } from './words';

/** Front-ends across, questions down; in each cell every try with its code, how far it came, its bytes and its time. */
export function Matrix({ experiment }: { experiment: Experiment }) {
  const { cells } = experiment;
  const targets = [...new Set(cells.map((cell) => cell.target))];
  const rows = [...new Set(cells.map(rowOf))];
  const state = cells.length === 0 ? ({ kind: 'empty', why: 'No cell has been asked yet.' } as const) : undefined;
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
                  {cut(nameOf(experiment, target), 40)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row} className="border-b border-hairline align-top">
                <th scope="row" className="max-w-80 min-w-16 py-2 pr-3 font-mono text-xs font-normal wrap-anywhere sm:pr-6">
                  {cut(row, 120)}
                </th>
                {targets.map((target) => (
                  <td key={target} className="py-2 pr-3 sm:pr-6">
                    <Cell cell={cells.find((one) => one.target === target && rowOf(one) === row)} isRunning={experiment.state === 'running'} />
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

function Cell({ cell, isRunning }: { cell: ExperimentCell | undefined; isRunning: boolean }) {
  if (!cell) return <span className="text-faint">not asked</span>;
  return (
    <div className="grid gap-1 sm:min-w-44">
      {isPlain(cell) ? <span className="text-2xs text-faint">{WHOSE[cell.whose]}</span> : null}
      {cell.tries.length === 0 ? <span className="text-soft">{isRunning ? 'waiting' : 'not asked: the probe budget left no room'}</span> : null}
      {cell.tries.map((one) => (
        <Try key={one.probe} one={one} />
      ))}
    </div>
  );
}

function Try({ one }: { one: ExperimentTry }) {
  const look = lookOf(one);
  return (
    <div>
      <ViewLink
        path={`/probes/${encodeURIComponent(one.probe)}`}
        title={cut(one.sentence, 200)}
        className="inline-flex min-h-6 items-center gap-1.5 hover:underline"
      >
        <Glyph verdict={look === 'pending' ? 'unknown' : look} />
        {one.outcome === 'ok' && one.late ? 'late answer' : outcomeWords(one)}
        <span className="whitespace-nowrap text-soft">
          {duration(one.outcome === 'ok' ? (one.ttftMs ?? one.elapsedMs) : one.elapsedMs)}
          {one.ended ? '' : '+'}
        </span>
      </ViewLink>
      <p className="pl-5.5 text-2xs text-faint">
        {one.status === undefined ? 'no code' : `code ${one.status}`}, {one.reached === undefined ? 'not even resolved' : `came to: ${REACHED[one.reached]}`},{' '}
        {bytes(one.bytes)}
      </p>
    </div>
  );
}
