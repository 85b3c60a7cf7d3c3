import { deadline } from '@/lib/io/deadline';
import type { LiveExchange } from '@/lib/io/exchange';
import type { Exchange } from '@/lib/model/exchange';
import type { Outcome, Probe } from '@/lib/model/probe';
import { curl } from '@/lib/probes/parts/curl';
import { begin, type Context, USER_AGENT, type Watched } from './context';
import { caFor, headersFor } from './secrets';

/** A short question as put: readable while it is out, judged at any moment. */
export type Asked = {
  live: LiveExchange;
  curl: string;
  body(): string;
  judge(): { exchange: Exchange; late: boolean; outcome: Outcome; sentence: string };
};

export type Question = {
  probe: Probe;
  url: string;
  deadlineMs: number;
  capMs: number;
  byteCap?: number;
  /** Called once when it is past its deadline and still out. */
  onLate?(): void;
  allow?(method: string, path: string): boolean;
};

/** Put a GET of the probe set to a target and keep its body. */
export function put(context: Context, watched: Watched, question: Question): Asked {
  const { probe } = question;
  const spec = probe.request({
    url: question.url,
    headers: headersFor(watched.config),
    ...caFor(watched.config),
    rid: '',
    nonce: '',
    prompt: '',
    maxTokens: 0,
    stream: false,
    userAgent: USER_AGENT,
  });
  const chunks: Uint8Array[] = [];
  let isLate = false;
  const live = begin(context, spec, {
    capMs: question.capMs,
    connectTimeoutMs: question.deadlineMs,
    ...(question.byteCap === undefined ? {} : { byteCap: question.byteCap }),
    ...(question.allow === undefined ? {} : { allow: question.allow }),
    onChunk(chunk) {
      chunks.push(chunk);
      return {};
    },
  });
  const stop = deadline(context.clock, question.deadlineMs, () => {
    if (live.read().ended) return;
    isLate = true;
    question.onLate?.();
  });
  void live.ended.then(stop);
  return {
    live,
    curl: curl(spec),
    body: () => Buffer.concat(chunks).toString('utf8'),
    judge() {
      const exchange = live.read();
      return { exchange, late: isLate, ...probe.judge(exchange, undefined, { late: isLate }) };
    },
  };
}

/** Foreign JSON, or undefined. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
