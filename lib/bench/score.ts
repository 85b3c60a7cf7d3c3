import { PLACES } from '@/lib/model/verdict';
import type { Expectation } from '@/lib/scenarios/scenario';
import type { Line, Run } from './run';

/** Points of one run. */
export type Score = {
  id: string;
  seed: number;
  verdict: boolean;
  place: boolean;
  noWrongAlarm: boolean;
  cleared: boolean | undefined;
  harmless: boolean;
  /** Told seconds from the start of each expectation to the first right word, worst front-end; undefined where ok is the answer. */
  seconds: number[];
  /** Told seconds from sending the first hung chat to the verdict, where there was one. */
  afterFirstHung: number[];
  /** What was said instead, in words. */
  wrong: string[];
};

const X4_ALLOWANCE = 1.5;
/** A red word for this long at the edge of an expectation is the fault's own beginning or end, not an alarm without cause. */
const HEAL_S = 30;
/** An expectation that ends with its own deadline is judged over these seconds. */
const LAST_LOOK_S = 3;

export function score(run: Run): Score {
  const s: Score = {
    id: run.scenario.id,
    seed: run.seed,
    verdict: true,
    place: true,
    noWrongAlarm: true,
    cleared: undefined,
    harmless: harmless(run),
    seconds: [],
    afterFirstHung: [],
    wrong: [],
  };
  if (run.failed) return { ...s, verdict: false, place: false, wrong: [run.failed] };
  for (const e of run.scenario.truth) judge(run, e, s);
  wrongAlarms(run, s);
  return s;
}

function judge(run: Run, e: Expectation, s: Score) {
  const allow = run.speed === 4 ? X4_ALLOWANCE : 1;
  const deadline = e.from + e.by * allow;
  const until = e.until ?? e.heal ?? run.scenario.lasts;
  for (const name of subjects(run, e)) {
    const said = run.lines.map((line) => ({ s: line.s, ...wordOf(line, name) }));
    const rightVerdict = (w: { verdict: string }) => w.verdict === e.verdict || (e.also ?? []).some((v) => v === w.verdict);
    const exact = said.find((w) => w.s >= e.from && w.s <= until && w.verdict === e.verdict);
    if (e.verdict !== 'ok') {
      s.seconds.push(exact ? exact.s - e.from : Number.POSITIVE_INFINITY);
      const hung = Object.entries(run.firstLateSent).find(([id]) => id.endsWith(`.${slug(name)}`))?.[1];
      if (exact && hung !== undefined && e.verdict === 'hanging') s.afterFirstHung.push(exact.s - hung);
    }
    const judged = said.filter((w) => w.s >= deadline && w.s <= Math.max(until, deadline + LAST_LOOK_S));
    const held =
      judged.length > 0 && judged.every((w) => rightVerdict(w) || isMark(e, w)) && (e.verdict === 'ok' || (exact !== undefined && exact.s <= deadline + 1.5));
    if (!held) {
      s.verdict = false;
      const bad = judged.find((w) => !rightVerdict(w) && !isMark(e, w));
      s.wrong.push(
        `${name}: ${e.verdict} expected by ${deadline}, ${bad ? `${bad.verdict}${bad.detail ? ` (${bad.detail})` : ''} at ${bad.s.toFixed(0)}` : exact ? `said at ${exact.s.toFixed(0)}` : 'never said'}`,
      );
    }
    // Where lesser words are right too, the place is judged on whichever was said; the exact word's when it was.
    const at = judged.find((w) => w.verdict === e.verdict) ?? judged.find(rightVerdict);
    const places = [e.place, ...(e.alsoPlace ?? [])].map((p) => translate(p, run));
    if (e.verdict !== 'ok' && !(at && judged.filter((w) => w.verdict === at.verdict).every((w) => places.some((p) => samePlace(w.place, p))))) {
      s.place = false;
      s.wrong.push(`${name}: place ${places.join(' or ')} expected, ${at?.place ?? 'none'} said`);
    }
    if (e.rate !== undefined && at && !(at.rate && at.rate[0] <= e.rate && e.rate <= at.rate[1])) {
      s.verdict = false;
      s.wrong.push(`${name}: rate ${e.rate} not in ${at.rate?.map((r) => r.toFixed(2)).join('-') ?? 'nothing'}`);
    }
    if (e.heal !== undefined) clears(run, e, name, s);
  }
}

