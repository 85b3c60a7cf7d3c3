import type { Expectation } from '@/lib/scenarios/scenario';
import type { Chat, Run } from '../outcome';

/** The harm rule: one new chat per front-end in ten seconds. */
const SPACING_S = 10;

/**
 * Told seconds after the start of a fault at which the harm rules let it be known at all, whoever watches: a chat already out that falls silent, or
 * the next one allowed, plus that front-end's deadline; for a fault that answers at once the next chat itself. Where no engine takes part in the
 * fault nobody but the chats can witness it, and one silent chat may be a lost one: then a second must fall silent too. Where only a share of the
 * chats is hit, the first (unwitnessed: second) one that really was. undefined: nothing is to be known by a chat.
 */
export function earliestS(run: Run, e: Expectation, front: string): number | undefined {
  const chats = run.chats.filter((chat) => chat.front === front).sort((a, b) => a.sentS - b.sentS);
  if (e.verdict === 'down' || e.verdict === 'misconfigured') return Math.max(0, nextAllowed(chats, e.from) - e.from);
  if (e.verdict !== 'hanging') return undefined;
  const needed = isUnwitnessed(e.place) ? 2 : 1;
  const silentAt = e.rate === undefined ? whenAllHang(chats, e.from, needed) : whenHit(chats, e.from, needed);
  return silentAt === undefined ? undefined : Math.max(0, silentAt - e.from);
}

/** The chats of this front-end that fell silent in a fault which began then, oldest first. */
export function hungSince(chats: readonly Chat[], fromS: number): Chat[] {
  return chats.filter((chat) => chat.late && chat.sentS + chat.deadlineS >= fromS);
}

function whenAllHang(chats: readonly Chat[], fromS: number, needed: number): number | undefined {
  const hung = hungSince(chats, fromS);
  const caught = hung[0] !== undefined && hung[0].sentS < fromS ? hung[0] : undefined;
  const deadlineS = hung[0]?.deadlineS ?? chats.filter((chat) => chat.sentS <= fromS).at(-1)?.deadlineS ?? chats[0]?.deadlineS;
  if (deadlineS === undefined) return undefined;
  let sentS = caught?.sentS ?? nextAllowed(chats, fromS);
  for (let i = 1; i < needed; i++) sentS = Math.max(sentS + SPACING_S, sentS + deadlineS);
  return sentS + deadlineS;
}

function whenHit(chats: readonly Chat[], fromS: number, needed: number): number | undefined {
  const hung = hungSince(chats, fromS)[needed - 1];
  return hung === undefined ? undefined : hung.sentS + hung.deadlineS;
}

function nextAllowed(chats: readonly Chat[], fromS: number): number {
  const last = chats.filter((chat) => chat.sentS <= fromS).at(-1);
  return last === undefined ? fromS : Math.max(fromS, last.sentS + SPACING_S);
}

function isUnwitnessed(place: string): boolean {
  return place.startsWith('front-end') || place.startsWith('router path');
}
