import type { SeriesName } from '@/lib/model/sample';
import type { TargetId } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';

const LOOK_BACK_MS = 20_000;

/** What one DP rank of an engine shows of itself. `held`: requests that wait in it; `tokens` moved in the last 20 s. */
export type RankReading = { rank: string; held: number; tokens?: number; ageS?: number };

const WAITS: SeriesName[] = ['num_queue_reqs', 'num_decode_prealloc_queue_reqs', 'num_decode_transfer_queue_reqs', 'num_prefill_bootstrap_queue_reqs'];

/** The ranks of an engine, where its pages tell more than one apart. */
export function readRanks(window: Window, id: TargetId): RankReading[] {
  const ranks = ranksOf(window, id);
  const by = window.target(id)?.role === 'prefill' ? 'prefill_compute' : 'decode';
  return ranks.map((rank) => ({
    rank,
    held: WAITS.reduce((sum, name) => sum + (window.value(id, name, { rank }) ?? 0), 0),
    tokens: window.moved(id, 'realtime_tokens_total', window.at - LOOK_BACK_MS, undefined, { rank, by }),
    ageS: window.value(id, 'loads_age_seconds', { rank }),
  }));
}

/** Ranks as text, in their order; none where the engine has but one. */
export function ranksOf(window: Window, id: TargetId): string[] {
  const all = [...new Set(window.series(id).flatMap((s) => s.rank ?? []))];
  return all.length < 2 ? [] : all.sort((a, b) => Number(a) - Number(b));
}
