import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Harm, NO_HARM } from './outcome';

/** Our chats and control calls as the stack sees them come, wait and go; nothing that we say of ourselves counts here. */
export type Footprint = { tap(part: string, req: IncomingMessage, res: ServerResponse): void; harm(): Harm };

type Chat = { at: number; isOver: boolean; isGood: boolean };

const OURS = 'wedgewatch/';
const CHAT = '/v1/chat/completions';
/** Answered by the scheduler; `/v1/loads` only where the engine asks it. */
const CONTROL = ['/server_info', '/get_server_info', '/get_load'];
/** Ten seconds as the other side counts them: the way there is not always equally long. */
const TEN_S = 9.8;
const TEN_MINUTES_S = 600;

/** `seconds` tells the told time. */
export function footprint(seconds: () => number, loads: 'ask' | 'snapshot'): Footprint {
  const chats = new Map<string, Chat[]>();
  const aborts = new Map<string, number[]>();
  const control = new Map<string, number>();
  const worst: Harm = { ...NO_HARM };
  return { tap, harm: () => ({ ...worst }) };

  function tap(part: string, req: IncomingMessage, res: ServerResponse) {
    if (!String(req.headers['user-agent'] ?? '').startsWith(OURS)) return;
    const path = (req.url ?? '').split('?')[0] ?? '';
    if (path === CHAT) chat(part, req, res);
    else if (CONTROL.includes(path) || (loads === 'ask' && path === '/v1/loads')) call(part, res);
  }

  function chat(part: string, req: IncomingMessage, res: ServerResponse) {
    const mine: Chat = { at: seconds(), isOver: false, isGood: false };
    const list = listOf(chats, part);
    list.push(mine);
    worst.unfinished = Math.max(worst.unfinished, list.filter((one) => !one.isOver).length);
    worst.perTenSeconds = Math.max(worst.perTenSeconds, list.filter((one) => mine.at - one.at < TEN_S).length);
    let hasLeft = false;
    const left = () => {
      hasLeft = true;
    };
    req.socket.once('end', left);
    req.socket.once('error', left);
    res.once('close', () => {
      mine.isOver = true;
      mine.isGood = res.writableFinished && res.statusCode === 200;
      if (!res.writableFinished && hasLeft) abort(part, mine, list);
    });
  }

  /** A socket from before a probe that was answered well is lost: closing it harms nobody. */
  function abort(part: string, mine: Chat, list: readonly Chat[]) {
    if (list.some((one) => one.isGood && one.at > mine.at)) return;
    const now = seconds();
    const recent = listOf(aborts, part);
    recent.push(now);
    worst.abortsPerTenMinutes = Math.max(worst.abortsPerTenMinutes, recent.filter((at) => now - at < TEN_MINUTES_S).length);
  }

  function call(part: string, res: ServerResponse) {
    const out = (control.get(part) ?? 0) + 1;
    control.set(part, out);
    worst.controlCallsAtOnce = Math.max(worst.controlCallsAtOnce, out);
    res.once('close', () => control.set(part, (control.get(part) ?? 1) - 1));
  }
}

function listOf<T>(map: Map<string, T[]>, key: string): T[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
