'use client';

import { useQuery } from '@tanstack/react-query';
import { probeRecord, useNode, useSnapshot } from '@/lib/client/queries';
import { bytes, cut, duration, elapsed } from '@/lib/format';
import type { ProbeResult } from '@/lib/model/probe';
import { ageOf, lookOf, outcomeWords } from '../topology/probe-words';
import { Copy } from '../ui/copy';
import { Definitions } from '../ui/definitions';
import { Glyph } from '../ui/glyph';
import { Panel } from '../ui/panel';
import { Sentence } from '../ui/sentence';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';
import { Waterfall } from './waterfall';

/** One probe explained, the way curl would tell it. */
export function ProbePage({ id }: { id: string }) {
  const { data, error, refetch, isPending } = useQuery(probeRecord(id));
  const now = useSnapshot((snapshot) => snapshot.at);
  if (isPending) return <Panel title="Probe" state={{ kind: 'loading' }} lines={8} />;
  if (!data) return <Panel title="Probe" state={{ kind: 'error', why: error?.message ?? 'This probe is not known.', retry: () => void refetch() }} />;
  const probe = grown(data, now);
  return (
    <>
      <ProbeHeader probe={probe} />
      <Panel
        title="Where the time went"
        aside={probe.lagMs > 5 ? `our own clock is uncertain by ${duration(probe.lagMs)}` : 'milliseconds on a monotonic clock, from the moment of sending'}
      >
        <Waterfall probe={probe} />
      </Panel>
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-2">
        <Asked probe={probe} />
        <Answered probe={probe} />
      </div>
      <Panel title="First bytes of the body" state={probe.exchange.head === '' ? { kind: 'empty', why: 'Not one byte of a body came.' } : undefined}>
        <pre className="max-h-96 overflow-auto bg-sunken p-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">{probe.exchange.head}</pre>
        {probe.exchange.tail ? (
          <>
            <p className="mt-2 text-faint">last bytes</p>
            <pre className="max-h-48 overflow-auto bg-sunken p-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">{probe.exchange.tail}</pre>
          </>
        ) : null}
      </Panel>
      <Panel title="The same by hand" aside="secrets are replaced">
        <pre className="mb-2 overflow-x-auto bg-sunken p-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">{probe.curl}</pre>
        <Copy text={probe.curl} what="Copy as curl" />
      </Panel>
    </>
  );
}

/** An open probe is as old as it is now, not as it was when its verdict fell. */
function grown(probe: ProbeResult, now: number | undefined): ProbeResult {
  const { elapsedMs, ended } = probe.exchange;
  const age = ageOf({ at: probe.sentAt, elapsedMs, ended }, now ?? 0);
  return age === elapsedMs ? probe : { ...probe, exchange: { ...probe.exchange, elapsedMs: age } };
}

function ProbeHeader({ probe }: { probe: ProbeResult }) {
  const name = useNode(probe.target, (node) => node.name) ?? probe.target;
  const finding = { outcome: probe.outcome, late: probe.late, status: probe.exchange.status };
  const look = lookOf(finding);
  const verdict = look === 'pending' ? 'unknown' : look;
  return (
    <header data-verdict={verdict} className={`flex items-center gap-4 border-l-8 py-2 pl-4 ${verdict === 'ok' ? 'border-hairline' : 'border-state'}`}>
      <Glyph verdict={verdict} className="size-11 max-sm:size-8" />
      <div className="min-w-0">
        <h1 className="text-xl leading-[1.65rem] font-semibold">
          {outcomeWords(finding)}: <Sentence text={cut(probe.sentence, 300)} />
        </h1>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-soft wrap-anywhere">
          <span>
            {probe.probe} probe of{' '}
            <ViewLink path={`/targets/${encodeURIComponent(probe.target)}`} className="link">
              {cut(name, 80)}
            </ViewLink>
          </span>
          <span>
            sent <Time at={probe.sentAt} withDate />
          </span>
          <span>{PURPOSES[probe.purpose]}</span>
          <span>{probe.exchange.ended ? `ended after ${duration(probe.exchange.elapsedMs)}` : `still open, ${elapsed(probe.exchange.elapsedMs)} so far`}</span>
          {probe.late ? <span className="font-semibold text-ink">past its deadline</span> : null}
          {probe.experiment ? (
            <ViewLink path={`/experiments/${encodeURIComponent(probe.experiment)}`} className="link">
              part of an experiment
            </ViewLink>
          ) : null}
        </p>
      </div>
    </header>
  );
}

const PURPOSES: Record<ProbeResult['purpose'], string> = {
  steady: 'sent by the steady loop',
  confirm: 'sent as a second witness',
  heal: 'sent because work seemed to move again',
  experiment: 'sent by an experiment',
};

function Asked({ probe }: { probe: ProbeResult }) {
  return (
    <Panel title="What was asked">
      <Definitions
        of={[
          ['path', <code key="path">{cut(probe.path, 300)}</code>],
          ['model', probe.model === undefined ? undefined : <code key="model">{cut(probe.model, 200)}</code>],
          ['tokens asked', probe.maxTokens === undefined ? undefined : String(probe.maxTokens)],
          ['stream', probe.stream === undefined ? undefined : probe.stream ? 'yes' : 'no'],
          ['request id', probe.rid === undefined ? undefined : <code key="rid">{probe.rid}</code>],
          ['deadline', `${duration(probe.deadlineMs)}, ${probe.deadlineFrom}`],
          ['proves', { service: 'that work is done', health: 'only that health is claimed', facts: 'neither health nor work' }[probe.proves]],
        ]}
      />
    </Panel>
  );
}

function Answered({ probe }: { probe: ProbeResult }) {
  const { exchange, reading } = probe;
  return (
    <Panel title="What came back">
      <Definitions
        of={[
          ['code', exchange.status === undefined ? 'none' : String(exchange.status)],
          ['body', bytes(exchange.bytes)],
          ['on the socket', bytes(exchange.socketBytes)],
          ['wall time', duration(exchange.elapsedMs)],
          ['failure', exchange.failure && `${exchange.failure}${exchange.detail ? `: ${cut(exchange.detail, 200)}` : ''}`],
          ['first token', reading ? (reading.ttftMs === undefined ? 'never' : duration(reading.ttftMs)) : undefined],
          ['tokens', reading && `${reading.tokens}, longest gap ${duration(reading.maxGapMs)}`],
          [
            'stream',
            reading &&
              [reading.sawRole ? 'role chunk' : '', reading.comments ? `${reading.comments} comments` : '', reading.sawDone ? '[DONE]' : 'no [DONE]']
                .filter(Boolean)
                .join(', '),
          ],
          ['finish reason', reading?.finishReason && cut(reading.finishReason, 60)],
          ['its text', reading?.text && cut(reading.text, 200)],
          ['its error', reading?.error && cut(reading.error, 300)],
          ['model echoed', reading?.echoedModel && cut(reading.echoedModel, 200)],
          ...Object.entries(exchange.headers).map(([name, value]) => [name, <code key={name}>{cut(value, 200)}</code>] as const),
        ]}
      />
    </Panel>
  );
}
