import { isGood, isHang, isPlain } from '@/lib/experiment/shown';
import type { Command } from '@/lib/model/command';
import { furthest } from '@/lib/model/exchange';
import type { ExperimentCell, ExperimentTry } from '@/lib/model/experiment';
import type { ProbeResult } from '@/lib/model/probe';
import { takesChats } from '@/lib/model/target';
import { modelOf } from './chat';
import { type Context, randomHex, type Watched } from './context';

const MAX_MODELS = 8;
const RATE_TRIES = 5;

type Wanted = Pick<Extract<Command, { kind: 'experiment' }>, 'models' | 'whole' | 'long'>;

/** Own id, each sibling's id that it does not list itself, one that nobody serves; and its own id asked in other ways. */
export function cellsOf(context: Context, watched: Watched, wanted: Wanted): ExperimentCell[] {
  const target = watched.target.id;
  const own = modelOf(context, watched) ?? 'default';
  const ownIds = new Set([own, ...(watched.models?.ids ?? [])]);
  const siblings = [...context.watched.values()].filter((other) => other !== watched && other.stack === watched.stack && takesChats(other.target));
  const theirs = siblings.map((sibling) => modelOf(context, sibling)).filter((id) => id !== undefined);
  const whose = (model: string): ExperimentCell['whose'] => (ownIds.has(model) ? 'own' : theirs.includes(model) ? 'sibling' : 'nonsense');
  const models = wanted.models ?? [own, ...new Set(theirs.filter((id) => id !== own)), `no-such-model-${randomHex().slice(0, 8)}`];
  const plain = [...new Set(models)].slice(0, MAX_MODELS).map((model): ExperimentCell => ({ target, model, whose: whose(model), tries: [] }));
  const first = plain.find((cell) => cell.whose === 'own');
  return [
    ...plain,
    ...(first !== undefined && wanted.whole !== false ? [{ ...first, stream: false as const, tries: [] }] : []),
    ...(first !== undefined && wanted.long === true ? [{ ...first, prompt: 'long' as const, tries: [] }] : []),
  ];
}

/** Which cell of one front-end is asked next: ids take turns, so that a change in the stack meets all alike; undefined when all has been asked. */
export function nextCell(cells: readonly ExperimentCell[], tries: number, isVisit: boolean): ExperimentCell | undefined {
  const own = cells.find((cell) => cell.whose === 'own' && isPlain(cell));
  const first = own?.tries[0];
  const wants = (cell: ExperimentCell) => remaining(cell, tries) > 0;
  if (own !== undefined && first !== undefined && isDeaf(first)) return wants(own) ? own : undefined;
  // who leaves soon has room for two that hang: a second one with its own id says more than one with a nonsense id
  const again = isVisit && own?.tries.length === 1 && first !== undefined && isHang(first) && !cells.some((cell) => cell.whose === 'sibling');
  if (again && own !== undefined && wants(own)) return own;
  return cells
    .filter(wants)
    .reduce<ExperimentCell | undefined>((best, cell) => (best === undefined || cell.tries.length < best.tries.length ? cell : best), undefined);
}

/** How often a cell will yet be asked; a foreign id that was refused is refused again, and a nonsense one that was taken is taken again. */
export function remaining(cell: ExperimentCell, tries: number): number {
  const wasRefused = cell.whose !== 'own' && cell.tries.some(({ status = 0 }) => status >= 400 && status < 500);
  const isSettled = wasRefused || (cell.whose === 'nonsense' && cell.tries.some((one) => one.outcome === 'ok'));
  // tries that disagree are a rate, and a rate wants more of them
  const wanted = cell.whose === 'own' && isPlain(cell) && cell.tries.some(isHang) && cell.tries.some(isGood) ? Math.max(tries, RATE_TRIES) : tries;
  return isSettled ? 0 : Math.max(0, wanted - cell.tries.length);
}

/** Nobody there, or nobody who speaks to us: other names and ways of asking would tell nothing more. */
function isDeaf({ outcome, status }: ExperimentTry): boolean {
  return ['dns', 'refused', 'tls', 'connect-timeout', 'unreachable', 'redirected'].includes(outcome) || status === 401 || status === 403;
}

export function tryOf(result: ProbeResult): ExperimentTry {
  const { reading, exchange } = result;
  const reached = furthest(exchange.marks);
  return {
    probe: result.id,
    at: result.sentAt,
    outcome: result.outcome,
    late: result.late,
    ended: exchange.ended,
    ...(exchange.status === undefined ? {} : { status: exchange.status }),
    bytes: exchange.bytes,
    ...(reached === undefined ? {} : { reached }),
    ...(reading === undefined ? {} : { tokens: reading.tokens }),
    ...(reading?.ttftMs === undefined ? {} : { ttftMs: reading.ttftMs }),
    elapsedMs: exchange.elapsedMs,
    sentence: result.sentence,
  };
}
