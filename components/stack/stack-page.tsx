'use client';

import { useStack } from '@/lib/client/queries';
import type { StackView } from '@/lib/model/snapshot';
import { TopologyMap } from '../topology/map';
import { NodeTable } from '../topology/table';
import { Panel } from '../ui/panel';
import { Sentence } from '../ui/sentence';
import { Charts } from './charts';
import { Hypotheses } from './hypotheses';
import { Strips } from './strips';
import { VerdictHeader } from './verdict-header';

/** One stack: its sentence, its map, its probes, what it may be, and its numbers over time. */
export function StackPage({ id }: { id: string }) {
  const seen = useStack(id, (stack, snapshot) => ({ stack, now: snapshot.at }));
  if (!seen) return <Panel title="Stack" state={{ kind: 'empty', why: `No stack named "${id}" is in this picture.` }} />;
  const { stack, now } = seen;
  const isQuiet = stack.judgement.verdict === 'ok';
  return (
    <>
      <VerdictHeader stack={stack} now={now} />
      <div className="grid gap-x-6 gap-y-4 max-sm:order-2 lg:grid-cols-[minmax(0,1fr)_minmax(22rem,28%)]">
        <div className="grid min-w-0 content-start gap-4">
          <div className="max-sm:hidden">
            <TopologyMap stack={stack} now={now} />
          </div>
          <Strips nodes={stack.nodes} />
        </div>
        {/* Its height follows the map's, so that a growing list moves nothing. */}
        <div className="relative max-lg:contents">
          <div className="grid content-start gap-4 lg:absolute lg:inset-0 lg:overflow-y-auto lg:pr-1">
            <Hypotheses ranked={stack.hypotheses} isQuiet={isQuiet} />
            <Facts facts={stack.facts} />
          </div>
        </div>
      </div>
      <div className="min-w-0 max-sm:order-3">
        <Charts stack={stack} nodes={stack.nodes} />
      </div>
      {/* On a phone: the verdict, then this list. */}
      <div className="min-w-0 max-sm:order-1">
        <NodeTable nodes={stack.nodes} now={now} />
      </div>
    </>
  );
}

function Facts({ facts }: { facts: StackView['facts'] }) {
  if (facts.length === 0) return null;
  return (
    <Panel title="Facts, not faults">
      <ul className="grid gap-1.5">
        {facts.map((fact) => (
          <li key={fact} className="text-soft">
            <Sentence text={fact} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
