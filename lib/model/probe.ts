import type { Exchange, Failure, RequestSpec } from './exchange';
import type { TargetId } from './target';

/**
 * What an exchange turned out to be.
 * Silences (`zero-bytes`, `headers-only`, `role-only`, `stalled`) are the road to `hanging`; they hold only for a probe that is past its deadline.
 * `pending` is a probe still inside its deadline.
 */
export type Outcome =
  | 'ok'
  | 'pending'
  | 'zero-bytes'
  | 'headers-only'
  | 'role-only'
  | 'stalled'
  | 'no-done'
  | 'error-in-200'
  | 'not-sse'
  | 'empty'
  | 'rejected'
  | 'redirected'
  | Extract<Failure, 'dns' | 'refused' | 'connect-timeout' | 'unreachable' | 'tls' | 'reset' | 'protocol' | 'too-big' | 'cap' | 'closed-by-us'>;

export const SILENCES: ReadonlySet<Outcome> = new Set<Outcome>(['zero-bytes', 'headers-only', 'role-only', 'stalled']);

/** Where a silent answer stopped, in the words of the screen. */
export type HangPhase = 'no header' | 'no first token' | 'mid-stream';

export function hangPhase(outcome: Outcome): HangPhase | undefined {
  if (outcome === 'zero-bytes') return 'no header';
  if (outcome === 'headers-only' || outcome === 'role-only') return 'no first token';
  return outcome === 'stalled' ? 'mid-stream' : undefined;
}

/** Why a probe was sent. `steady` by the loop; `confirm` as second witness; `heal` when work seems to move again; `experiment` by a person. */
export type Purpose = 'steady' | 'confirm' | 'heal' | 'experiment';

/** What a chat answer carried, read from its stream. Times are ms since the exchange began, monotonic. */
export type ChatReading = {
  /** Payload tokens: content, reasoning or tool-call deltas that are not empty; role chunks and comments are not counted. */
  tokens: number;
  ttftMs?: number;
  /** Longest gap between payload tokens so far, the open one included while the stream lives. */
  maxGapMs: number;
  sawRole: boolean;
  sawDone: boolean;
  comments: number;
  finishReason?: string;
  completionTokens?: number;
  /** First words of the answer, cut at 200 characters; hostile text. */
  text: string;
  /** The words of an error event inside the stream or of an error body, cut at 300 characters; hostile text. */
  error?: string;
  /** Error code inside a 200 when it names one. */
  errorStatus?: number;
  echoedModel?: string;
};

/** One probe of one target, told twice under one id: when its verdict falls and when it ends; also once when it is sent (`pending`). */
export type ProbeResult = {
  id: string;
  target: TargetId;
  /** Name of the probe in the open set: `chat`, `health`, `models`, `reference`. */
  probe: string;
  /** `health`: a claim by the stack. `service`: work it really did. `facts`: neither. */
  proves: 'health' | 'service' | 'facts';
  purpose: Purpose;
  /** What was asked, without secrets: path, and for chats model, tokens asked, stream. */
  path: string;
  model?: string;
  stream?: boolean;
  maxTokens?: number;
  /** Value sent as `rid` and `x-request-id`. */
  rid?: string;
  outcome: Outcome;
  /** Past its deadline with the socket still open. */
  late: boolean;
  /** One plain sentence: "zero bytes after 8.0 s on an open connection". */
  sentence: string;
  /** Wall clock ms when sent. */
  sentAt: number;
  deadlineMs: number;
  deadlineFrom: 'configured' | 'learned';
  exchange: Exchange;
  reading?: ChatReading;
  /** Worst lateness of our own loop while it was out, ms; timings are uncertain by this much. */
  lagMs: number;
  /** Equivalent curl command, secrets replaced. */
  curl: string;
  experiment?: string;
};

/** A member of the probe set: pure. `request` may put secrets (API key) into headers; `judge` must not. */
export type Probe = {
  proves: ProbeResult['proves'];
  /** What this probe is and what a good answer proves, one sentence, shown on the screen. */
  about: string;
  request(on: ProbeOn): RequestSpec;
  /** Feed for streaming answers; stateless probes leave it out and judge from the exchange alone. */
  reader?: () => ChatReader;
  judge(exchange: Exchange, reading: ChatReading | undefined, limits: { late: boolean }): { outcome: Outcome; sentence: string };
};

/** What a probe needs to know about its target. */
export type ProbeOn = {
  url: string;
  headers: Record<string, string>;
  ca?: string;
  model?: string;
  rid: string;
  nonce: string;
  prompt: string;
  maxTokens: number;
  stream: boolean;
  userAgent: string;
};

/** Incremental reader of one answer body; `push` returns the marks newly reached by these bytes. */
export type ChatReader = {
  push(chunk: Uint8Array, elapsedMs: number): { firstEvent?: boolean; firstToken?: boolean; progressed: boolean };
  end(elapsedMs: number): void;
  reading(elapsedMs: number): ChatReading;
};
