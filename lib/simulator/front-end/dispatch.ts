import type { IncomingMessage } from 'node:http';
import { jsonObject } from '../reply';
import type { ChatBody } from './admit';
import type { ClientReply } from './client-reply';
import type { FrontEnd } from './front-end';
import type { GatewayPage } from './gateway-page';
import type { Member, Pool } from './pool';
import { type Leg, post, wholeText } from './upstream';

/** Address of a worker that is gone: reserved for documentation, nobody answers there. */
export const UNREACHABLE = 'http://192.0.2.10';

/** What of a chat's body reaches the engines; other fields are dropped (sglang-router 0.3.2, seen running). */
const KEPT = [
  'model',
  'messages',
  'stream',
  'temperature',
  'top_p',
  'ignore_eos',
  'metadata',
  'stream_options',
  'n',
  'stop',
  'seed',
  'user',
  'tools',
  'logprobs',
];
const RETRIED = [408, 429, 500, 502, 503, 504];

/** The legs of the present attempt, and whether the client is gone: what breaks then is nobody's failure. */
type Legs = { legs: Leg[]; hasLeft: boolean };

type Attempt = {
  prefill: Member | undefined;
  decode: Member;
  prefillLeg: Leg | undefined;
  decodeLeg: Leg | undefined;
  only: 'decode' | 'prefill' | undefined;
  open: Legs;
};

type Result = { ok: true; message: IncomingMessage; decode: Member } | { ok: false; status: number; code: string; message: string; isFinal?: true };

/** How the gateway sends one chat to a pair of workers, tries again, and hands the answer on. */
export class Dispatch {
  constructor(
    private readonly fe: FrontEnd,
    private readonly pool: Pool,
    private readonly page: GatewayPage,
    private readonly limits: { attempts: number; cancelsDecode: boolean },
  ) {}

  /** Up to five attempts with a growing pause; a newly picked pair each time. */
  async forward(body: ChatBody, reply: ClientReply, headers: Record<string, string>, upstream: Record<string, string>): Promise<void> {
    const open: Legs = { legs: [], hasLeft: false };
    reply.onLeave(() => {
      open.hasLeft = true;
      for (const leg of open.legs) leg.close();
    });
    let result: Result = { ok: false, status: 503, code: 'server_selection_failed', message: '' };
    for (let attempt = 0; attempt < this.limits.attempts && !open.hasLeft; attempt++) {
      if (attempt > 0) await pause(this.fe, 0.05 * 1.5 ** (attempt - 1));
      open.legs = [];
      result = await this.attempt(body, upstream, open);
      if (result.ok || !RETRIED.includes(result.status) || result.isFinal === true) break;
    }
    if (open.hasLeft) {
      for (const leg of open.legs) leg.close();
      return;
    }
    if (!result.ok) return this.refuse(body, reply, headers, result);
    await this.deliver(body, reply, headers, result);
  }

  private async attempt(body: ChatBody, upstream: Record<string, string>, open: Legs): Promise<Result> {
    const { fe } = this;
    const ghost = fe.state.ghost;
    if (ghost !== undefined && fe.ghosts++ % ghost.n >= ghost.n - ghost.k) {
      await pause(fe, ghost.connectWait);
      return {
        ok: false,
        status: 503,
        code: 'prefill_connection_failed',
        isFinal: true,
        message: `error sending request for url (${UNREACHABLE}:30000/v1/chat/completions)`,
      };
    }
    const picked = this.pool.pick();
    if ('refusal' in picked) return { ok: false, status: 503, code: 'server_selection_failed', message: `No available servers: ${picked.refusal}` };
    const { prefill, decode } = picked;
    const text = JSON.stringify(rewritten(body, prefill, fe.dice.int(2 ** 52)));
    const only = fe.state.oneLeg;
    for (const member of [prefill, decode])
      if (member !== undefined)
        this.page.add(
          `smg_worker_selection_total{worker_type="${member.worker.role}",connection_mode="http",model="${member.worker.model}",policy="cache_aware"}`,
        );
    const send = (member: Member): Leg => {
      const leg = post(fe.clock, `${member.worker.url}/v1/chat/completions`, text, upstream);
      open.legs.push(leg);
      return leg;
    };
    // Non-streams are counted as active from the start, streams from their header on (SGLang 0.5.23, seen running).
    const counted = body.stream === true ? [] : [prefill, decode].filter((one) => one !== undefined);
    for (const member of counted) member.active += 1;
    try {
      if (prefill !== undefined) prefill.circuit.looksHalfOpen = only === 'decode';
      const prefillLeg = prefill !== undefined && only !== 'decode' ? send(prefill) : undefined;
      const decodeLeg = only !== 'prefill' ? send(decode) : undefined;
      return await this.join({ prefill, decode, prefillLeg, decodeLeg, only, open });
    } finally {
      for (const member of counted) member.active -= 1;
    }
  }

