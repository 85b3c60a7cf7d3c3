import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonObject, sendJson } from '../reply';
import type { Engine } from './engine';
import type { Output } from './job';

const FAKE_HOST = '2.2.2.2';
/** A waiting request's client is looked at each 4 s; a stream's job is aborted 2 s after it closed (SGLang's sources). */
const WAITING_CHECK_S = 4;
const STREAM_ABORT_S = 2;
const WORDS = [' one', ' two', ' three', ' four', ' five', ' six', ' seven', ' eight', ' nine', ' ten'];

/** POST /v1/chat/completions of an engine. `done` is told the status when the response is over. */
export function chat(engine: Engine, req: IncomingMessage, res: ServerResponse, text: string, done: (status: number) => void): void {
  const body = jsonObject(text);
  const refusal = refusalOf(engine, body);
  if (refusal !== undefined || body === undefined) {
    const { status, message, type } = refusal ?? { status: 400, message: 'no body', type: 'Bad Request' };
    if (refusal?.inStream === true && body?.stream === true) {
      openStream(res);
      res.end(errorEvent(message, 'BAD_REQUEST', status));
      done(200);
    } else {
      sendJson(res, status, { object: 'error', message, type, param: null, code: status });
      done(status);
    }
    return;
  }
  new Chat(engine, req, res, body, done).run();
}

class Chat {
  private readonly id: string;
  private readonly model: string;
  private readonly created: number;
  private readonly isStream: boolean;
  private readonly maxTokens: number;
  private readonly promptTokens: number;
  private produced = 0;
  private ended = false;

  constructor(
    private readonly engine: Engine,
    private readonly req: IncomingMessage,
    private readonly res: ServerResponse,
    private readonly body: Record<string, unknown>,
    private readonly done: (status: number) => void,
  ) {
    this.id = typeof body.rid === 'string' ? body.rid : engine.dice.hex(32);
    this.model = typeof body.model === 'string' ? body.model : 'default';
    this.created = Math.floor(engine.clock.epoch());
    this.isStream = body.stream === true;
    const asked = Number(body.max_tokens ?? body.max_completion_tokens ?? 64);
    this.promptTokens = promptTokens(body);
    this.maxTokens = engine.spec.role === 'prefill' ? 1 : Math.max(1, Number.isFinite(asked) ? asked : 64);
  }

  run(): void {
    const { engine, body } = this;
    const fake = body.bootstrap_host === FAKE_HOST;
    const port = typeof body.bootstrap_port === 'number' ? body.bootstrap_port : undefined;
    const startedAt = engine.clock.now();
    const handle = engine.submit(
      {
        rid: `${this.id}#${engine.dice.hex(6)}`,
        room: String(body.bootstrap_room),
        bootstrapPort: port,
        fake,
        health: false,
        promptTokens: this.promptTokens,
        maxTokens: this.maxTokens,
      },
      (output) => engine.speak(() => this.hear(output, startedAt)),
    );
    this.res.on('close', () => {
      if (this.ended || this.res.writableFinished) return;
      const hadBegun = this.res.headersSent;
      const wait = hadBegun ? STREAM_ABORT_S : WAITING_CHECK_S + engine.dice.next();
      engine.clock.after(wait, () => {
        if (this.ended) return;
        this.ended = true;
        handle.abort();
        // Seen running: left before the first token is counted 400, in mid-stream 200.
        this.done(hadBegun ? 200 : 400);
      });
    });
    this.req.on('error', () => this.res.destroy());
  }

  private hear(output: Output, startedAt: number): void {
    if (this.ended) return;
    const { engine, res } = this;
    if (output.kind === 'error') {
      this.finish(output);
      return;
    }
    if (this.produced === 0 && engine.spec.role !== 'prefill')
      engine.http.observe(this.streaming('time_to_first_token_seconds'), engine.clock.now() - startedAt);
    this.produced += output.count;
    const limit = engine.tuning.stopAfter;
    if (this.produced > limit) return;
    if (this.isStream) this.stream(output);
    if (output.finished === undefined) return;
    this.ended = true;
    engine.http.add(this.streaming('prompt_tokens_total'), this.promptTokens);
    engine.http.add(this.streaming('generation_tokens_total'), this.produced);
    engine.http.add(this.streaming('num_requests_total'), 1);
    engine.http.observe(this.streaming('e2e_request_latency_seconds'), engine.clock.now() - startedAt);
    if (!this.isStream) sendJson(res, 200, this.whole());
    this.done(200);
  }

