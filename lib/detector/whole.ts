import { isFrontEnd, type Target, type TargetId, takesChats } from '@/lib/model/target';
import { type Judgement, VERDICTS, worst } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';
import { frontEnds } from '@/lib/reading/front-end';
import { wilson } from '@/lib/stats';
import type { Life } from './lifecycle';

/** The stack's own judgement: the worst of its front-ends, or degraded where only an engine is in trouble. */
export function wholeJudgement(window: Window, lives: ReadonlyMap<string, Life>): Judgement {
  const fronts = frontEnds(window).flatMap((t) => lives.get(t.id)?.judgement ?? []);
  const verdict = fronts.length === 0 ? 'unknown' : worst(fronts.map((j) => j.verdict));
  const first = [...fronts].filter((j) => j.verdict === verdict).sort((a, b) => a.since - b.since)[0];
  const sick = window.targets
    .filter((t) => !takesChats(t) && !isFrontEnd(t))
    .flatMap((t) => {
      const j = lives.get(t.id)?.judgement;
      return j && (j.verdict === 'down' || j.verdict === 'hanging') ? [{ ...j, because: `${t.name}: ${j.because}` }] : [];
    });
  const worse = sick.sort((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict))[0];
  if (verdict === 'ok' && worse) return { ...worse, verdict: 'degraded' };
  const merged = fronts
    .filter((j) => j.verdict === verdict && j.place && j.place.kind !== 'none')
    .sort((a, b) => Number(a.place?.inferred) - Number(b.place?.inferred))[0];
  return first
    ? { ...first, place: merged?.place ?? first.place, suppressedBy: undefined, rate: summed(fronts.filter((j) => j.verdict === verdict)) }
    : {
        verdict: 'unknown',
        freshness: 'late',
        since: window.at,
        because: frontEnds(window).length === 0 ? 'no front-end is known' : 'no chat has been judged yet',
      };
}

/** The rates of several front-ends as one. */
function summed(judgements: readonly Judgement[]): Judgement['rate'] {
  const rates = judgements.flatMap((j) => j.rate ?? []);
  const failed = rates.reduce((sum, r) => sum + r.failed, 0);
  const of = rates.reduce((sum, r) => sum + r.of, 0);
  return of === 0 ? undefined : { failed, of, ...wilson(failed, of) };
}

/** A front-end that hangs because of the engine under it is a witness, shown beneath the cause. */
export function suppressor(window: Window, target: Target, judgement: Judgement): TargetId | undefined {
  const at = judgement.place?.target;
  return takesChats(target) && at !== undefined && at !== target.id && judgement.verdict !== 'ok' && window.target(at) ? at : undefined;
}
