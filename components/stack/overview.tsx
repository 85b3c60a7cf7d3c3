'use client';

import { useSnapshot } from '@/lib/client/queries';
import { useView } from '@/lib/client/url-state';
import { Panel } from '../ui/panel';
import { ViewLink } from '../ui/view-link';
import { StackPage } from './stack-page';
import { VerdictHeader } from './verdict-header';

/** All stacks; a single one is shown whole. */
export function Overview() {
  const [view] = useView();
  const ids = useSnapshot((snapshot) => snapshot.stacks.map((stack) => stack.id));
  if (!ids) return <Starting />;
  const chosen = ids.find((id) => id === view.stack) ?? (ids.length === 1 ? ids[0] : undefined);
  if (chosen !== undefined) return <StackPage id={chosen} />;
  return ids.length === 0 ? <NoStack /> : <StackList />;
}

function StackList() {
  const seen = useSnapshot(({ stacks, at }) => ({ stacks, at }));
  return (
    <>
      <h1 className="sr-only">All stacks</h1>
      <ul className="grid gap-3">
        {seen?.stacks.map((stack) => (
          <li key={stack.id}>
            <ViewLink path={`/stacks/${encodeURIComponent(stack.id)}`} className="text-xs font-semibold text-soft hover:underline">
              {stack.name}
            </ViewLink>
            <VerdictHeader stack={stack} now={seen.at} heading="h2" />
          </li>
        ))}
      </ul>
    </>
  );
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