  /** Prefill's whole body first, then decode's header: a decode that failed long ago is looked at only then. A failed prefill is told only when decode has spoken too, or cancels it (`cancelsDecode`). */
  private async join({ prefill, decode, prefillLeg, decodeLeg, only, open }: Attempt): Promise<Result> {
    const judged = [prefill, decode].filter((one) => one !== undefined);
    const failed = (role: string, status: number, text: string): Result => {
      const isWorkersFault = status >= 500 && !open.hasLeft;
      // Each attempt's failure goes to both breakers, whoever failed (sglang-router 0.3.2, seen running).
      if (isWorkersFault) for (const member of judged) member.circuit.record(false, this.fe.clock.now());
      const code = `${role}_${status >= 500 ? (status === 503 ? 'connection_failed' : 'internal_error') : 'bad_request'}`;
      return { ok: false, status, code, message: text };
    };
    if (prefillLeg !== undefined) {
      const head = await prefillLeg.head;
      const text = head.kind === 'answer' ? await wholeText(head.message).catch(() => undefined) : undefined;
      if (head.kind === 'broken' || text === undefined || head.status >= 400) {
        if (!this.limits.cancelsDecode) await decodeLeg?.head;
        decodeLeg?.close();
        if (head.kind === 'broken' || text === undefined) return failed('prefill', 503, 'Prefill server error: error sending request');
        return failed('prefill', head.status, head.status >= 500 ? `Prefill server error (${head.status} Internal Server Error): ${text}` : messageOf(text));
      }
    }
    const head = decodeLeg === undefined ? await new Promise<never>(() => {}) : await decodeLeg.head;
    if (head.kind === 'broken') return failed('decode', 503, 'Decode server error: error sending request');
    if (head.status >= 400) {
      const text = await wholeText(head.message).catch(() => '');
      return failed('decode', head.status, head.status >= 500 ? `Decode server error (${head.status} Internal Server Error): ${text}` : messageOf(text));
    }
    if (only === 'decode' && prefill !== undefined) {
      // The prefill leg was never sent, so its answer never comes: nothing of decode's reaches the client.
      await new Promise((resolve) => head.message.once('end', resolve).resume());
      return failed('decode', 500, 'Decode transfer failed');
    }
    for (const member of judged) member.circuit.record(true, this.fe.clock.now());
    return { ok: true, message: head.message, decode };
  }

  private async deliver(body: ChatBody, reply: ClientReply, headers: Record<string, string>, result: Extract<Result, { ok: true }>): Promise<void> {
    const { message, decode } = result;
    if (body.stream !== true) {
      const text = await wholeText(message).catch(() => undefined);
      if (text === undefined) return reply.cut();
      return reply.whole(200, text, { 'content-type': 'application/json', ...headers });
    }
    decode.active += 1;
    reply.open(200, { 'content-type': 'text/event-stream', ...headers });
    message.on('data', (chunk: Buffer) => reply.write(chunk));
    message.on('close', () => {
      decode.active -= 1;
      if (message.complete) reply.end();
      else reply.cut();
    });
  }

  private refuse(body: ChatBody, reply: ClientReply, headers: Record<string, string>, { status, code, message }: Extract<Result, { ok: false }>): void {
    const type = { 400: 'Bad Request', 500: 'Internal Server Error', 503: 'Service Unavailable' }[status] ?? 'Error';
    const error = { type, code, message };
    if (body.stream === true && code === 'decode_bad_request') {
      reply.whole(status, `data: {'error': ${JSON.stringify({ message })}}\n\n`, { 'content-type': 'text/event-stream', ...headers });
      return;
    }
    const text = reply.isOpen ? JSON.stringify(error) : JSON.stringify({ error });
    reply.whole(status, text, { 'content-type': 'application/json', 'x-smg-error-code': code, ...headers });
  }
}

function rewritten(body: ChatBody, prefill: Member | undefined, room: number): Record<string, unknown> {
  const kept: Record<string, unknown> = { tool_choice: 'none' };
  for (const name of KEPT) if (body[name] !== undefined) kept[name] = body[name];
  const limit = body.max_completion_tokens ?? body.max_tokens;
  if (limit !== undefined) kept.max_completion_tokens = limit;
  if (prefill === undefined) return kept;
  return { ...kept, bootstrap_host: '127.0.0.1', bootstrap_port: prefill.worker.bootstrapPort, bootstrap_room: room };
}

function messageOf(text: string): string {
  const message = jsonObject(text)?.message;
  return typeof message === 'string' ? message : text;
}

function pause(fe: FrontEnd, seconds: number): Promise<void> {
  return new Promise((resolve) => {
    fe.clock.after(seconds, resolve);
  });
}
