import type { Experiment, ExperimentCell, ExperimentTry } from '@/lib/model/experiment';
import { SILENCES } from '@/lib/model/probe';

/** What one cell showed. */
type Shown = 'hangs' | 'answers' | 'refuses' | 'mixed' | 'untried';

/** What a matrix of front-ends and model ids proves, in one sentence. `nameOf` gives a target's short name. */
export function conclude(cells: readonly ExperimentCell[], nameOf: (target: string) => string): NonNullable<Experiment['conclusion']> {
  const tried = cells.map((cell) => ({ ...cell, shown: shownBy(cell.tries) })).filter((cell) => cell.shown !== 'untried');
  const real = tried.filter((cell) => cell.whose !== 'nonsense');
  const confidence = confidenceIn(cells);
  const say = (kind: NonNullable<Experiment['conclusion']>['kind'], sentence: string) => ({ kind, sentence, confidence });
  const targets = [...new Set(real.map((cell) => cell.target))];
  const stuck = targets.filter((target) => real.filter((cell) => cell.target === target).every((cell) => cell.shown === 'hangs'));
  const list = (ids: readonly string[]) => ids.map(nameOf).join(', ');

  if (real.length === 0) return { kind: 'mixed', sentence: 'Nothing could be tried within the probe budget.', confidence: 'low' };
  if (stuck.length === targets.length) {
    const names = new Set(real.map((cell) => cell.model)).size;
    const sentence = `Every front-end asked (${list(targets)}) hangs with ${names === 1 ? 'its model id' : `all ${names} model ids`}: it is neither one front-end nor the name; what they share is stuck.`;
    return targets.length > 1
      ? say('systemic', sentence)
      : {
          kind: 'systemic',
          sentence: `${list(targets)} hangs with every id tried; with one front-end alone nothing tells it from what is behind.`,
          confidence: 'low',
        };
  }
  if (stuck.length > 0 && targets.filter((target) => !stuck.includes(target)).every((target) => ownAnswers(real, target))) {
    return say(
      'one-front-end',
      `${list(stuck)} hangs whatever the model id, ${list(targets.filter((target) => !stuck.includes(target)))} answers: it is the front-end or its way to the engines.`,
    );
  }
  const byName = real.filter((cell) => cell.whose === 'sibling' && cell.shown !== 'answers');
  if (targets.every((target) => ownAnswers(real, target)) && byName.length > 0) {
    const first = byName[0];
    const how = first?.shown === 'hangs' ? 'hangs' : 'is refused';
    return say(
      'name',
      `Each front-end answers to its own id; ${byName.map((cell) => `${nameOf(cell.target)} asked for "${cell.model}"`).join(', ')} ${how}: it is the name.`,
    );
  }
  const unknown = tried.filter((cell) => cell.whose === 'nonsense' && cell.shown === 'hangs');
  if (unknown.length > 0 && real.every((cell) => cell.shown === 'answers')) {
    return say(
      'hangs-on-unknown-names',
      `${list(unknown.map((cell) => cell.target))} hangs on a model id that nobody serves and answers to the real ones: a wrong name looks like a hang there.`,
    );
  }
  if (tried.every((cell) => cell.shown === 'answers' || cell.whose === 'nonsense')) {
    return say('none-hangs', 'Nothing hangs now: every front-end answered with every real id.');
  }
  const hangs = real.filter((cell) => cell.shown === 'hangs' || cell.shown === 'mixed').length;
  return say('mixed', `${hangs} of ${real.length} combinations hang at least once, with no pattern by front-end or by name.`);
}

function ownAnswers(cells: readonly { target: string; whose: string; shown: Shown }[], target: string): boolean {
  const own = cells.filter((cell) => cell.target === target && cell.whose === 'own');
  return own.length > 0 && own.every((cell) => cell.shown === 'answers');
}

function shownBy(tries: readonly ExperimentTry[]): Shown {
  if (tries.length === 0) return 'untried';
  const hangs = tries.filter((one) => SILENCES.has(one.outcome) && one.late).length;
  const answers = tries.filter((one) => one.outcome === 'ok').length;
  if (hangs === tries.length) return 'hangs';
  if (answers === tries.length) return 'answers';
  return hangs === 0 && answers === 0 ? 'refuses' : 'mixed';
}

function confidenceIn(cells: readonly ExperimentCell[]): 'low' | 'medium' | 'high' {
  const real = cells.filter((cell) => cell.whose !== 'nonsense');
  if (real.every((cell) => cell.tries.length >= 2)) return 'high';
  return real.every((cell) => cell.tries.length >= 1) ? 'medium' : 'low';
}
