import { PLACES } from '@/lib/model/verdict';
import type { Expectation, Scenario } from '@/lib/scenarios/scenario';
import type { Line, Word } from '../outcome';

/** What hangs, refuses or is set wrong: what a monitor that only knows ok and down should call down. */
export const RED: readonly string[] = ['hanging', 'down', 'misconfigured'];
/** What may not be said without cause. */
export const ALARMS: readonly string[] = ['hanging', 'down'];
/** After a heal a red word may stay this long. */
export const HEAL_S = 30;
const X4_ALLOWANCE = 1.5;

/** Whom an expectation is about. */
export function subjects({ stack }: Scenario, { target }: Expectation): string[] {
  if (target === 'stack') return ['stack'];
  return stack.frontEnds.map((one) => one.name).filter((name) => target === undefined || name === target);
}

/** Where everything is four times slower, a chat's deadline and answer are too: half as much time again. */
export const allowance = (speed: number): number => (speed === 4 ? X4_ALLOWANCE : 1);

/** Told second by which it must be said. */
export function deadlineOf(e: Expectation, speed: number): number {
  return e.from + e.by * allowance(speed);
}

/** Told second from which it no longer holds. */
export function endOf(e: Expectation, scenario: Scenario): number {
  return e.until ?? e.heal ?? scenario.lasts;
}

/** Told second until which its word may linger. */
export function lingersUntil(e: Expectation, scenario: Scenario): number {
  return (e.heal ?? e.until ?? scenario.lasts) + (e.healBy ?? HEAL_S);
}

export function allowedBy(e: Expectation): string[] {
  return [e.verdict, ...(e.also ?? [])];
}

export function wordOf(line: Line, name: string): Word {
  if (name === 'stack') return line.stack;
  return line.fronts.find((one) => one.name === name) ?? { verdict: 'unknown', place: 'none' };
}

/** `decode` is right for `decode decode-0`; `decode rank 2` wants the rank; a front-end wants its name. */
export function isPlace(said: string, wanted: string): boolean {
  if (said === wanted) return true;
  const kind = PLACES.find((one) => wanted === one || wanted.startsWith(`${one} `)) ?? wanted;
  if (said !== kind && !said.startsWith(`${kind} `)) return false;
  const words = said.slice(kind.length).trim().split(/\s+/);
  return wanted
    .slice(kind.length)
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => words.includes(word));
}
