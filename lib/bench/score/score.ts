import type { Expectation } from '@/lib/scenarios/scenario';
import type { Run, Word } from '../outcome';
import { clears } from './clears';
import { earliestS, hungSince } from './earliest';
import { ALARMS, allowedBy, deadlineOf, endOf, isPlace, lingersUntil, RED, subjects, wordOf } from './words';

/** How soon one red expectation was met on one front-end. Told seconds after the fault began; `Infinity`: never. */
export type Delay = { seconds: number; sinceHung?: number; earliest?: number };

/** Points of one run. */
export type Score = {
  id: string;
  seed: number;
  speed: number;
  verdict: boolean;
  place: boolean;
  noWrongAlarm: boolean;
  /** undefined: nothing heals in it. */
  cleared: boolean | undefined;
  harmless: boolean;
  delays: Delay[];
  /** undefined: there was nothing that a monitor of ok and down could notice. */
  noticed: boolean | undefined;
  /** What was said instead, in words. */
  wrong: string[];
};

/** A verdict that comes with the second that is being published when the deadline passes is in time. */
const PUBLISHED_S = 1.5;
/** An expectation that ends with its own deadline is judged over these seconds. */
const LAST_LOOK_S = 3;

export function score(run: Run): Score {
  const s: Score = {
    id: run.scenario.id,
    seed: run.seed,
    speed: run.speed,
    verdict: true,
    place: true,
    noWrongAlarm: true,
    cleared: undefined,
    harmless: isHarmless(run),
    delays: [],
    noticed: undefined,
    wrong: [],
  };
  if (run.failed !== undefined) return { ...s, verdict: false, place: false, wrong: [run.failed] };
  for (const e of run.scenario.truth) for (const name of subjects(run.scenario, e)) judge(run, e, name, s);
  const alarm = wrongAlarm(run);
  if (alarm !== undefined) {
    s.noWrongAlarm = false;
    s.wrong.push(alarm);
  }
  if (!s.harmless) s.wrong.push(`harm: ${JSON.stringify(run.harm)}`);
  return s;
}

/** All points of a run. */
export function isRight(s: Score): boolean {
  return s.verdict && s.place && s.noWrongAlarm && s.harmless && s.cleared !== false;
}

function judge(run: Run, e: Expectation, name: string, s: Score) {
  const deadline = deadlineOf(e, run.speed);
  const until = endOf(e, run.scenario);
  const said = run.lines.map((line) => ({ s: line.s, ...wordOf(line, name) }));
  const isRightWord = (w: Word) => allowedBy(e).includes(w.verdict) || isMark(e, w);
  const first = said.find((w) => w.s >= e.from && w.s <= until && (e.either ? allowedBy(e).includes(w.verdict) : w.verdict === e.verdict));
  if (e.verdict !== 'ok' && !e.either) noteDelay(run, e, name, first?.s, s);
  const judged = said.filter((w) => w.s >= deadline && w.s <= Math.max(until, deadline + LAST_LOOK_S));
  const isInTime = e.verdict === 'ok' || (first !== undefined && first.s <= deadline + PUBLISHED_S);
  const bad = judged.find((w) => !isRightWord(w));
  if (judged.length === 0 || bad !== undefined || !isInTime) {
    s.verdict = false;
    const instead = bad
      ? `${bad.verdict}${bad.detail ? ` (${bad.detail})` : ''} at ${bad.s.toFixed(0)}`
      : first
        ? `said at ${first.s.toFixed(0)}`
        : 'never said';
    s.wrong.push(`${name}: ${e.verdict} expected by ${deadline}, ${instead}`);
  }
  judgePlace(e, name, judged, s);
  if (e.heal !== undefined) {
    const late = clears(run, e, name);
    s.cleared = (s.cleared ?? true) && late === undefined;
    if (late !== undefined) s.wrong.push(late);
  }
}

function noteDelay(run: Run, e: Expectation, name: string, at: number | undefined, s: Score) {
  if (RED.includes(e.verdict) && e.target !== 'stack') {
    const red = run.lines.find((line) => line.s >= e.from && RED.includes(wordOf(line, name).verdict));
    s.noticed = (s.noticed ?? true) && red !== undefined && red.s <= deadlineOf(e, run.speed) + PUBLISHED_S;
  }
  const hung =
    e.verdict === 'hanging'
      ? hungSince(
          run.chats.filter((chat) => chat.front === name),
          e.from,
        )[0]
      : undefined;
  const earliest = earliestS(run, e, name);
  s.delays.push({
    seconds: at === undefined ? Number.POSITIVE_INFINITY : at - e.from,
    ...(at === undefined || hung === undefined ? {} : { sinceHung: at - hung.sentS }),
    ...(earliest === undefined ? {} : { earliest }),
  });
}

/** On the expected word where it was said, else on the lesser one that was right too. */
function judgePlace(e: Expectation, name: string, all: readonly Word[], s: Score) {
  if (e.verdict === 'ok') return;
  const said = all.find((w) => w.verdict === e.verdict)?.verdict ?? all.find((w) => allowedBy(e).includes(w.verdict))?.verdict;
  const judged = all.filter((w) => w.verdict === said);
  const places = [e.place, ...(e.alsoPlace ?? [])];
  const wrong = judged.find((w) => !places.some((place) => isPlace(w.place, place)));
  if (wrong !== undefined || judged.length === 0) {
    s.place = false;
    s.wrong.push(`${name}: place ${places.join(' or ')} expected, ${wrong?.place ?? 'none'} said`);
  }
  judgeRate(e, name, judged[0], s);
}

/** When it is due its interval must hold the truth; of many looks at a 95 % interval one in twenty may not. */
function judgeRate({ rate }: Expectation, name: string, due: Word | undefined, s: Score) {
  if (rate === undefined || due === undefined) return;
  if (due.rate !== undefined && due.rate[0] <= rate && rate <= due.rate[1]) return;
  s.verdict = false;
  s.wrong.push(`${name}: rate ${rate} not in ${due.rate?.map((r) => r.toFixed(2)).join('-') ?? 'nothing'}`);
}

/** A single suspicion is the mark in the history that a near-miss allows. */
function isMark(e: Expectation, w: Word): boolean {
  return e.verdict === 'ok' && w.verdict === 'degraded' && w.detail === 'suspect';
}

/** hanging or down where no expectation of that front-end speaks of trouble. */
function wrongAlarm({ lines, scenario }: Run): string | undefined {
  for (const line of lines) {
    const front = line.fronts.find((w) => {
      if (!ALARMS.includes(w.verdict)) return false;
      const isAbout = (e: Expectation) => e.target === 'stack' || subjects(scenario, e).includes(w.name);
      return !scenario.truth.some((e) => isAbout(e) && line.s >= e.from && line.s <= lingersUntil(e, scenario) && allowedBy(e).includes(w.verdict));
    });
    if (front !== undefined) return `wrong alarm: ${front.name} ${front.verdict} @ ${front.place} at ${line.s.toFixed(0)}`;
  }
  return undefined;
}

function isHarmless({ harm }: Run): boolean {
  return harm.unfinished <= 3 && harm.perTenSeconds <= 1 && harm.abortsPerTenMinutes <= 2 && harm.controlCallsAtOnce <= 1;
}
