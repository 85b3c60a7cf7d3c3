import type { Observation } from '@/lib/model/observation';
import type { Sample, SeriesName } from '@/lib/model/sample';
import type { TargetId } from '@/lib/model/target';

/** What one counter of an engine said before our first chat, at most while chats were out, and at the end; `null` where it was not read. */
export type CounterLine = { name: SeriesName; by?: string; words: string; isTotal: boolean; before: number | null; most: number | null; end: number | null };

type Wanted = { name: SeriesName; by?: string; words: string };

/** What tells where a request stands, in the order of its way. */
const WANTED: Wanted[] = [
  { name: 'loads_age_seconds', words: 'scheduler last spoke, s' },
  { name: 'http_requests_active', by: 'chat', words: 'chats in its HTTP process' },
  { name: 'num_prefill_bootstrap_queue_reqs', words: 'prefill bootstrap queue' },
  { name: 'num_queue_reqs', words: 'waiting' },
  { name: 'num_prefill_inflight_queue_reqs', words: 'prefill inflight queue' },
  { name: 'num_decode_prealloc_queue_reqs', words: 'decode prealloc queue' },
  { name: 'num_decode_transfer_queue_reqs', words: 'decode transfer queue' },
  { name: 'num_running_reqs', words: 'running' },
  { name: 'realtime_tokens_total', by: 'prefill_compute', words: 'tokens prefilled' },
  { name: 'realtime_tokens_total', by: 'decode', words: 'tokens decoded' },
  { name: 'generation_tokens_total', words: 'tokens handed out' },
];

/** Remembers what the engines' pages told before, while and after our chats were out. */
export function counterBook() {
  const readings = new Map<TargetId, { at: number; samples: Sample[] }[]>();
  const pages = new Set<TargetId>();
  return {
    /** Its metrics page was asked for, whatever came. */
    wasAsked: (id: TargetId) => pages.has(id),
    take(o: Observation): void {
      if (o.kind !== 'scrape' || o.source === 'router') return;
      if (o.source === 'metrics') pages.add(o.target);
      if (o.outcome !== 'ok') return;
      readings.set(o.target, [...(readings.get(o.target) ?? []), { at: o.at, samples: o.samples }]);
    },
    has: (id: TargetId) => readings.has(id),
    lines(id: TargetId, sentAt: number): CounterLine[] {
      return WANTED.flatMap((wanted) => lineOf(wanted, readings.get(id) ?? [], sentAt));
    },
  };
}

function lineOf({ name, by, words }: Wanted, readings: readonly { at: number; samples: Sample[] }[], sentAt: number): CounterLine[] {
  // the metrics page may repeat an old word, `/v1/loads` does not
  const isLive = readings.some(({ samples }) => samples.some((sample) => sample.name === name && sample.source === 'loads'));
  const values = readings.flatMap(({ at, samples }) => {
    const value = totalOf(isLive ? samples.filter(({ source }) => source === 'loads') : samples, name, by);
    return value === undefined ? [] : [{ at, value }];
  });
  const end = values.at(-1);
  if (end === undefined) return [];
  const isTotal = name.endsWith('_total');
  const during = values.filter(({ at }) => at > sentAt).map(({ value }) => value);
  return [
    {
      name,
      ...(by === undefined ? {} : { by }),
      words,
      isTotal,
      before: values.findLast(({ at }) => at <= sentAt)?.value ?? null,
      most: during.length === 0 ? null : Math.max(...during),
      end: end.value,
    },
  ];
}

/** Summed over ranks; of ages the oldest. */
function totalOf(samples: readonly Sample[], name: SeriesName, by: string | undefined): number | undefined {
  const all = samples.filter((sample) => sample.name === name && sample.by === by).map(({ value }) => value);
  if (all.length === 0) return undefined;
  return name === 'loads_age_seconds' ? Math.max(...all) : all.reduce((sum, value) => sum + value, 0);
}
