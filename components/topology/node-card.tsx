'use client';

import { type MouseEvent, memo } from 'react';
import { clockTime, cut, hostPort, shortAddress } from '@/lib/format';
import { Glyph } from '../ui/glyph';
import { Time, useZone } from '../ui/time';
import { ViewLink } from '../ui/view-link';
import type { CardFacts } from './facts';
import type { Form } from './layout';

type Props = CardFacts & {
  form: Form;
  isDim: boolean;
  isFirst: boolean;
  isWall: boolean;
  /** Pinned on the map: a second click or Enter then opens its page. */
  isPinned?: boolean;
  /** Pins it; false when it is pinned already. */
  onPin?: (id: string) => boolean;
};

/** One node of the map; a link to its page, which a map that pins follows only from a pinned node. */
export const NodeCard = memo(function NodeCard(props: Props) {
  const { id, verdict, freshness, form, isDim, isFirst, isWall, isPinned = false, onPin } = props;
  const zone = useZone();
  const name = `${props.name} ${hostPort(props.url)}, ${verdict}, since ${clockTime(props.since, zone)}`;
  const pin = (event: MouseEvent) => {
    if (!onPin || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (onPin(id)) event.preventDefault();
  };
  return (
    <ViewLink
      path={`/targets/${encodeURIComponent(id)}`}
      data-slot={id}
      data-verdict={verdict}
      aria-current={isPinned || undefined}
      draggable={false}
      onClick={pin}
      tabIndex={isFirst ? 0 : -1}
      aria-label={[name, props.says && `health says ${props.says}`, props.proves && `probe: ${props.proves}`].filter(Boolean).join('; ')}
      title={form === 'card' && !isWall ? undefined : name}
      className={`stale-when-blind absolute inset-0 block overflow-hidden rounded-[3px] bg-raised motion-safe:transition-opacity motion-safe:delay-100 hover:border-ink focus-visible:z-10 ${BORDER[verdict]} ${
        isDim ? 'opacity-15' : ''
      } ${isPinned ? 'outline-2 outline-offset-1 outline-ink' : ''} ${freshness === 'live' ? '' : 'hatched'}`}
    >
      {inside(props)}
    </ViewLink>
  );
});

const BORDER: Record<CardFacts['verdict'], string> = {
  ok: 'border border-hairline',
  degraded: 'border-2 border-state',
  hanging: 'border-4 border-state',
  down: 'border-3 border-dashed border-state',
  misconfigured: 'border-3 border-dotted border-state',
  unknown: 'border border-dashed border-state',
};

function inside(props: Props) {
  if (props.form === 'cell') return <Cell {...props} />;
  if (props.isWall) return <WallCard {...props} />;
  if (props.form === 'card') return <Card {...props} />;
  return props.form === 'row' ? <Row {...props} /> : <OneLine {...props} />;
}

/** Name and verdict in letters for the farthest seat; nothing smaller. */
function WallCard({ name, verdict, freshness, form, isPaused }: Props) {
  return (
    <div className="flex h-full flex-col justify-center px-[calc(14*var(--u))] text-wall leading-[1.15]">
      <div className="flex items-center gap-[calc(14*var(--u))]">
        <Glyph verdict={verdict} className="size-[calc(44*var(--u))]" />
        <span className="truncate font-semibold">{cut(name, 24)}</span>
      </div>
      {form === 'card' ? (
        <div className={`truncate ${verdict === 'ok' ? 'text-soft' : 'font-bold text-state uppercase'}`}>
          {freshness === 'blind' ? 'no data' : isPaused ? 'PAUSED' : verdict}
        </div>
      ) : null}
    </div>
  );
}

function Card(props: Props) {
  return (
    <div className="flex h-full flex-col gap-0.5 px-2 py-1.5 text-2xs">
      <Name {...props} />
      <Since {...props} />
      {props.queues ? <Queues {...props} /> : <Divergence {...props} />}
    </div>
  );
}

function Row(props: Props) {
  return (
    <div className="flex h-full flex-col justify-center gap-0.5 px-2 text-2xs">
      <Name {...props} />
      {props.verdict === 'ok' ? <div className="truncate text-faint">{props.queues.replaceAll('|', ' · ') || props.proves}</div> : <Since {...props} isShort />}
    </div>
  );
}

function OneLine({ name, url, verdict, form, age }: Props) {
  return (
    <div className="flex h-full items-center gap-1.5 px-1.5 text-2xs">
      <Glyph verdict={verdict} className="size-3.5" />
      <span className="truncate">{form === 'tile' && verdict === 'ok' ? shortAddress(url) : cut(name, 40)}</span>
      {form === 'line' && age ? <span className="ml-auto shrink-0 text-soft">{age}</span> : null}
    </div>
  );
}

function Cell({ verdict }: Props) {
  return (
    <div className="grid h-full place-items-center">
      <Glyph verdict={verdict} className="size-3.5" />
    </div>
  );
}

function Name({ name, url, verdict, isPaused, isWitness }: Props) {
  return (
    <div className="flex items-center gap-1.5 text-[0.8125rem] leading-5">
      <Glyph verdict={verdict} className="size-4" />
      <span className="min-w-0 truncate font-semibold">{cut(name, 60)}</span>
      <span className="min-w-0 shrink-[100] truncate text-2xs text-faint">{shortAddress(url)}</span>
      <span className="ml-auto flex shrink-0 items-center gap-1.5 pl-1">
        {isPaused ? <span className="border border-current px-1 text-2xs font-bold">PAUSED</span> : null}
        {isWitness && verdict === 'ok' ? <span className="text-2xs text-faint">witness</span> : null}
        <span className={verdict === 'ok' ? 'text-2xs text-soft' : 'text-2xs font-bold tracking-wide text-state uppercase'}>{verdict}</span>
      </span>
    </div>
  );
}

function Since({ since, age, detail, queues, says, scheduler, model, isShort = false }: Props & { isShort?: boolean }) {
  return (
    <div className="truncate text-soft">
      since <Time at={since} />
      {age ? <span className="font-semibold text-ink"> · {age}</span> : null}
      {detail ? ` · ${detail}` : null}
      {isShort ? null : scheduler ? (
        <span className="block truncate font-semibold text-ink">scheduler silent {scheduler}</span>
      ) : queues && says ? (
        <span className="block truncate">health says {says}</span>
      ) : model ? (
        <span className="block truncate">asked for {cut(model, 80)}</span>
      ) : null}
    </div>
  );
}

/** The heart of the product: what health says, beside what the probe proves. */
function Divergence({ says, proves, verdict }: Props) {
  const disagree = verdict === 'hanging' && /^2\d\d/.test(says);
  return (
    <dl className="mt-auto grid grid-cols-[auto_1fr] gap-x-2 border-t border-hairline pt-1 leading-4">
      <dt className="text-faint">health says</dt>
      <dd className={`truncate ${disagree ? 'font-semibold text-ink' : 'text-soft'}`}>{says}</dd>
      <dt className="text-faint">probe proves</dt>
      <dd className={`truncate ${verdict === 'ok' ? 'text-soft' : 'font-semibold text-state'}`}>{proves || 'nothing yet'}</dd>
    </dl>
  );
}

function Queues({ queues, scheduler, says }: Props) {
  return (
    <>
      <dl className={`mt-auto grid grid-cols-2 gap-x-3 border-t border-hairline pt-1 leading-4 ${scheduler ? 'hatched' : ''}`}>
        {queues.split('|').map((entry) => {
          const [label = '', value = ''] = entry.split(' ');
          return (
            <div key={label} className="flex justify-between gap-1">
              <dt className="truncate text-faint">{label}</dt>
              <dd className={value === '0' || value === '–' ? 'text-soft' : 'font-semibold text-ink'}>{value}</dd>
            </div>
          );
        })}
      </dl>
      {scheduler ? <p className="sr-only">numbers are as old as the scheduler's last word; health says {says}</p> : null}
    </>
  );
}
