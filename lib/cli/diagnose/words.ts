import { markdown, nameOf } from '@/lib/experiment/markdown';
import { isPlain } from '@/lib/experiment/shown';
import { bytes, cut, dateTime, duration, rate } from '@/lib/format';
import type { Experiment, ExperimentCell, ExperimentTry } from '@/lib/model/experiment';
import { readable } from '@/lib/model/foreign';
import { placeName, type Verdict } from '@/lib/model/verdict';
import type { Options } from './args';
import type { CounterLine } from './counters';
import type { Diagnosis, EngineFound, FrontFound } from './diagnosis';

const WIDTH = 79;
const COLOURS: Record<Verdict, string> = { ok: '0', degraded: '33', hanging: '1;31', down: '1;35', misconfigured: '35', unknown: '34' };

/** The diagnosis as it was asked for. Everything foreign is made readable, so that no answer moves the cursor. */
export function written(diagnosis: Diagnosis, form: Options['form'], { isColoured }: { isColoured: boolean }): string {
  if (form === 'json') return JSON.stringify(diagnosis, null, 2);
  if (form === 'markdown') return asMarkdown(diagnosis);
  return asText(diagnosis, isColoured);
}

function asText(diagnosis: Diagnosis, isColoured: boolean): string {
  const { fronts, engines, experiment, unknown, conclusion, verdict } = diagnosis;
  const word = (of: Verdict, text = of.toUpperCase()) => (isColoured ? `\x1b[${COLOURS[of]}m${text}\x1b[0m` : text);
  const took = `${dateTime(diagnosis.at, 'utc')}, took ${duration(diagnosis.tookMs)}${diagnosis.isCancelled ? ', ended early' : ''}`;
  return [
    `Diagnosis of ${fronts.length === 1 ? (fronts[0]?.name ?? '') : `${fronts.length} front-ends`}, ${took}`,
    '',
    ...fronts.flatMap((front) => frontLines(front, word)),
    ...(experiment === undefined ? [] : ['', ...matrix(experiment)]),
    ...engines.flatMap((engine) => ['', ...engineLines(engine, fronts)]),
    ...(unknown.length === 0 ? [] : ['', 'Could not be known:', ...unknown.flatMap((words) => wrapped(readable(words), '  - ', '    '))]),
    '',
    ...wrapped(`${readable(conclusion.sentence)} Confidence: ${conclusion.confidence}.`, '', ''),
    ...(conclusion.rate === undefined ? [] : [`Hung with real ids: ${rate(conclusion.rate)}.`]),
    `${word(verdict)}${placeOf(fronts, verdict)}`,
  ].join('\n');
}

function frontLines(front: FrontFound, word: (of: Verdict, text?: string) => string): string[] {
  const { verdict, detail, place, because, health } = front;
  const head = `${word(verdict, verdict.toUpperCase().padEnd(14))}${readable(front.name)}  ${cut(readable(front.what), 40)}`;
  const where = place === undefined ? '' : `at ${placeName(place)}${place.inferred ? ' (inferred)' : ''}: `;
  const why = `${detail === undefined ? '' : `${detail}; `}${where}${readable(because)}`;
  return [
    head,
    ...wrapped(why, ' '.repeat(14), ' '.repeat(14)),
    ...(health === undefined ? [] : wrapped(`meanwhile ${readable(health)}`, ' '.repeat(14), ' '.repeat(14))),
  ];
}

/** One line a try: what it was asked with, what came, the code, the furthest station, bytes, time. */
function matrix(experiment: Experiment): string[] {
  const header = `${'asked with'.padEnd(34)}${'outcome'.padEnd(14)}${'code'.padEnd(5)}${'furthest'.padEnd(11)}${'bytes'.padStart(7)}${'time'.padStart(8)}`;
  const targets = [...new Set(experiment.cells.map((cell) => cell.target))];
  return [
    header,
    ...targets.flatMap((target) => [
      readable(nameOf(experiment, target)),
      ...experiment.cells
        .filter((cell) => cell.target === target)
        .flatMap((cell) => {
          const asked = `  ${questionOf(cell)}`.padEnd(34);
          return cell.tries.length === 0 ? [`${asked}not asked`] : cell.tries.map((one, index) => `${index === 0 ? asked : ' '.repeat(34)}${tryWords(one)}`);
        }),
    ]),
  ];
}

