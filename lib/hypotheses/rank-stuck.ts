import type { Hypothesis } from '@/lib/model/hypothesis';
import type { Target } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';
import { type Case, probeCite, readCase, topologyCite, when } from '@/lib/reading/case';
import { type RankReading, readRanks } from '@/lib/reading/ranks';

const STANDS_AGE_S = 5;

export const rankStuck: Hypothesis = {
  claim: 'One rank of several is stuck: what is sent to it hangs, the rest is served.',
  prior: -2.8,
  implies: { verdict: 'hanging', place: 'decode' },
  weigh(window) {
    const c = readCase(window);
    const several = c.engines.map((e) => ({ target: e.target, ranks: readRanks(window, e.target.id) })).filter((e) => e.ranks.length > 1);
    if (several.length === 0)
      return when(
        true,
        -5,
        'no engine here tells several ranks apart',
        c.engines.flatMap((e) => topologyCite(e.target.id)),
      );
    const odd = several.flatMap(({ target, ranks }) => oddOnes(ranks).map((rank) => ({ target, rank, of: ranks.length })));
    const mixed = c.fronts.filter((f) => f.counted.some((x) => x.is === 'good') && f.counted.some((x) => x.is === 'silent'));
    const allHang = c.hung.length === c.fronts.length && c.hung.length > 0 && mixed.length === 0;
    return [
      ...odd.slice(0, 1).flatMap(({ target, rank, of }) => when(true, 4, sentenceOf(target, rank, of), citeOf(window, target, rank))),
      ...when(
        mixed.length > 0,
        1.5,
        `some chats through ${mixed.map((f) => f.target.name).join(' and ')} are answered and some hang`,
        mixed.flatMap((f) => [...probeCite(f.lastGood), ...probeCite(f.counted.find((x) => x.is === 'silent')?.p)]),
      ),
      ...when(
        odd.length === 0,
        -3,
        `all ${several.reduce((n, e) => n + e.ranks.length, 0)} ranks do alike`,
        several.flatMap((e) => topologyCite(e.target.id)),
      ),
      ...when(
        allHang,
        -2,
        'every chat hangs, not only some',
        c.hung.flatMap((f) => probeCite(f.silentRun[0])),
      ),
      ...calm(c, mixed.length),
    ];
  },
  next: (window) => {
    const at = readCase(window).engines.flatMap((e) => oddOnes(readRanks(window, e.target.id)).map((r) => ({ e, r })))[0];
    return at
      ? `On the host of ${at.e.target.name}: py-spy dump of sglang::scheduler_DP${at.r.rank}; until it is restarted, keep requests off it (routed_dp_rank).`
      : 'Look at each rank by itself: the queue of a stuck one stays, those of the others pass.';
  },
};

/** Ranks that wait with requests in hand, or no longer speak, while others of the same engine work. */
function oddOnes(ranks: readonly RankReading[]): RankReading[] {
  const silent = ranks.filter((r) => (r.ageS ?? 0) > STANDS_AGE_S);
  if (silent.length > 0 && silent.length < ranks.length) return silent;
  const stuck = ranks.filter((r) => r.held > 0 && r.tokens === 0);
  const working = ranks.filter((r) => (r.tokens ?? 0) > 0);
  return working.length > 0 ? stuck : [];
}

function sentenceOf(target: Target, r: RankReading, of: number): string {
  return (r.ageS ?? 0) > STANDS_AGE_S
    ? `rank ${r.rank} of ${target.name} last spoke ${Math.round(r.ageS ?? 0)} s ago, the others of ${of} just now`
    : `rank ${r.rank} of ${target.name} holds ${r.held} requests and makes no token while others of ${of} do`;
}

function citeOf(window: Window, target: Target, r: RankReading) {
  const names = (r.ageS ?? 0) > STANDS_AGE_S ? ['loads_age_seconds'] : ['num_queue_reqs', 'num_decode_prealloc_queue_reqs', 'num_decode_transfer_queue_reqs'];
  return window
    .series(target.id)
    .filter((s) => names.includes(s.name) && s.rank === r.rank && (s.name === 'loads_age_seconds' || (s.points.at(-1)?.value ?? 0) > 0))
    .slice(0, 2)
    .map((s) => ({ kind: 'series' as const, target: target.id, key: s.key, at: s.points.at(-1)?.at ?? window.at }));
}

function calm(c: Case, mixed: number) {
  return when(
    c.hung.length === 0 && c.well.length > 0 && mixed === 0,
    -3,
    'every chat of the last minutes was answered',
    c.well.flatMap((f) => probeCite(f.newest?.p)),
  );
}
