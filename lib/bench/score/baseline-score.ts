import type { Expectation, Scenario } from '@/lib/scenarios/scenario';
import type { BaselineWord, Run } from '../outcome';
import { allowedBy, deadlineOf, lingersUntil, RED, subjects } from './words';

/** Points of one baseline in one run. It can only say ok or down: down is right where something hangs, refuses or is set wrong. */
export type BaselineScore = {
  id: string;
  seed: number;
  baseline: string;
  /** In time on every front-end; undefined: there was nothing to notice. */
  noticed: boolean | undefined;
  /** Told seconds after each fault's start to its first `down`; Infinity: never. */
  seconds: number[];
  wrongAlarm: boolean;
};

export function baselineScores(run: Run): BaselineScore[] {
  return Object.entries(run.baselines).map(([baseline, words]) => ({ id: run.scenario.id, seed: run.seed, baseline, ...pointsOf(run, words) }));
}

function pointsOf(run: Run, words: readonly BaselineWord[]): Pick<BaselineScore, 'noticed' | 'seconds' | 'wrongAlarm'> {
  const { scenario, speed } = run;
  const red = scenario.truth.filter((e) => RED.includes(e.verdict) && e.target !== 'stack' && !e.either);
  const cases = red.flatMap((e) => subjects(scenario, e).map((front) => ({ e, at: firstDown(words, front, e.from, lingersUntil(e, scenario)) })));
  return {
    noticed: cases.length === 0 ? undefined : cases.every(({ e, at }) => at !== undefined && at <= deadlineOf(e, speed)),
    seconds: cases.map(({ e, at }) => (at === undefined ? Number.POSITIVE_INFINITY : at - e.from)),
    wrongAlarm: scenario.stack.frontEnds.some(({ name }) =>
      downSpans(words, name, scenario.lasts).some(([from, to]) => isWithoutCause(scenario, name, from, to)),
    ),
  };
}

/** First second within the span at which it says down, be it that it says so already. */
function firstDown(words: readonly BaselineWord[], front: string, from: number, to: number): number | undefined {
  const mine = words.filter((word) => word.front === front);
  const before = mine.filter((word) => word.s <= from).at(-1);
  if (before?.isDown) return from;
  return mine.find((word) => word.isDown && word.s > from && word.s <= to)?.s;
}

function downSpans(words: readonly BaselineWord[], front: string, lasts: number): [number, number][] {
  const mine = words.filter((word) => word.front === front && word.s <= lasts);
  return mine.flatMap((word, i): [number, number][] => (word.isDown ? [[word.s, mine[i + 1]?.s ?? lasts]] : []));
}

/** Some second of it lies outside all that is red. A monitor may need a while to see that it is over, as ours may. */
function isWithoutCause(scenario: Scenario, front: string, from: number, to: number): boolean {
  const isRed = (e: Expectation) => allowedBy(e).some((verdict) => RED.includes(verdict)) && (e.target === 'stack' || subjects(scenario, e).includes(front));
  const causes = scenario.truth.filter(isRed).map((e): [number, number] => [e.from, lingersUntil(e, scenario)]);
  let at = from;
  for (const [start, end] of causes.sort(([a], [b]) => a - b)) if (start <= at) at = Math.max(at, end);
  return at < to || !causes.some(([start, end]) => start <= from && from <= end);
}
