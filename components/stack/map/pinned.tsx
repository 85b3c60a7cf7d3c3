'use client';

import { useView } from '@/lib/client/url-state';
import { elapsed, hostPort, rate } from '@/lib/format';
import type { NodeView, StackView } from '@/lib/model/snapshot';
import { takesChats } from '@/lib/model/target';
import { RunExperiment } from '../../experiment/run';
import { CopyCurl } from '../../probe/copy-curl';
import { healthWords, provenWords, queuesOf, whereWords } from '../../topology/facts';
import { dotWords } from '../../topology/probe-words';
import { Definitions } from '../../ui/definitions';
import { Panel } from '../../ui/panel';
import { Sentence } from '../../ui/sentence';
import { Time } from '../../ui/time';
import { VerdictBadge } from '../../ui/verdict-badge';
import { ViewLink } from '../../ui/view-link';

/** The node that is pinned on the map: what is known of it, and the ways on. */
export function PinnedNode({ stack, now }: { stack: StackView; now: number }) {
  const [view, setView] = useView();
  const node = stack.nodes.find((one) => one.id === view.node);
  if (!node) return null;
  return (
    <aside aria-label={`Pinned: ${node.name}`} className="border border-line p-3 max-sm:hidden">
      <Panel
        title={`${node.name} ${hostPort(node.url)}`}
        aside={
          <button type="button" onClick={() => setView({ node: undefined })} className="min-h-6 px-1 text-soft hover:text-ink hover:underline">
            unpin
          </button>
        }
      >
        <Facts node={node} now={now} />
        <Ways node={node} stack={stack} now={now} />
      </Panel>
    </aside>
  );
}

function Facts({ node, now }: { node: NodeView; now: number }) {
  const { judgement } = node;
  const proof = provenWords(node, now);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3">
        <VerdictBadge verdict={judgement.verdict} freshness={judgement.freshness} detail={judgement.detail} />
        <span>
          since <Time at={judgement.since} /> ({elapsed(now - judgement.since)})
        </span>
      </p>
      <p className="my-1.5 text-soft">
        <Sentence text={judgement.because} />
      </p>
      <Definitions
        of={[
          ['role', node.role],
          ['stops at', judgement.place && judgement.place.kind !== 'none' ? whereWords(judgement.place) : undefined],
          ['health says', healthWords(node)],
          ['probe proves', proof || 'nothing here: chats go through the front-ends'],
          ['probes fail', judgement.rate ? rate(judgement.rate) : undefined],
          [
            'queues',
            queuesOf(node)
              .map(([label, value]) => `${label} ${value}`)
              .join(', ') || undefined,
          ],
          ['software', [node.kind, node.version].filter(Boolean).join(' ')],
        ]}
      />
    </>
  );
}

function Ways({ node, stack, now }: { node: NodeView; stack: StackView; now: number }) {
  const last = node.strip[0];
  const chats = stack.nodes.filter(takesChats).map((one) => one.id);
  return (
    <div className="mt-2 grid gap-2">
      <p className="flex flex-wrap gap-x-4">
        <ViewLink path={`/targets/${encodeURIComponent(node.id)}`} className="link inline-flex min-h-6 items-center font-semibold">
          Page of {node.name}
        </ViewLink>
        {last ? (
          <ViewLink path={`/probes/${encodeURIComponent(last.id)}`} className="link inline-flex min-h-6 items-center">
            Last probe: {dotWords(last, now)}
          </ViewLink>
        ) : null}
        {last ? <CopyCurl probe={last.id} of={`last probe of ${node.name}`} /> : null}
      </p>
      {takesChats(node) ? <RunExperiment stack={stack.id} targets={[node.id, ...chats.filter((id) => id !== node.id)]} /> : null}
    </div>
  );
}