/** "own  …/DeepSeek-V4-Flash": of a long id its end tells more. */
function questionOf(cell: ExperimentCell): string {
  if (!isPlain(cell)) return cell.stream === false ? 'own, whole answer' : 'own, long prompt';
  const model = readable(cell.model);
  const room = 30 - cell.whose.length;
  return `${cell.whose} ${model.length > room ? `\u2026${model.slice(model.length - room + 1)}` : model}`;
}

function tryWords(one: ExperimentTry): string {
  const outcome = one.outcome === 'ok' ? (one.late ? 'ok, late' : 'ok') : one.outcome;
  const time = `${duration(one.elapsedMs)}${one.ended ? '' : '+'}`;
  return `${outcome.padEnd(14)}${String(one.status ?? '-').padEnd(5)}${(one.reached ?? '-').padEnd(11)}${bytes(one.bytes).padStart(7)}${time.padStart(8)}`;
}

function engineLines(engine: EngineFound, fronts: readonly FrontFound[]): string[] {
  // why was said above
  const isBlamed = fronts.some((front) => front.because === engine.because);
  const title = `${engine.name} (${readable(engine.url)}), ${engine.verdict}${isBlamed ? '' : `: ${readable(engine.because)}`}`;
  const lines = engine.counters
    .filter(isTelling)
    .map((line) => `  ${line.words.padEnd(32)}${told(line, line.before)}${told(line, line.most)}${told(line, line.end)}`);
  return [
    ...wrapped(title, '', '  '),
    ...(lines.length === 0 ? [] : [`  ${''.padEnd(32)}${['before', 'most', 'end'].map((word) => word.padStart(12)).join('')}`, ...lines]),
  ];
}

/** Totals and the scheduler's age always tell something; a queue that was empty throughout does not. */
function isTelling(line: CounterLine): boolean {
  return line.isTotal || line.name === 'loads_age_seconds' || [line.before, line.most, line.end].some((value) => (value ?? 0) > 0);
}

function told(line: CounterLine, value: number | null): string {
  return (value === null ? '-' : line.name === 'loads_age_seconds' ? value.toFixed(1) : String(Math.round(value))).padStart(12);
}

function placeOf(fronts: readonly FrontFound[], verdict: Verdict): string {
  const hit = fronts.filter((front) => front.verdict === verdict);
  const place = hit.find((front) => front.place !== undefined)?.place;
  const who = fronts.length > 1 && verdict !== 'ok' ? ` (${hit.length} of ${fronts.length} front-ends)` : '';
  return `${place === undefined || verdict === 'ok' ? '' : ` at ${placeName(place)}`}${who}`;
}

function asMarkdown(diagnosis: Diagnosis): string {
  const { experiment, fronts, unknown, verdict } = diagnosis;
  const lines = fronts.map(
    (front) => `- **${front.verdict}** ${code(front.name)}${front.place === undefined ? '' : ` at ${code(placeName(front.place))}`}: ${code(front.because)}`,
  );
  return [
    `**${verdict}${placeOf(fronts, verdict)}**, ${dateTime(diagnosis.at, 'utc')}`,
    '',
    ...lines,
    '',
    experiment === undefined ? diagnosis.conclusion.sentence : markdown(experiment),
    ...unknown.map((words) => `- not known: ${code(words)}`),
  ].join('\n');
}

function code(text: string): string {
  return `\`${readable(text).replace(/[`\s]+/g, ' ')}\``;
}

/** Words of other people may be one long word: it is cut at the edge. */
function wrapped(text: string, first: string, rest: string): string[] {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(/\s+/).flatMap((one) => one.match(new RegExp(`.{1,${WIDTH - rest.length}}`, 'g')) ?? [])) {
    const isEmpty = line.trim() === '' || line === first;
    const next = isEmpty ? line + word : `${line} ${word}`;
    if (next.length > WIDTH && !isEmpty) {
      lines.push(line);
      line = rest + word;
    } else line = next;
  }
  return [...lines, line];
}
