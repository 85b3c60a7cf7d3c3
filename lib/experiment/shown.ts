import type { ExperimentCell, ExperimentTry } from '@/lib/model/experiment';
import { SILENCES } from '@/lib/model/probe';

/** What one cell showed. `refuses`: every try failed fast, for whatever reason. */
export type Shown = 'hangs' | 'answers' | 'refuses' | 'mixed' | 'untried';

export function isHang(one: ExperimentTry): boolean {
  return one.late && SILENCES.has(one.outcome);
}

/** Answered whole, be it past its deadline. */
export function isGood(one: ExperimentTry): boolean {
  return one.outcome === 'ok';
}

/** A try that was cut short by us proves nothing. */
export function counted(cell: Pick<ExperimentCell, 'tries'>): ExperimentTry[] {
  return cell.tries.filter((one) => one.outcome !== 'pending' && (one.outcome !== 'closed-by-us' || one.late));
}

export function shownBy(cell: Pick<ExperimentCell, 'tries'>): Shown {
  const tries = counted(cell);
  if (tries.length === 0) return 'untried';
  const hangs = tries.filter(isHang).length;
  const answers = tries.filter(isGood).length;
  if (hangs === tries.length) return 'hangs';
  if (answers === tries.length) return 'answers';
  return hangs === 0 && answers === 0 ? 'refuses' : 'mixed';
}

/** The very same question hung at one time and was answered at another. */
export function isPatchy(cell: Pick<ExperimentCell, 'tries'>): boolean {
  const tries = counted(cell);
  return tries.some(isHang) && tries.some(isGood);
}

/** Cells as users ask: streaming and short. */
export function isPlain(cell: Pick<ExperimentCell, 'stream' | 'prompt'>): boolean {
  return cell.stream !== false && cell.prompt === undefined;
}
