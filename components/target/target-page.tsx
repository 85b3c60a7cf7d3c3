'use client';

import { useNode } from '@/lib/client/queries';
import { elapsed, hostPort, rate } from '@/lib/format';
import type { NodeView, StackView } from '@/lib/model/snapshot';
import { takesChats } from '@/lib/model/target';
import { Charts } from '../stack/charts';
import { NotThere } from '../stack/no-picture';
import { Strip } from '../stack/strips';
import { provenWords, whereWords } from '../topology/facts';
import { Glyph } from '../ui/glyph';
import { Panel } from '../ui/panel';
import { Sentence } from '../ui/sentence';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';
import { Actions } from './actions';
import { Counters } from './counters';
import { Identity } from './identity';
import { ProbeTable } from './probe-table';
import { AllSeries } from './series';
import { TruthTable } from './truth-table';

/** One front-end or engine: what it claims, what it proves, and every number with its age. */
export function TargetPage({ id }: { id: string }) {
  const seen = useNode(id, (node, stack, snapshot) => ({ node, stack, now: snapshot.at }));
  if (!seen) return <NotThere what="node" id={id} />;
  const { node, stack, now } = seen;
  const isProbed = node.strip.length > 0 || takesChats(node);
  return (
    <>
      <NodeHeader node={node} stack={stack} now={now} />
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,30%)]">
        <div className="grid min-w-0 content-start gap-4">
          <Truth node={node} now={now} />
          {isProbed ? (
            <Panel title="Recent probes" aside="newest at the right; each opens its record">
              <Strip dots={node.strip} name={node.name} now={now} />
              <ProbeTable dots={node.strip} name={node.name} now={now} />
            </Panel>
          ) : null}
          {isProbed ? null : <Charts stack={stack} nodes={[node]} />}
          <TruthTable nodes={[node]} readings={stack.readings} now={now} />
          <Counters node={node} />
          <AllSeries node={node} exports={stack.exports} now={now} />
        </div>
        <div className="grid min-w-0 content-start gap-4">
          {isProbed ? <Actions node={node} stack={stack.id} siblings={stack.nodes.filter(takesChats).map((one) => one.id)} now={now} /> : null}
          <Identity node={node} stack={stack} now={now} />
        </div>
      </div>
    </>
  );
}

function NodeHeader({ node, stack, now }: { node: NodeView; stack: StackView; now: number }) {
  const { judgement } = node;
  const loud = judgement.verdict !== 'ok';
  return (
    <header
      data-verdict={judgement.verdict}
      className={`stale-when-blind flex items-center gap-4 border-l-8 py-2 pl-4 ${loud ? 'border-state' : 'border-hairline'} ${judgement.freshness === 'live' ? '' : 'hatched'}`}
    >
      <Glyph verdict={judgement.verdict} className="size-11 max-sm:size-8" />
      <div className="min-w-0">
        <h1 className="text-xl leading-[1.65rem] font-semibold">
          {node.name} <span className="font-normal text-soft">{hostPort(node.url)}</span>{' '}
          <span className={loud ? 'font-bold tracking-wide text-state uppercase' : 'text-soft'}>{judgement.verdict}</span>
        </h1>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-soft wrap-anywhere">
          <span>
            since <Time at={judgement.since} /> <span className={loud ? 'font-semibold text-ink' : ''}>({elapsed(now - judgement.since)})</span>
          </span>
          {judgement.place && judgement.place.kind !== 'none' ? (
            <span className={loud ? 'font-semibold text-ink' : ''}>stops at {whereWords(judgement.place)}</span>
          ) : null}
          {judgement.phase ? <span>{judgement.phase}</span> : null}
          {judgement.detail ? <span>{judgement.detail}</span> : null}
          {judgement.rate ? <span>probes fail: {rate(judgement.rate)}</span> : null}
          <span>
            <Sentence text={judgement.because} />
          </span>
          <ViewLink path={`/stacks/${encodeURIComponent(stack.id)}`} className="link">
            stack {stack.name}
          </ViewLink>
        </p>
      </div>
    </header>
  );
}

/** What health says beside what the probe proves. */
function Truth({ node, now }: { node: NodeView; now: number }) {
  const { health, judgement } = node;
  const proof = provenWords(node, now);
  return (
    <Panel title="Claim and proof">
      <div className="grid gap-4 sm:grid-cols-2">
        <div>
          <p className="text-faint">health says</p>
          {health ? (
            <>
              <p className="text-lg leading-6 font-semibold">{health.sentence}</p>
              <p className="text-soft">
                {health.path}, asked {elapsed(now - health.at)} ago. {health.says === 'up' ? 'What that proves: ' : 'What a 200 would prove: '}
                {health.proves}
              </p>
            </>
          ) : (
            <p className="text-soft">
              {node.kind === 'openai' ? 'Not known: this software has no health page that we know, so only the probe tells.' : 'It has not been asked yet.'}
            </p>
          )}
        </div>
        <div data-verdict={judgement.verdict}>
          <p className="text-faint">the probe proves</p>
          <p className={`text-lg leading-6 font-semibold ${judgement.verdict === 'ok' || !proof ? '' : 'text-state'}`}>
            {proof || 'nothing here: chats go through the front-ends'}
          </p>
          <p className="text-soft">
            <Sentence text={judgement.because} />
          </p>
        </div>
      </div>
    </Panel>
  );
}
