'use client';

import { useStack } from '@/lib/client/queries';
import type { StackView } from '@/lib/model/snapshot';
import { StackExperiments } from '../experiment/experiments';
import { TruthTable } from '../target/truth-table';
import { NodeTable } from '../topology/table';
import { Panel } from '../ui/panel';
import { Sentence } from '../ui/sentence';
import { Charts } from './charts';
import { Coverage } from './coverage';
import { Hypotheses } from './hypotheses';
import { DeskMap } from './map/desk-map';
import { PinnedNode } from './map/pinned';
import { NotThere } from './no-picture';
import { StackOdds } from './odds';
import { Strips } from './strips';
import { VerdictHeader } from './verdict-header';

/** One stack: its sentence, and all that stands beneath it. */
export function StackPage({ id }: { id: string }) {
  const seen = useStack(id, (stack, snapshot) => ({ stack, now: snapshot.at }));
  if (!seen) return <NotThere what="stack" id={id} />;
  return (
    <>
      <VerdictHeader stack={seen.stack} now={seen.now} />
      <StackBody stack={seen.stack} now={seen.now} />
    </>
  );
}

/** The map, the probes, what it may be, and the numbers over time. */
export function StackBody({ stack, now }: { stack: StackView; now: number }) {
  return (
    <>
      <div className="grid gap-x-6 gap-y-4 max-sm:order-2 lg:grid-cols-[minmax(0,1fr)_minmax(22rem,28%)]">
        <div className="grid min-w-0 content-start gap-4">
          <div className="max-sm:hidden">
            <DeskMap stack={stack} now={now} />
          </div>
          <Strips nodes={stack.nodes} now={now} />
        </div>
        {/* Its height follows the map's, so that a growing list moves nothing. */}
        <div className="relative max-lg:contents">
          <div className="grid content-start gap-4 lg:absolute lg:inset-0 lg:flex lg:flex-col">
            <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 lg:min-h-0 lg:overflow-y-auto lg:pr-1">
              <PinnedNode stack={stack} now={now} />
              <Hypotheses stack={stack} now={now} />
              <Facts facts={stack.facts} />
            </div>
            {/* What has been found out is never below the fold of a long list of suspicions. */}
            <div className="lg:shrink-0">
              <StackExperiments stack={stack} />
            </div>
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
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-4 max-sm:order-4 xl:grid-cols-2">
        <TruthTable nodes={stack.nodes} readings={stack.readings} now={now} namesNodes />
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
          <StackOdds stack={stack} now={now} />
          <Coverage coverage={stack.coverage} nodes={stack.nodes} now={now} />
        </div>
      </div>
    </>
  );
}

function Facts({ facts }: { facts: StackView['facts'] }) {
  if (facts.length === 0) return null;
  return (
    <Panel title="Facts, not faults">
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        {facts.map((fact) => (
          <li key={fact} className="text-soft">
            <Sentence text={fact} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
