import type { Exchange } from '@/lib/model/exchange';
import { type Budget, FRESH, LIMITS } from './budget';

/** What an earlier life of ours sent to a front-end, newest chats of the last minutes; wall-clock ms. `endedAt`: its last sign. */
export type Earlier = { chats: readonly { sentAt: number; exchange: Pick<Exchange, 'at' | 'elapsedMs' | 'ended' | 'failure'> }[]; endedAt: number };

/**
 * The budget that a restart of ours leaves: the front-end has seen the chats that were sent and the sockets that broke, whoever we are now. A
 * chat still out when the earlier life ended was aborted by that end.
 */
export function budgetAfter(earlier: Earlier, now: { wall: number; mono: number }): Budget {
  const told = (wall: number) => now.mono - (now.wall - wall);
  const isRecent = (wall: number, ms: number) => wall > now.wall - ms && wall <= now.wall;
  const sentAt = earlier.chats.map((chat) => chat.sentAt).filter((at) => isRecent(at, 60_000));
  const abortsAt = earlier.chats.flatMap((chat) => abortOf(chat, earlier.endedAt) ?? []).filter((at) => isRecent(at, LIMITS.abortWindowMs));
  const inOrder = (moments: number[]) => moments.sort((a, b) => a - b).map(told);
  return { ...FRESH, sentAt: inOrder(sentAt), abortsAt: inOrder(abortsAt) };
}

function abortOf({ exchange }: Earlier['chats'][number], endedAt: number): number | undefined {
  if (!exchange.ended) return endedAt;
  const isOurs = exchange.failure === 'closed-by-us' || exchange.failure === 'cap' || exchange.failure === 'too-big';
  return isOurs ? exchange.at + exchange.elapsedMs : undefined;
}
