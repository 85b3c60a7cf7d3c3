import type { ReactNode } from 'react';
import { elapsed, rate } from '@/lib/format';
import type { StackView } from '@/lib/model/snapshot';
import { AlarmStateWord } from '../incident/state';
import { Glyph } from '../ui/glyph';
import { Num } from '../ui/number';
import { Sentence } from '../ui/sentence';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';

/** The one sentence on the stack, with since when and on what evidence. Its height does not follow its length. */
export function VerdictHeader({
  stack,
  now,
  isOneOfMany = false,
  children,
}: {
  stack: StackView;
  now: number;
  /** Smaller, and with the stack's name as the way to its page. */
  isOneOfMany?: boolean;
  children?: ReactNode;
}) {
  const { judgement, sentence, incident, returned } = stack;
  const Heading = isOneOfMany ? 'h2' : 'h1';
  const loud = judgement.verdict !== 'ok';
  return (
    <header
      data-verdict={judgement.verdict}
      className={`stale-when-blind flex items-center gap-4 border-l-8 pl-4 ${isOneOfMany ? 'py-1' : 'py-2'} ${loud ? 'border-state' : 'border-hairline'} ${judgement.freshness === 'live' ? '' : 'hatched'}`}
    >
      <Glyph verdict={judgement.verdict} className={isOneOfMany ? 'size-8' : 'size-11 max-sm:size-8'} />
      <div className="min-w-0 grow">
        {isOneOfMany ? (
          <p className="flex flex-wrap gap-x-3">
            <ViewLink path={`/stacks/${encodeURIComponent(stack.id)}`} className="link min-w-0 truncate font-semibold">
              {stack.name}
            </ViewLink>
            {children}
          </p>
        ) : null}
        <Heading className={`font-semibold text-balance ${isOneOfMany ? 'text-sm leading-5' : WHOLE}`}>
          <span className={`line-clamp-8 ${isOneOfMany ? '' : 'lg:line-clamp-2'}`}>
            <Sentence text={sentence} />
          </span>
        </Heading>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-soft lg:flex-nowrap lg:overflow-hidden lg:whitespace-nowrap">
          <span className={loud ? 'font-bold tracking-wide text-state uppercase' : ''}>{judgement.verdict}</span>
          <span>
            since <Time at={judgement.since} />{' '}
            <span className={`inline-block lg:min-w-14 ${loud ? 'font-semibold text-ink' : ''}`}>({elapsed(now - judgement.since)})</span>
          </span>
          {incident ? (
            <ViewLink path={`/incidents/${encodeURIComponent(incident.id)}`} className="link">
              incident <AlarmStateWord incident={incident} isShort />
            </ViewLink>
          ) : null}
          <span>
            {stack.frontEnds.answering} of {stack.frontEnds.of} front-ends answer
          </span>
          {judgement.rate ? (
            <span>
              probes fail: <Num text={rate(judgement.rate)}>{rate(judgement.rate)}</Num>
            </span>
          ) : null}
          {stack.oldestWaitMs ? (
            <span>
              oldest probe waits{' '}
              <span className="inline-block lg:min-w-14">
                <Num text={elapsed(stack.oldestWaitMs)}>{elapsed(stack.oldestWaitMs)}</Num>
              </span>
            </span>
          ) : null}
          {/* While all is well the sentence says it. */}
          {loud && stack.lastGoodAt ? (
            <span>
              last good answer <span className="inline-block lg:min-w-14">{elapsed(now - stack.lastGoodAt)} ago</span>
            </span>
          ) : null}
          {returned ? (
            <ViewLink path={`/incidents/${encodeURIComponent(returned.id)}`} className="link">
              an incident of <Time at={returned.openedAt} /> has cleared, nobody has acknowledged it
            </ViewLink>
          ) : null}
        </p>
      </div>
    </header>
  );
}

const WHOLE = 'text-lg leading-6 max-sm:text-base max-sm:leading-5 lg:flex lg:min-h-12 lg:items-end';
