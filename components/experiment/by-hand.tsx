import { askedWith, markdown, nameOf } from '@/lib/experiment/markdown';
import type { Experiment } from '@/lib/model/experiment';
import { Copy } from '../ui/copy';
import { Panel } from '../ui/panel';

/** The experiment to hand on: as Markdown for the channel, and as the commands that repeat each cell. */
export function ByHand({ experiment }: { experiment: Experiment }) {
  const commands = experiment.cells.flatMap((cell) =>
    cell.curl === undefined ? [] : [{ what: `${nameOf(experiment, cell.target)}, ${askedWith(cell)}`, curl: cell.curl }],
  );
  return (
    <Panel
      title="The same by hand"
      aside="secrets are replaced"
      state={commands.length === 0 ? { kind: 'empty', why: 'Nothing has been asked yet.' } : undefined}
    >
      <Copy text={markdown(experiment, { url: globalThis.location?.href })} what="Copy as Markdown" />
      <details className="mt-2">
        <summary className="min-h-6 cursor-pointer text-soft hover:text-ink">The command of each cell</summary>
        <ul className="mt-2 grid gap-3">
          {commands.map(({ what, curl }) => (
            <li key={what} className="min-w-0">
              <p className="mb-1 flex flex-wrap items-center gap-3 wrap-anywhere">
                {what} <Copy text={curl} what="Copy as curl" />
              </p>
              <pre className="bg-sunken p-2 font-mono text-2xs wrap-anywhere whitespace-pre-wrap">{curl}</pre>
            </li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}
