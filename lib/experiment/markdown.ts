import { bytes, cut, dateTime, duration, rate } from '@/lib/format';
import type { Experiment, ExperimentCell, ExperimentTry } from '@/lib/model/experiment';
import { isPlain } from './shown';

const STATES: Record<Experiment['state'], string> = { running: 'still running', done: 'done', cancelled: 'cancelled', failed: 'failed by a fault of ours' };
const WHOSE: Record<ExperimentCell['whose'], string> = { own: 'its own', sibling: "a sibling's", nonsense: 'nonsense' };

/** The experiment for a channel or a ticket: conclusion, matrix, and the commands to repeat each cell; secrets are shell variables in them. */
export function markdown(experiment: Experiment, at: { url?: string } = {}): string {
  const { conclusion, progress, state } = experiment;
  const took = experiment.endedAt === undefined ? '' : `, ${duration(experiment.endedAt - experiment.startedAt)}`;
  const words = conclusion === undefined ? `The experiment is ${STATES[state]}.` : `${prose(conclusion.sentence)} (confidence ${conclusion.confidence})`;
  const commands = experiment.cells.flatMap((cell) =>
    cell.curl === undefined ? [] : [`# ${shell(`${nameOf(experiment, cell.target)}, ${askedWith(cell)}`)}`, cell.curl],
  );
  return [
    `**Experiment ${experiment.id}**, ${dateTime(experiment.startedAt, 'utc')}${took}, ${progress.done} of ${progress.of} chats, ${STATES[state]}`,
    '',
    words,
    '',
    '| front-end | asked with | tries | code | furthest | bytes | time |',
    '|---|---|---|---|---|---|---|',
    ...experiment.cells.map((cell) => row(experiment, cell)),
    ...(conclusion?.rate === undefined ? [] : ['', `Hung with real ids: ${rate(conclusion.rate)}.`]),
    ...(experiment.incident === undefined ? [] : ['', `Incident: ${experiment.incident}`]),
    ...(at.url === undefined ? [] : ['', `Record: ${at.url}`]),
    ...(commands.length === 0 ? [] : ['', '```sh', ...commands, '```']),
    '',
  ].join('\n');
}

/** "its own `m`, not streamed". */
export function askedWith(cell: ExperimentCell): string {
  const how = isPlain(cell) ? '' : cell.stream === false ? ', not streamed' : ', long prompt';
  return `${WHOSE[cell.whose]} ${cut(cell.model, 80)}${how}`;
}

/** The name under which the front-end was asked. */
export function nameOf(experiment: Pick<Experiment, 'targets'>, id: string): string {
  return experiment.targets?.find((target) => target.id === id)?.name ?? id;
}

function row(experiment: Experiment, cell: ExperimentCell): string {
  const told = (read: (one: ExperimentTry) => string) => (cell.tries.length === 0 ? '' : cell.tries.map(read).join(', '));
  const cells = [
    prose(nameOf(experiment, cell.target)),
    prose(askedWith(cell)),
    cell.tries.length === 0 ? 'not asked' : told(({ outcome, late }) => (outcome === 'ok' && late ? 'ok, late' : outcome)),
    told(({ status }) => (status === undefined ? '-' : String(status))),
    told(({ reached }) => reached ?? '-'),
    told((one) => bytes(one.bytes)),
    told((one) => duration(one.elapsedMs)),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Other people's text must not become markup. */
function prose(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#~]/g, (mark) => `\\${mark}`);
}

/** One line, that no fence ends. */
function shell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/`/g, "'");
}
