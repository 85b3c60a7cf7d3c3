import { elapsed } from '@/lib/format';
import type { NodeView, ValueView } from '@/lib/model/snapshot';
import { type Freshness, type Place, placeName, type Verdict } from '@/lib/model/verdict';
import { dotWords, lookOf } from './probe-words';

/** What a card shows, as primitives, so that a card redraws only when it would look different. */
export type CardFacts = {
  id: string;
  name: string;
  url: string;
  role: NodeView['role'];
  verdict: Verdict;
  freshness: Freshness;
  detail: string;
  since: number;
  /** "2 m 11 s"; empty while all is well, so that a quiet map stands still. */
  age: string;
  says: string;
  proves: string;
  queues: string;
  /** The id that it is probed with; it differs between front-ends. */
  model: string;
  scheduler: string;
  isPaused: boolean;
  isWitness: boolean;
};

export function cardFacts(node: NodeView, now: number): CardFacts {
  const { judgement } = node;
  const quiet = judgement.verdict === 'ok' && judgement.freshness === 'live';
  return {
    id: node.id,
    name: node.name,
    url: node.url,
    role: node.role,
    verdict: judgement.verdict,
    freshness: judgement.freshness,
    detail: [judgement.detail, judgement.phase].filter(Boolean).join(', '),
    since: judgement.since,
    age: quiet ? '' : elapsed(now - judgement.since),
    says: healthWords(node),
    proves: provenWords(node, now),
    queues: queuesOf(node)
      .map(([label, value]) => `${label} ${value}`)
      .join('|'),
    model: node.strip.length > 0 ? (node.models.ids[0] ?? (node.models.error ? 'no model list' : '')) : '',
    scheduler: node.schedulerAgeS !== undefined && node.schedulerAgeS > 10 ? elapsed(node.schedulerAgeS * 1_000) : '',
    isPaused: node.budget?.paused ?? false,
    isWitness: judgement.suppressedBy !== undefined,
  };
}

/** A place in words, with the doubt that belongs to it. */
export function whereWords(place: Place): string {
  return place.inferred ? `${placeName(place)} (inferred)` : placeName(place);
}

/** What health says, in as few words as a cell holds: "200", "503 not ready", "silent". */
export function healthWords(node: Pick<NodeView, 'health' | 'kind'>): string {
  const { health } = node;
  if (!health) return node.kind === 'openai' ? 'not known' : 'not asked yet';
  if (health.says === 'up') return String(health.status ?? 'up');
  return [health.status, health.says].filter(Boolean).join(' ');
}

/** What the last probe with a finding proves: "answers in 0.1 s", "zero bytes, 34 s". */
export function provenWords(node: Pick<NodeView, 'strip'>, now: number): string {
  const dot = node.strip.find((one) => lookOf(one) !== 'pending');
  if (!dot) return node.strip.length > 0 ? 'first probe is out' : '';
  return dotWords(dot, now);
}

const QUEUES: Partial<Record<NodeView['role'], readonly (readonly [label: string, name: string])[]>> = {
  prefill: [
    ['bootstrap', 'num_prefill_bootstrap_queue_reqs'],
    ['inflight', 'num_prefill_inflight_queue_reqs'],
    ['queue', 'num_queue_reqs'],
    ['running', 'num_running_reqs'],
  ],
  decode: [
    ['prealloc', 'num_decode_prealloc_queue_reqs'],
    ['transfer', 'num_decode_transfer_queue_reqs'],
    ['queue', 'num_queue_reqs'],
    ['running', 'num_running_reqs'],
  ],
  unified: [
    ['queue', 'num_queue_reqs'],
    ['running', 'num_running_reqs'],
  ],
};

/** The queue lengths that a node's role fills, summed over ranks; a live source wins over the metrics page. */
export function queuesOf(node: Pick<NodeView, 'role' | 'values'>): (readonly [label: string, value: string])[] {
  return (QUEUES[node.role] ?? []).map(([label, name]) => [label, shown(node.values.filter((value) => value.name === name))] as const);
}

function shown(values: readonly ValueView[]): string {
  const live = values.filter((value) => value.source === 'loads');
  const known = (live.length > 0 ? live : values).flatMap((value) => (value.v === null ? [] : [value.v]));
  return known.length === 0 ? '–' : String(known.reduce((sum, one) => sum + one, 0));
}
