'use client';

import { count, cut, elapsed } from '@/lib/format';
import type { Kept, Reading } from '@/lib/model/kept';
import type { ProbeResult } from '@/lib/model/probe';
import { rawOf } from '@/lib/report/raw';
import { nameOf } from '@/lib/report/timeline';
import { Panel } from '../ui/panel';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';

/** What was taken by itself at the first bad verdict: a restart erases the engines' counters, so they are kept here. */
export function KeptPanel({ kept }: { kept: Kept }) {
  const targets = [...new Set(kept.readings.map((each) => each.target))];
  const byTarget = targets.map((target) => [target, kept.readings.filter((each) => each.target === target)] as const);
  return (
    <Panel
      title="Taken when it opened"
      aside={
        <>
          at <Time at={kept.at} />, kept with the incident: a restart erases the engines' own
        </>
      }
    >
      <Probes probes={kept.probes} kept={kept} />
      <div className="mt-3 grid gap-1">
        {byTarget.map(([target, readings]) => (
          <details key={target} className="border-b border-hairline py-1 last:border-b-0">
            <summary className="min-h-6">
              Counters of <span className="font-semibold">{cut(nameOf(kept, target), 60)}</span> <span className="text-faint">({readings.length})</span>
            </summary>
            <Readings readings={readings} at={kept.at} />
          </details>
        ))}
        {byTarget.length === 0 ? <p className="text-soft">No engine exported counters at that time.</p> : null}
      </div>
    </Panel>
  );
}

function Readings({ readings, at }: { readings: readonly Reading[]; at: number }) {
  return (
    <Table
      caption="Counters"
      rows={readings}
      rowKey={(one) => one.key}
      columns={[
        { title: 'counter', sort: (one) => one.key, cell: (one) => <span className="font-mono text-2xs wrap-anywhere">{one.key}</span> },
        { title: 'value', isNumber: true, sort: (one) => one.value, cell: (one) => count(one.value) },
        { title: 'read', isNumber: true, cell: (one) => <span className="text-soft">{elapsed(at - one.at)} before</span> },
      ]}
    />
  );
}

function Probes({ probes, kept }: { probes: readonly ProbeResult[]; kept: Kept }) {
  if (probes.length === 0) return <p className="text-soft">No chat of ours had failed yet.</p>;
  return (
    <ul aria-label="Raw probes" className="grid grid-cols-[minmax(0,1fr)] gap-1">
      {probes.map((probe) => (
        <li key={probe.id}>
          <details>
            <summary className="min-h-6">
              <Time at={probe.sentAt} /> <span className="font-semibold">{cut(nameOf(kept, probe.target), 40)}</span>{' '}
              <span className="text-soft wrap-anywhere">{cut(probe.sentence, 160)}</span>
            </summary>
            <pre className="mt-1 overflow-x-auto bg-sunken p-2 font-mono text-2xs whitespace-pre-wrap wrap-anywhere">{rawOf(probe)}</pre>
            <ViewLink path={`/probes/${encodeURIComponent(probe.id)}`} className="link text-2xs text-soft">
              its whole record
            </ViewLink>
          </details>
        </li>
      ))}
    </ul>
  );
}