function clears(run: Run, e: Expectation, name: string, s: Score) {
  const by = (e.heal ?? 0) + (e.healBy ?? HEAL_S) * (run.speed === 4 ? X4_ALLOWANCE : 1);
  const after = run.lines.filter((l) => l.s >= by).map((l) => wordOf(l, name));
  const ok = after.length > 0 && after.every((w) => w.verdict === 'ok' || (w.verdict === 'degraded' && w.detail === 'circuit open'));
  s.cleared = (s.cleared ?? true) && ok;
  if (!ok) s.wrong.push(`${name}: not clear ${e.healBy ?? HEAL_S} s after the heal: ${after.find((w) => w.verdict !== 'ok')?.verdict ?? 'no word'}`);
}

/** A single suspicion is the mark in the history that a near-miss allows. */
function isMark(e: Expectation, w: { verdict: string; detail?: string }): boolean {
  return e.verdict === 'ok' && w.verdict === 'degraded' && w.detail === 'suspect';
}

/** hanging or down where no expectation of that front-end speaks of trouble. */
function wrongAlarms(run: Run, s: Score) {
  for (const line of run.lines)
    for (const w of line.fronts) {
      if (w.verdict !== 'hanging' && w.verdict !== 'down') continue;
      const right = run.scenario.truth.some((e) => {
        const about = subjects(run, e).includes(w.name) || e.target === 'stack';
        const end = (e.heal ?? e.until ?? run.scenario.lasts) + (e.healBy ?? HEAL_S);
        return about && line.s >= e.from && line.s <= end && (e.verdict === w.verdict || (e.also ?? []).some((v) => v === w.verdict));
      });
      if (!right && s.noWrongAlarm) {
        s.noWrongAlarm = false;
        s.wrong.push(`wrong alarm: ${w.name} ${w.verdict} @ ${w.place} at ${line.s.toFixed(0)}`);
      }
    }
}

function harmless(run: Run): boolean {
  const h = run.harm;
  return h.unfinished <= 3 && h.perTenSeconds <= 1 && h.abortsPerTenMinutes <= 2 && h.controlCallsAtOnce <= 1;
}

function subjects(run: Run, e: Expectation): string[] {
  if (e.target === 'stack') return ['stack'];
  const all = run.scenario.stack.frontEnds.map((f) => f.name).filter((n) => e.target === undefined || n === e.target);
  return all.map((n) => run.rename[n] ?? n);
}

function wordOf(line: Line, name: string): { verdict: string; place: string; detail?: string; rate?: [number, number] } {
  if (name === 'stack') return line.stack;
  return line.fronts.find((f) => f.name === name) ?? { verdict: 'unknown', place: 'none' };
}

/** A place of the file with its front-end's or engine's name as it was renamed in this run. */
function translate(place: string, run: Run): string {
  const kind = kindOf(place);
  const name = place.slice(kind.length).trim();
  return name === '' ? kind : `${kind} ${run.rename[name] ?? name}`;
}

function kindOf(place: string): string {
  return PLACES.find((k) => place === k || place.startsWith(`${k} `)) ?? place;
}

/** `decode` is right for `decode decode-0`; `decode rank 2` wants the rank; a front-end wants its name. */
function samePlace(said: string, wanted: string): boolean {
  if (said === wanted) return true;
  const kind = kindOf(wanted);
  if (!said.startsWith(kind)) return false;
  return wanted
    .slice(kind.length)
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => said.includes(word));
}

const slug = (name: string) => name.toLowerCase().replace(/[^a-z0-9.]+/g, '-');
