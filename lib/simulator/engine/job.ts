/** What an engine sends back for a job. `tokens` counts new ones; `finished` ends it; `error` ends it too. */
export type Output = { kind: 'tokens'; count: number; finished?: 'length' } | { kind: 'error'; message: string; status: number; type: string };

/** One request inside a scheduler. Times are told seconds. */
export type Job = {
  rid: string;
  /** Room in which the two legs of a disaggregated request meet. */
  room: string;
  /** Prefill at which the room is, as the front-end named it. */
  bootstrapPort: number | undefined;
  /** Over the fake hand-over (host 2.2.2.2): meets nobody, moves no KV. */
  fake: boolean;
  health: boolean;
  promptTokens: number;
  maxTokens: number;
  arrived: number;
  /** When it entered its present queue. */
  since: number;
  readyAt: number;
  produced: number;
  /** Tokens made and not yet sent, and when the last were. */
  unsent: number;
  sentAt: number;
  emit(output: Output): void;
};

/** What the HTTP process tells a scheduler. Read only when the loop turns. */
export type Message = { kind: 'job'; job: Job } | { kind: 'abort'; rid: string } | { kind: 'control'; answer: () => void };
