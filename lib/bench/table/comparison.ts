import { BASELINES } from '../baselines/index';
import { type BaselineScore, baselineScores } from '../score/baseline-score';
import { grid, share, spread } from './grid';
import type { Scored } from './judgement';

/** Ours beside the baselines: what was noticed in time, after how many seconds, and in how many runs there was an alarm without cause. */
export function comparisonTable(all: readonly Scored[]): string {
  const scores = all.flatMap(({ run }) => baselineScores(run));
  const ids = [...new Set(all.map(({ score }) => score.id))];
  const head = ['scenario', 'Wedgewatch', ...BASELINES.map((one) => one.name)];
  const rowFor = (title: string, of: (id: string) => boolean) => [
    title,
    ours(all.filter(({ score }) => of(score.id))),
    ...BASELINES.map(({ id }) =>
      theirs(
        id,
        scores.filter((one) => of(one.id)),
      ),
    ),
  ];
  return grid(head, [...ids.map((id) => rowFor(id, (one) => one === id)), rowFor('total', () => true)]);
}

/** How each baseline is set, and which could not run. */
export function baselineNotes(): string {
  return BASELINES.map(({ name, settings, missing }) => {
    const why = missing?.();
    return `- ${name}: ${settings}.${why === undefined ? '' : ` Not measured: ${why}.`}`;
  }).join('\n');
}

function ours(all: readonly Scored[]): string {
  const scores = all.map(({ score }) => score);
  const seconds = scores.filter((score) => score.noticed !== undefined).flatMap((score) => score.delays.map((delay) => delay.seconds));
  return cell(
    share(scores, (score) => score.noticed),
    spread(seconds),
    scores.filter((score) => !score.noWrongAlarm).length,
  );
}

function theirs(id: string, all: readonly BaselineScore[]): string {
  const mine = all.filter((one) => one.baseline === id);
  if (mine.length === 0) return 'not measured';
  return cell(
    share(mine, (one) => one.noticed),
    spread(mine.flatMap((one) => one.seconds)),
    mine.filter((one) => one.wrongAlarm).length,
  );
}

function cell(noticed: string, seconds: string, wrong: number): string {
  return `${noticed === '-' ? '-' : `${noticed} (${seconds} s)`}${wrong === 0 ? '' : `, wrong ${wrong}`}`;
}
