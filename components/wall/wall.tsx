'use client';

import type { CSSProperties, ReactNode } from 'react';
import { useLink, usePastMoment, useSnapshot } from '@/lib/client/queries';
import { useView } from '@/lib/client/url-state';
import type { WallSizes } from '@/lib/client/wall';
import { elapsed } from '@/lib/format';
import { alarmState, type Incident } from '@/lib/model/incident';
import type { StackView } from '@/lib/model/snapshot';
import { VERDICTS } from '@/lib/model/verdict';
import { AlarmStateWord } from '../incident/state';
import { Announcer } from '../shell/announcer';
import { BlindBanner } from '../shell/blind-banner';
import { TopologyMap } from '../topology/map';
import { Glyph } from '../ui/glyph';
import { Sentence } from '../ui/sentence';
import { Time } from '../ui/time';

/** The wall: one sentence, the map and three numbers, in letters for the farthest seat, and how old the picture is. */
export function Wall({ sizes }: { sizes: WallSizes }) {
  const [view] = useView();
  const link = useLink();
  const past = usePastMoment();
  const seen = useSnapshot(({ stacks, at, tick }) => ({ stack: stacks.find((one) => one.id === view.stack) ?? worstOf(stacks), of: stacks.length, at, tick }));
  return (
    <div
      data-density="wall"
      data-blind={link.state === 'blind' && past === undefined}
      className="flex min-h-dvh flex-col gap-[calc(18*var(--u))] overflow-hidden px-[calc(28*var(--u))] py-[calc(18*var(--u))] text-wall leading-[1.15]"
      style={{ '--wall-name': sizes.name, '--wall-verdict': sizes.verdict } as CSSProperties}
    >
      <BlindBanner isWall />
      <Announcer />
      <main className="flex grow flex-col justify-between gap-[calc(18*var(--u))]">
        {seen?.stack ? <Picture stack={seen.stack} now={seen.at} /> : <h1 className="text-wall-verdict font-semibold">Waiting for the first frame</h1>}
      </main>
      <footer className="flex justify-between gap-[calc(40*var(--u))] border-t-[3px] border-hairline pt-[calc(10*var(--u))] text-soft">
        <span className="truncate">
          {seen?.stack?.name}
          {seen && seen.of > 1 ? ` (worst of ${seen.of})` : ''}
        </span>
        {seen ? (
          <span className="flex items-center gap-[calc(20*var(--u))] whitespace-nowrap">
            <span
              aria-hidden="true"
              className={`size-[calc(28*var(--u))] rounded-full ${link.state === 'blind' ? 'border-4 border-unknown' : seen.tick % 2 === 0 ? 'bg-soft' : 'bg-hairline'}`}
            />
            <Time at={seen.at} />
            <span>{link.state === 'blind' ? `no frame ${elapsed(link.ageMs)}` : `tick ${seen.tick}`}</span>
          </span>
        ) : null}
      </footer>
    </div>
  );
}

function Picture({ stack, now }: { stack: StackView; now: number }) {
  const { judgement } = stack;
  const loud = judgement.verdict !== 'ok';
  return (
    <>
      <header
        data-verdict={judgement.verdict}
        className={`stale-when-blind flex min-h-[calc(220*var(--u))] items-center gap-[calc(32*var(--u))] border-l-[calc(20*var(--u))] pl-[calc(28*var(--u))] ${loud ? 'border-state' : 'border-hairline'}`}
      >
        <Pulse incident={stack.incident} now={now}>
          <Glyph verdict={judgement.verdict} className="size-[calc(150*var(--u))]" />
        </Pulse>
        <div className="min-w-0">
          <h1 className="line-clamp-3 text-wall-verdict leading-[1.12] font-semibold">
            <Sentence text={stack.sentence} />
          </h1>
          <p className={loud ? 'font-bold text-state uppercase' : 'text-soft'}>
            {judgement.verdict}
            <span className="text-ink normal-case"> {elapsed(now - judgement.since)}</span>
            {stack.incident ? (
              <span className="font-medium text-ink normal-case">
                {', '}
                <AlarmStateWord incident={stack.incident} isShort />
              </span>
            ) : null}
          </p>
        </div>
      </header>
      <TopologyMap stack={stack} now={now} isWall />
      <Numbers stack={stack} now={now} />
    </>
  );
}

/** Only an alarm that is new and that nobody has acknowledged may move, one beat a second, for its first minute. */
function Pulse({ incident, now, children }: { incident: Incident | undefined; now: number; children: ReactNode }) {
  const isNew = incident !== undefined && alarmState(incident, now) === 'new' && now - incident.openedAt < PULSE_MS;
  return <div className={`shrink-0 ${isNew ? 'pulses' : ''}`}>{children}</div>;
}

const PULSE_MS = 60_000;

function Numbers({ stack, now }: { stack: StackView; now: number }) {
  const rate = stack.judgement.rate ?? summed(stack);
  const last = stack.oldestWaitMs
    ? ([elapsed(stack.oldestWaitMs), 'oldest wait'] as const)
    : ([stack.lastGoodAt ? elapsed(now - stack.lastGoodAt) : 'never', 'since a good answer'] as const);
  const numbers = [
    [`${stack.frontEnds.answering}/${stack.frontEnds.of}`, 'answer now', stack.frontEnds.answering < stack.frontEnds.of],
    [rate.of > 0 ? `${rate.failed}/${rate.of}` : '–', 'probes fail', rate.failed > 0],
    [...last, stack.judgement.verdict === 'hanging'],
  ] as const;
  return (
    <dl data-verdict={stack.judgement.verdict} className="grid grid-cols-3 gap-[calc(28*var(--u))]">
      {numbers.map(([value, name, isBad]) => (
        <div key={name} className="min-w-0 whitespace-nowrap">
          <dd className={`text-wall-number leading-none font-bold ${isBad && stack.judgement.verdict !== 'ok' ? 'text-state' : ''}`}>{value}</dd>
          <dt className="truncate text-soft">{name}</dt>
        </div>
      ))}
    </dl>
  );
}

/** Failed of all counted probes of the front-ends, where the stack itself carries no rate. */
function summed(stack: StackView): { failed: number; of: number } {
  const rates = stack.nodes.flatMap((node) => node.judgement.rate ?? []);
  return { failed: rates.reduce((sum, one) => sum + one.failed, 0), of: rates.reduce((sum, one) => sum + one.of, 0) };
}

function worstOf(stacks: readonly StackView[]): StackView | undefined {
  return [...stacks].sort((a, b) => VERDICTS.indexOf(a.judgement.verdict) - VERDICTS.indexOf(b.judgement.verdict))[0];
}