  private stream(output: { count: number; finished?: 'length' }): void {
    const { engine, res } = this;
    if (!res.headersSent && !res.destroyed) {
      openStream(res);
      if (!engine.traits.empty) res.write(this.chunk({ role: 'assistant', content: '' }));
    }
    const words = Array.from({ length: output.count }, (_, i) => WORDS[(this.produced - output.count + i) % WORDS.length]).join('');
    if (words !== '' && !engine.traits.empty) res.write(this.chunk(engine.traits.reasoningOnly ? { reasoning_content: words } : { content: words }));
    if (output.finished === undefined) return;
    const usage = {
      prompt_tokens: this.promptTokens,
      total_tokens: this.promptTokens + this.produced,
      completion_tokens: this.produced,
      prompt_tokens_details: null,
    };
    const options = this.body.stream_options;
    const wantsUsage = typeof options === 'object' && options !== null && Reflect.get(options, 'include_usage') === true;
    if (!engine.traits.empty) res.write(this.chunk({}, 'length'));
    if (wantsUsage) res.write(`data: ${JSON.stringify({ ...this.head('chat.completion.chunk'), choices: [], usage })}\n\n`);
    res.end('data: [DONE]\n\n');
  }

  private finish(output: { message: string; status: number; type: string }): void {
    this.ended = true;
    const { res } = this;
    if (this.isStream) {
      if (!res.headersSent && !res.destroyed) openStream(res);
      res.end(errorEvent(output.message, output.type, output.status));
      this.done(200);
      return;
    }
    sendJson(res, output.status, { object: 'error', message: output.message, type: String(output.status), param: null, code: output.status });
    this.done(output.status);
  }

  private head(object: string) {
    return { id: this.id, object, created: this.created, model: this.model };
  }

  private chunk(delta: Record<string, unknown>, finish: string | null = null): string {
    const choice = { index: 0, delta: { reasoning_content: null, ...delta }, logprobs: null, finish_reason: finish, matched_stop: null };
    return `data: ${JSON.stringify({ ...this.head('chat.completion.chunk'), choices: [choice] })}\n\n`;
  }

  private whole() {
    const words = Array.from({ length: this.produced }, (_, i) => WORDS[i % WORDS.length]).join('');
    const { reasoningOnly, empty } = this.engine.traits;
    const message = { role: 'assistant', content: reasoningOnly || empty ? null : words, reasoning_content: reasoningOnly ? words : null };
    return {
      ...this.head('chat.completion'),
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'length', matched_stop: null }],
      usage: {
        prompt_tokens: this.promptTokens,
        total_tokens: this.promptTokens + this.produced,
        completion_tokens: this.produced,
        prompt_tokens_details: null,
        reasoning_tokens: reasoningOnly ? this.produced : 0,
      },
    };
  }

  private streaming(name: string): string {
    return `${name}{is_streaming="${this.isStream}"}`;
  }
}

/** Marks a prompt of so many tokens without sending them: `[[200000 tokens]]`. */
export const LONG_PROMPT = /\[\[(\d+) tokens\]\]/;

function promptTokens(body: Record<string, unknown>): number {
  const text = JSON.stringify(body.messages ?? '');
  const told = LONG_PROMPT.exec(text)?.[1];
  return told === undefined ? Math.max(1, Math.ceil(text.length / 4)) : Number(told);
}

type Refusal = { status: number; message: string; type: string; inStream?: true };

function refusalOf(engine: Engine, body: Record<string, unknown> | undefined): Refusal | undefined {
  if (body === undefined)
    return { status: 400, message: "1 validation error:\n  {'type': 'json_invalid', 'loc': ('body', 1), 'msg': 'JSON decode error'}", type: 'Bad Request' };
  if (!Array.isArray(body.messages))
    return { status: 400, message: "1 validation error:\n  {'type': 'missing', 'loc': ('body', 'messages'), 'msg': 'Field required'}", type: 'Bad Request' };
  const tokens = promptTokens(body);
  if (engine.spec.role === 'prefill' && tokens > engine.traits.rejectLongerThan) {
    return {
      status: 400,
      message: `The input (${tokens} tokens) is longer than the model's context length (${engine.traits.rejectLongerThan} tokens).`,
      type: 'BadRequestError',
    };
  }
  if (engine.spec.role !== 'unified' && body.bootstrap_room === undefined) {
    return {
      status: 400,
      message: `Invalid request: Disaggregated request received without bootstrap room id. req.rid='${engine.dice.hex(32)}'`,
      type: 'BAD_REQUEST',
      inStream: true,
    };
  }
  return undefined;
}

function openStream(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', vary: 'Origin', server: 'uvicorn' });
}

function errorEvent(message: string, type: string, code: number): string {
  return `data: ${JSON.stringify({ error: { object: 'error', message, type, param: null, code } })}\n\ndata: [DONE]\n\n`;
}
