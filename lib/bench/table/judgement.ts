import type { Harm, Run } from '../outcome';
import type { Delay, Score } from '../score/score';
import { grid, share, spread } from './grid';

/** A run and its points. */
export type Scored = { run: Run; score: Score };

/** How ours did: one line a scenario, then the total. */
export function judgementTable(all: readonly Scored[]): string {
  const ids = [...new Set(all.map(({ score }) => score.id))];
  const rows = ids.map((id) => {
    const mine = all.filter(({ score }) => score.id === id);
    return row(`${id}${mine.every(({ run }) => run.pace.kind === 'virtual') ? ' (virtual)' : ''}`, mine);
  });
  return grid(HEAD, [...rows, row('total', all)]);
}

const HEAD = [
  'scenario',
  'verdict',
  'place',
  'no wrong alarm',
  'cleared',
  'harmless',
  's to verdict (median, worst)',
  's after first hung probe',
  's at the earliest',
  'ratio',
  'out / in 10 s / aborts / control',
];

function row(title: string, all: readonly Scored[]): string[] {
  const scores = all.map(({ score }) => score);
  const delays = scores.flatMap((score) => score.delays);
  return [
    title,
    share(scores, (score) => score.verdict),
    share(scores, (score) => score.place),
    share(scores, (score) => score.noWrongAlarm),
    share(scores, (score) => score.cleared),
    share(scores, (score) => score.harmless),
    spread(delays.map((delay) => delay.seconds)),
    spread(delays.flatMap((delay) => delay.sinceHung ?? [])),
    spread(delays.flatMap((delay) => delay.earliest ?? [])),
    spread(
      delays.flatMap((delay) => ratioOf(delay) ?? []),
      1,
    ),
    worstHarm(all.map(({ run }) => run.harm)),
  ];
}

/** Our delay beside the earliest possible; what is published each second cannot be measured finer than that. */
export function ratioOf({ seconds, earliest }: Delay): number | undefined {
  return earliest === undefined ? undefined : seconds / Math.max(1, earliest);
}

function worstHarm(harms: readonly Harm[]): string {
  const most = (pick: (harm: Harm) => number) => Math.max(0, ...harms.map(pick));
  return [most((h) => h.unfinished), most((h) => h.perTenSeconds), most((h) => h.abortsPerTenMinutes), most((h) => h.controlCallsAtOnce)].join(' / ');
}
