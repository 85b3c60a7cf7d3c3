import type { ChatReading, Probe } from '@/lib/model/probe';
import { chatReader } from './parts/chat-reader';
import { chatRequest } from './parts/chat-request';
import { judgeChat } from './parts/judge-chat';

const NOTHING: ChatReading = { tokens: 0, maxGapMs: 0, sawRole: false, sawDone: false, comments: 0, text: '' };

/** The steady probe: a streaming chat as a user's. */
export const chat = {
  proves: 'service',
  about: 'A tiny streaming chat through the same door as users; a good answer proves that this front-end and the engines behind it work together.',
  request: (on) => chatRequest(on, on.stream),
  reader: chatReader,
  judge: (exchange, reading, { late }) => judgeChat(exchange, reading ?? NOTHING, { stream: true, late }),
} satisfies Probe;
