import { median } from '@/lib/stats';
import { told } from './grid';
import { ratioOf, type Scored } from './judgement';

/** One goal of the benchmark: reached, missed, or not asked of by these runs. */
export type Goal = { goal: string; value: string; reached: boolean | undefined };

const SHARE_OF_PLACES = 74 / 78;
const HUNG_S = 10;
const RATIO = 1.5;

export function goalsOf(all: readonly Scored[]): Goal[] {
  const scores = all.map(({ score }) => score);
  const n = scores.length;
  const count = (pick: (score: (typeof scores)[number]) => boolean) => scores.filter(pick).length;
  const places = Math.ceil(n * SHARE_OF_PLACES - 1e-9);
  const sinceHung = median(scores.filter((score) => score.speed === 1).flatMap((score) => score.delays.flatMap((delay) => delay.sinceHung ?? [])));
  const ratio = median(scores.flatMap((score) => score.delays.flatMap((delay) => ratioOf(delay) ?? [])));
  const full = (goal: string, good: number): Goal => ({ goal, value: `${good}/${n}`, reached: good === n });
  const within = (goal: string, value: number | undefined, limit: number, unit: string): Goal => ({
    goal,
    value: value === undefined ? 'not measured by these runs' : `${told(value, 1)}${unit}`,
    reached: value === undefined ? undefined : value <= limit,
  });
  return [
    full(
      'right verdict by the deadline and held, in every run',
      count((s) => s.verdict),
    ),
    { goal: `right place in ${places} of ${n} runs`, value: `${count((s) => s.place)}/${n}`, reached: count((s) => s.place) >= places },
    full(
      'no wrong alarm in any run',
      count((s) => s.noWrongAlarm),
    ),
    full(
      'own harm within its limits in every run',
      count((s) => s.harmless),
    ),
    within(`median from the first hung probe to the verdict at speed x1 <= ${HUNG_S} s`, sinceHung, HUNG_S, ' s'),
    within(`median ratio to the earliest possible moment <= ${RATIO}`, ratio, RATIO, ''),
  ];
}

export function goalLines(goals: readonly Goal[]): string {
  return goals.map(({ goal, value, reached }) => `${reached === undefined ? '-      ' : reached ? 'reached' : 'MISSED '}  ${goal}: ${value}`).join('\n');
}
