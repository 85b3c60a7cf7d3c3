import { elapsed, rate } from '@/lib/format';
import type { StackView } from '@/lib/model/snapshot';
import { Glyph } from '../ui/glyph';
import { Sentence } from '../ui/sentence';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';

/** The one sentence on the stack, with since when and on what evidence. Its height does not follow its length. */
export function VerdictHeader({ stack, now, heading = 'h1' }: { stack: StackView; now: number; heading?: 'h1' | 'h2' }) {
  const { judgement, sentence, incident } = stack;
  const Heading = heading;
  const loud = judgement.verdict !== 'ok';
  return (
    <header
      data-verdict={judgement.verdict}
      className={`stale-when-blind flex items-center gap-4 border-l-8 py-2 pl-4 ${loud ? 'border-state' : 'border-hairline'} ${judgement.freshness === 'live' ? '' : 'hatched'}`}
    >
      <Glyph verdict={judgement.verdict} className="size-11 max-sm:size-8" />
      <div className="min-w-0">
        <Heading className="text-lg leading-6 font-semibold text-balance max-sm:text-base max-sm:leading-5 lg:flex lg:min-h-12 lg:items-end">
          <span className="line-clamp-8 lg:line-clamp-2">
            <Sentence text={sentence} />
          </span>
        </Heading>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-soft lg:flex-nowrap lg:overflow-hidden lg:whitespace-nowrap">
          <span className={loud ? 'font-bold tracking-wide text-state uppercase' : ''}>{judgement.verdict}</span>
          <span>
            since <Time at={judgement.since} />{' '}
            <span className={`inline-block lg:min-w-14 ${loud ? 'font-semibold text-ink' : ''}`}>({elapsed(now - judgement.since)})</span>
          </span>
          <span>
            {stack.frontEnds.answering} of {stack.frontEnds.of} front-ends answer
          </span>
          {judgement.rate ? <span>probes fail: {rate(judgement.rate)}</span> : null}
          {stack.oldestWaitMs ? (
            <span>
              oldest probe waits <span className="inline-block lg:min-w-14">{elapsed(stack.oldestWaitMs)}</span>
            </span>
          ) : null}
          {stack.lastGoodAt ? (
            <span>
              last good answer <span className="inline-block lg:min-w-14">{elapsed(now - stack.lastGoodAt)} ago</span>
            </span>
          ) : null}
          {incident ? (
            <ViewLink path={`/incidents/${encodeURIComponent(incident.id)}`} className="link">
              incident open since <Time at={incident.openedAt} />
            </ViewLink>
          ) : null}
        </p>
      </div>
    </header>
  );
}
