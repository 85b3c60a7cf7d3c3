import type { ChatReading, Probe } from '@/lib/model/probe';
import { chatReader } from './parts/chat-reader';
import { chatRequest } from './parts/chat-request';
import { judgeChat } from './parts/judge-chat';

const NOTHING: ChatReading = { tokens: 0, maxGapMs: 0, sawRole: false, sawDone: false, comments: 0, text: '' };

/** The same chat without streaming. Front-ends take another path for it, and engines notice a client that leaves late: never a steady probe. */
export const chatWhole = {
  proves: 'service',
  about: 'A tiny chat without streaming; beside the streaming one it tells a stuck answer path from a stuck stream.',
  request: (on) => chatRequest(on, false),
  reader: chatReader,
  judge: (exchange, reading, { late }) => judgeChat(exchange, reading ?? NOTHING, { stream: false, late }),
} satisfies Probe;
