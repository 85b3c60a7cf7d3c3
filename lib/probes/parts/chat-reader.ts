import { readable } from '@/lib/model/foreign';
import type { ChatReader, ChatReading } from '@/lib/model/probe';
import { readAnswer, type Said } from './answer';
import { sseSplitter } from './sse';
import { cut } from './words';

const MAX_RAW = 64 * 1024;
const MAX_TEXT = 200;
const MAX_ERROR = 300;

/** Reads a chat answer as it comes: a stream of events, or a whole JSON body. Bounded memory whatever is sent. */
export function chatReader(): ChatReader {
  const splitter = sseSplitter();
  const reading: Omit<ChatReading, 'maxGapMs'> = { tokens: 0, sawRole: false, sawDone: false, comments: 0, text: '' };
  let raw = '';
  let lastTokenMs: number | undefined;
  let maxGapMs = 0;
  let isOver = false;

  return {
    push(chunk, elapsedMs) {
      const tokensBefore = reading.tokens;
      let firstEvent = false;
      for (const event of splitter.push(chunk)) {
        if (event.kind === 'data') firstEvent = true;
        take(event, elapsedMs);
      }
      return { firstEvent, firstToken: tokensBefore === 0 && reading.tokens > 0, progressed: reading.tokens > tokensBefore };
    },
    end(elapsedMs) {
      if (isOver) return;
      for (const event of splitter.end()) take(event, elapsedMs);
      if (raw.trim() !== '') wholeBody(elapsedMs);
      isOver = true;
    },
    reading(elapsedMs) {
      const isOpen = !isOver && !reading.sawDone && lastTokenMs !== undefined;
      return { ...reading, maxGapMs: Math.max(maxGapMs, isOpen ? elapsedMs - (lastTokenMs ?? elapsedMs) : 0) };
    },
  };

  function take(event: ReturnType<typeof splitter.push>[number], elapsedMs: number): void {
    if (event.kind === 'comment') reading.comments += 1;
    else if (event.kind === 'overlong') fail('a line of the stream does not end');
    else if (event.kind === 'raw') raw = raw.length < MAX_RAW ? `${raw}${event.text}\n` : raw;
    else if (event.data.trim() === '[DONE]') reading.sawDone = true;
    else data(event.data, event.event, elapsedMs);
  }

  function data(text: string, name: string | undefined, elapsedMs: number): void {
    if (text.trim() === '') return;
    const parsed = parse(text);
    // an event that is no JSON is a failure told in its own words: the gateway sends `data: {'error': ...}` (SGLang 0.5.23, seen running)
    if (parsed === undefined) fail(text);
    else absorb(readAnswer(parsed), elapsedMs);
    if (name === 'error' && reading.error === undefined) fail(text);
  }

  function wholeBody(elapsedMs: number): void {
    const parsed = parse(raw);
    if (parsed !== undefined) absorb(readAnswer(parsed), elapsedMs);
    // beside real events, stray lines are somebody's error text; alone, judging the body is the probe's
    else if (reading.tokens > 0 || reading.sawRole) fail(raw);
  }

  function absorb(said: Said, elapsedMs: number): void {
    if (said.error !== undefined) fail(said.error, said.errorStatus);
    if (said.hasRole) reading.sawRole = true;
    if (said.finishReason !== undefined) reading.finishReason = cut(said.finishReason, 40);
    if (said.completionTokens !== undefined) reading.completionTokens = said.completionTokens;
    if (said.model !== undefined) reading.echoedModel = cut(said.model, 200);
    if (said.payloads === 0) return;
    reading.tokens += said.payloads;
    reading.ttftMs ??= elapsedMs;
    if (lastTokenMs !== undefined) maxGapMs = Math.max(maxGapMs, elapsedMs - lastTokenMs);
    lastTokenMs = elapsedMs;
    if (reading.text.length < MAX_TEXT) reading.text = readable(reading.text + said.text).slice(0, MAX_TEXT);
  }

  function fail(words: string, status?: number): void {
    reading.error ??= cut(words, MAX_ERROR);
    if (status !== undefined) reading.errorStatus ??= status;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
