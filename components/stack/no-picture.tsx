'use client';

import { usePastMoment, usePastTrouble, useSnapshot } from '@/lib/client/queries';
import { cut } from '@/lib/format';
import { Panel } from '../ui/panel';
import { ViewLink } from '../ui/view-link';

/** What a page says when there is no picture to show: none yet, none kept of that second, or still on its way. */
export function NoPicture() {
  const past = usePastMoment();
  const trouble = usePastTrouble();
  if (past === undefined) return <Starting />;
  if (trouble === undefined) return <Panel title="Map" state={{ kind: 'loading' }} />;
  return (
    <>
      <h1 className="text-xl font-semibold">Nothing is kept of this second</h1>
      <p className="max-w-prose text-soft">{trouble}</p>
      <p className="max-w-prose text-soft">Go to a second within that time, or back to live.</p>
    </>
  );
}

/** A stack or node that a link names and the picture has not; without a picture nothing is said of it. */
export function NotThere({ what, id }: { what: 'stack' | 'node'; id: string }) {
  const hasPicture = useSnapshot(() => true) === true;
  if (!hasPicture) return <NoPicture />;
  return (
    <>
      <h1 className="text-xl font-semibold">No such {what}</h1>
      <p className="text-soft">
        {what === 'stack' ? `No stack named "${cut(id, 120)}" is in this picture.` : `No node with the id "${cut(id, 120)}" is in this picture.`}{' '}
        {what === 'stack' ? 'It may have been renamed' : 'It may have left the stack'}, or the link is from another installation.
      </p>
      <p>
        <ViewLink path="/" className="link">
          To the overview
        </ViewLink>
      </p>
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
