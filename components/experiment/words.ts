import { isPlain } from '@/lib/experiment/shown';
import type { Mark } from '@/lib/model/exchange';
import type { Experiment, ExperimentCell } from '@/lib/model/experiment';

/** An experiment without a conclusion, in a sentence. */
export const STATES: Record<Experiment['state'], string> = {
  running: 'The experiment is running; a hanging cell takes its whole deadline.',
  done: 'The experiment is done.',
  cancelled: 'The experiment was cancelled.',
  failed: 'The experiment failed.',
};

export const WHOSE: Record<ExperimentCell['whose'], string> = { own: 'its own id', sibling: "its sibling's id", nonsense: 'a nonsense id' };

/** How far an exchange came. */
export const REACHED: Record<Mark, string> = {
  resolved: 'name resolved',
  connected: 'connected',
  secured: 'TLS done',
  sent: 'sent',
  headers: 'header',
  firstByte: 'first byte',
  firstEvent: 'first event',
  firstToken: 'first token',
  end: 'end',
};

/** The row of a cell. Each front-end gets a nonsense id of its own, and other ways of asking use its own id: together they are one row each. */
export function rowOf(cell: ExperimentCell): string {
  if (!isPlain(cell)) return cell.stream === false ? 'own id, whole answer' : 'own id, long prompt';
  return cell.whose === 'nonsense' ? 'no such model' : cell.model;
}
