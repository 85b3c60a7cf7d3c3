'use client';

import { useSnapshot } from '@/lib/client/queries';
import { useView } from '@/lib/client/url-state';
import { plural } from '@/lib/format';
import type { StackView } from '@/lib/model/snapshot';
import { VERDICTS } from '@/lib/model/verdict';
import { Copy } from '../ui/copy';
import { ViewLink } from '../ui/view-link';
import { NoPicture } from './no-picture';
import { StackBody, StackPage } from './stack-page';
import { VerdictHeader } from './verdict-header';

/** All stacks, worst first. A single one is shown whole; of several, the worst that is not well or the one that the URL chooses. */
export function Overview() {
  const ids = useSnapshot((snapshot) => snapshot.stacks.map((stack) => stack.id));
  if (!ids) return <NoPicture />;
  if (ids.length === 1 && ids[0] !== undefined) return <StackPage id={ids[0]} />;
  return ids.length === 0 ? <NoStack /> : <StackList />;
}

function StackList() {
  const [view] = useView();
  const seen = useSnapshot(({ stacks, at }) => ({ stacks, at }));
  if (!seen) return null;
  const stacks = worstFirst(seen.stacks);
  const open = stacks.find((stack) => stack.id === view.stack) ?? stacks.find((stack) => stack.judgement.verdict !== 'ok');
  return (
    <>
      <h1 className="text-xl font-semibold">{summary(stacks)}</h1>
      <ul aria-label="Stacks, worst first" className="grid gap-3">
        {stacks.map((stack) => (
          <li key={stack.id} className="grid min-w-0 gap-4">
            <VerdictHeader stack={stack} now={seen.at} isOneOfMany>
              {stack === open ? null : (
                <ViewLink path="/" change={{ stack: stack.id }} scroll={false} className="link" aria-label={`Show ${stack.name} here`}>
                  show here
                </ViewLink>
              )}
            </VerdictHeader>
            {stack === open ? (
              <section aria-label={`Stack ${stack.name}`} className="mb-4 grid min-w-0 gap-4">
                <StackBody stack={stack} now={seen.at} />
              </section>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Those of one verdict keep the order of the configuration. */
function worstFirst(stacks: readonly StackView[]): StackView[] {
  return [...stacks].sort((a, b) => VERDICTS.indexOf(a.judgement.verdict) - VERDICTS.indexOf(b.judgement.verdict));
}

/** "3 stacks: 1 hanging, 2 ok". */
function summary(stacks: readonly StackView[]): string {
  const counts = VERDICTS.map((verdict) => [stacks.filter((stack) => stack.judgement.verdict === verdict).length, verdict] as const);
  const told = counts.flatMap(([count, verdict]) => (count > 0 ? [`${count === stacks.length ? 'all' : count} ${verdict}`] : []));
  return `${plural(stacks.length, 'stack')}: ${told.join(', ')}`;
}

function NoStack() {
  return (
    <>
      <h1 className="text-xl font-semibold">No stack is watched</h1>
      <p className="max-w-prose text-soft">
        Nothing was configured, and no SGLang or vLLM process was found on this host. Name what shall be watched in a file wedgewatch.yaml in the folder from
        which this server is started, then start it again. The least that it needs:
      </p>
      <pre className="w-fit max-w-full overflow-x-auto bg-sunken p-3 font-mono text-xs">{LEAST}</pre>
      <p>
        <Copy text={LEAST} what="Copy this file" />
      </p>
      <p className="max-w-prose text-soft">
        Workers behind a gateway are found by themselves; lib/wedgewatch.example.yaml explains every setting. To see what this screen can tell without a stack
        of your own: npm run demo.
      </p>
    </>
  );
}

const LEAST = `stacks:
  - name: main
    targets:
      - { name: router, url: "http://10.0.0.7:30001" }
`;
