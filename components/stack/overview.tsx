'use client';

import { usePastMoment, usePastTrouble, useSnapshot } from '@/lib/client/queries';
import { useView } from '@/lib/client/url-state';
import { plural } from '@/lib/format';
import type { StackView } from '@/lib/model/snapshot';
import { VERDICTS } from '@/lib/model/verdict';
import { Panel } from '../ui/panel';
import { ViewLink } from '../ui/view-link';
import { StackBody, StackPage } from './stack-page';
import { VerdictHeader } from './verdict-header';

/** All stacks, worst first. A single one is shown whole; of several, the worst that is not well or the one that the URL chooses. */
export function Overview() {
  const ids = useSnapshot((snapshot) => snapshot.stacks.map((stack) => stack.id));
  const past = usePastMoment();
  const trouble = usePastTrouble();
  if (!ids) return past === undefined ? <Starting /> : <NoPicture why={trouble} />;
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

function Starting() {
  return (
    <>
      <h1 className="text-xl font-semibold">The collector is starting</h1>
      <p className="max-w-prose text-soft">
        Its first frame comes within a few seconds. If it does not, the log of this server says why, and /api/healthz which loop is late.
      </p>
      <Panel title="Map" state={{ kind: 'loading' }} />
    </>
  );
}

function NoPicture({ why }: { why: string | undefined }) {
  if (why === undefined) return <Panel title="Map" state={{ kind: 'loading' }} />;
  return (
    <>
      <h1 className="text-xl font-semibold">Nothing is kept of this second</h1>
      <p className="max-w-prose text-soft">{why}</p>
      <p className="max-w-prose text-soft">Go to a second within that time, or back to live.</p>
    </>
  );
}

function NoStack() {
  return (
    <>
      <h1 className="text-xl font-semibold">No stack is watched</h1>
      <p className="max-w-prose text-soft">
        Nothing was configured and nothing was found on this host. Write a wedgewatch.yaml with the URLs of your front-ends and engines
        (lib/wedgewatch.example.yaml is a commented example), then start again.
      </p>
    </>
  );
}
