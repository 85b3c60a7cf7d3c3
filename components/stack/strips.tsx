'use client';

import { memo } from 'react';
import { clockTime, cut, shortAddress } from '@/lib/format';
import type { NodeView, ProbeDot } from '@/lib/model/snapshot';
import { takesChats } from '@/lib/model/target';
import { healthWords, provenWords } from '../topology/facts';
import { inOrder } from '../topology/layout';
import { dotWords, lookOf } from '../topology/probe-words';
import { Glyph } from '../ui/glyph';
import { Panel } from '../ui/panel';
import { useZone } from '../ui/time';
import { ViewLink } from '../ui/view-link';

/** Recent probes of everything that takes chats, newest at the right; each is a link to its record. */
export function Strips({ nodes, now }: { nodes: readonly NodeView[]; now: number }) {
  const asked = inOrder(nodes).filter((node) => node.strip.length > 0 || takesChats(node));
  return (
    <Panel
      title="Recent probes"
      aside="newest at the right; height is the time to the first token"
      state={
        asked.length === 0
          ? { kind: 'empty', why: 'Nothing here takes chats yet. A router, a load balancer or an engine that is not split would be probed.' }
          : undefined
      }
    >
      <ul className="grid gap-1 max-sm:gap-2.5">
        {asked.map((node) => (
          <StripRow key={node.id} node={node} now={now} />
        ))}
      </ul>
    </Panel>
  );
}

function StripRow({ node, now }: { node: NodeView; now: number }) {
  const { judgement } = node;
  const says = healthWords(node);
  return (
    <li data-verdict={judgement.verdict} className="stale-when-blind flex flex-wrap items-center gap-x-3 gap-y-0.5">
      <div className="flex w-40 min-w-0 items-center gap-1.5">
        <Glyph verdict={judgement.verdict} className="size-3.5" />
        <ViewLink path={`/targets/${encodeURIComponent(node.id)}`} className="min-w-0 truncate font-semibold hover:underline">
          {cut(node.name, 40)} <span className="font-normal text-faint">{shortAddress(node.url)}</span>
        </ViewLink>
      </div>
      <div className="min-w-36 flex-1 truncate text-2xs text-soft">
        health <span className={judgement.verdict === 'hanging' ? 'font-semibold text-ink' : ''}>{says}</span>
        {' · '}
        <span className={judgement.verdict === 'ok' ? '' : 'font-semibold text-state'}>{provenWords(node, now)}</span>
      </div>
      <Strip dots={node.strip} name={node.name} now={now} />
    </li>
  );
}

/** As many as a snapshot holds. */
const PLACES = 18;
const EMPTY = Array.from({ length: PLACES }, (_, index) => `empty ${index}`);

/** The last probes of one target as a row of links, oldest first. */
export function Strip({ dots, name, now }: { dots: readonly ProbeDot[]; name: string; now: number }) {
  const shown = dots.slice(0, PLACES).reverse();
  return (
    <ol aria-label={`Last probes of ${cut(name, 60)}`} className="flex h-7 shrink-0 items-end max-sm:overflow-hidden" dir="ltr">
      {EMPTY.slice(0, PLACES - shown.length).map((place) => (
        <li key={place} aria-hidden="true" className="h-7 w-6 border-b border-hairline max-sm:hidden" />
      ))}
      {/* By place and not by probe: a new probe changes what a place shows, and nothing moves. */}
      {shown.map((dot, index) => (
        <li key={EMPTY[PLACES - shown.length + index] ?? dot.id} className="h-7 w-6 border-b border-hairline max-sm:not-nth-last-[-n+11]:hidden">
          <Dot
            id={dot.id}
            at={dot.at}
            look={lookOf(dot)}
            words={dotWords(dot, now)}
            height={height(dot)}
            isBar={dot.outcome === 'ok' || lookOf(dot) === 'pending'}
            isOpen={!dot.ended}
          />
        </li>
      ))}
    </ol>
  );
}

const Dot = memo(function Dot({
  id,
  at,
  look,
  words,
  height,
  isBar,
  isOpen,
}: {
  id: string;
  at: number;
  look: ReturnType<typeof lookOf>;
  words: string;
  height: number;
  isBar: boolean;
  isOpen: boolean;
}) {
  const zone = useZone();
  const name = `probe ${clockTime(at, zone)}: ${words}`;
  return (
    <ViewLink
      path={`/probes/${encodeURIComponent(id)}`}
      aria-label={name}
      title={name}
      data-verdict={look === 'pending' ? 'ok' : look}
      className="flex h-7 w-6 items-end justify-center hover:bg-sunken"
    >
      {isBar || look === 'pending' ? (
        // Drawn inside a box that never changes: a bar that grows must not count as something that moved.
        <svg aria-hidden="true" viewBox="0 0 24 26" className="h-[26px] w-6 text-state">
          {look === 'pending' ? (
            <circle cx="12" cy="18" r="5" fill="none" stroke="currentColor" strokeWidth="2" strokeDasharray="2 2" />
          ) : (
            <rect x="7.5" y={25 - height} width="9" height={height} fill={look === 'ok' ? 'currentColor' : 'none'} stroke="currentColor" strokeWidth="2" />
          )}
        </svg>
      ) : (
        <Glyph verdict={look} hollow={!isOpen && look === 'hanging'} className="mb-0.5 size-5" />
      )}
    </ViewLink>
  );
});

/** Height by powers of two from 50 ms up, so that both a quick and a slow stack show their change. */
function height(dot: ProbeDot): number {
  const doublings = Math.log2(Math.max(1, (dot.ttftMs ?? dot.elapsedMs) / 50));
  return Math.round(Math.min(22, 3 + doublings * 2.4));
}
