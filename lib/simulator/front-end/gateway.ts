import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonObject, pathOf, readBody, sendJson, sendText } from '../reply';
import { admit, type ChatBody } from './admit';
import { ClientReply } from './client-reply';
import type { FrontEnd } from './front-end';
import type { GatewayPage } from './gateway-page';
import type { Member, Pool } from './pool';
import { get, type Leg, post, wholeText } from './upstream';

const VARY = 'origin, access-control-request-method, access-control-request-headers';
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
const UNREACHABLE = 'http://192.0.2.10';

type Result = { ok: true; message: IncomingMessage; decode: Member } | { ok: false; status: number; code: string; message: string };

/** The Rust gateway of sglang-router 0.3.2 in PD mode, as it was seen running (sglang.md 4.3, 4.4). */
export class Gateway {
  constructor(
    private readonly fe: FrontEnd,
    private readonly pool: Pool,
    private readonly page: GatewayPage,
    private readonly attempts: number,
  ) {}

  serve(req: IncomingMessage, res: ServerResponse): void {
    const { fe, page } = this;
    const path = pathOf(req);
    const held = { since: fe.clock.now() };
    fe.inflight.add(held);
    page.add(`smg_http_requests_total{method="${req.method}",path="${path}"}`);
    res.on('close', () => fe.inflight.delete(held));
    res.on('finish', () =>
      page.add(`smg_http_responses_total{status_code="${res.statusCode}",error_code="${String(res.getHeader('x-smg-error-code') ?? '')}"}`),
    );
    const laid = fe.overrides.take(path);
    const go = () => {
      if (laid?.status !== undefined) return sendJson(res, laid.status, { error: { message: 'Internal Server Error', code: laid.status } });
      this.route(path, req, res);
    };
    if (laid?.seconds === undefined) go();
    else fe.clock.after(laid.seconds, go);
  }

  private route(path: string, req: IncomingMessage, res: ServerResponse): void {
    const id = { 'x-request-id': `req-${this.fe.dice.hex(24)}`, vary: VARY };
    const plain = { 'content-type': 'text/plain; charset=utf-8', ...id };
    if (path === '/v1/chat/completions' && req.method === 'POST') {
      readBody(req).then(
        (text) => this.chat(req, res, text),
        () => {},
      );
      return;
    }
    req.resume();
    const list = () => ({ object: 'list', data: this.fe.models().map((model) => ({ id: model, object: 'model', owned_by: 'local' })) });
    const anyHealthy = () => this.pool.list().some((one) => one.isHealthy);
    const routes: Record<string, () => unknown> = {
      '/health': () => sendText(res, 200, 'OK', plain),
      '/liveness': () => sendText(res, 200, 'OK', plain),
      '/readiness': () => this.readiness(res, id),
      '/v1/models': () => sendText(res, 200, JSON.stringify(list()), plain),
      '/health_generate': () =>
        anyHealthy() ? sendText(res, 200, 'At least one router has healthy workers', plain) : sendText(res, 503, 'No routers with healthy workers', plain),
      '/get_server_info': () => sendText(res, 200, JSON.stringify({ router_manager: true, routers_count: 1, workers_count: this.pool.list().length }), plain),
      '/workers': () => this.workers(req, res, id),
      '/get_loads': () => this.loads(res, id),
      '/get_model_info': () => this.modelInfo(res, id),
      '/engine_metrics': () => this.engineMetrics(res, id),
    };
    (routes[path] ?? (() => sendText(res, 404, '')))();
  }

  private readiness(res: ServerResponse, id: Record<string, string>): void {
    const all = this.pool.list();
    if (!this.pool.isReady()) {
      sendJson(res, 503, { status: 'not ready', reason: 'insufficient healthy workers' }, id);
      return;
    }
    sendJson(res, 200, { status: 'ready', healthy_workers: all.filter((one) => one.isHealthy).length, total_workers: all.length }, id);
  }

  private workers(req: IncomingMessage, res: ServerResponse, id: Record<string, string>): void {
    const { key } = this.fe.state;
    if (key !== undefined && req.headers.authorization !== `Bearer ${key}`) {
      sendText(res, 401, '', id);
      return;
    }
    const list = this.pool.list().map(({ worker, isHealthy, active, id: workerId }) => ({
      id: workerId,
      url: worker.isDeleted ? `${UNREACHABLE}:${worker.role === 'prefill' ? 30000 : 30002}` : worker.url,
      model_id: worker.model,
      priority: 50,
      cost: 1.0,
      worker_type: worker.role === 'unified' ? 'regular' : worker.role,
      is_healthy: isHealthy,
      load: active,
      connection_mode: 'HTTP',
      ...(worker.bootstrapPort === undefined ? {} : { bootstrap_port: worker.bootstrapPort }),
      metadata: { served_model_name: worker.model, model_path: worker.model, disaggregation_mode: worker.role, tp_size: '1', dp_size: '1' },
      disable_health_check: false,
    }));
    const count = (type: string) => list.filter((one) => one.worker_type === type).length;
    sendJson(
      res,
      200,
      { workers: list, total: list.length, stats: { prefill_count: count('prefill'), decode_count: count('decode'), regular_count: count('regular') } },
      id,
    );
  }

  private async loads(res: ServerResponse, id: Record<string, string>): Promise<void> {
    const workers = await Promise.all(
      this.pool.list().map(async ({ worker }) => {
        const { status, text } = await get(this.fe.clock, `${worker.url}/get_load`, 5);
        return { worker: worker.url, load: status === 200 ? Number(jsonObject(text)?.load ?? -1) : -1 };
      }),
    );
    sendJson(res, 200, { workers }, id);
  }

  private async modelInfo(res: ServerResponse, id: Record<string, string>): Promise<void> {
    const first = this.pool.list()[0]?.worker.url ?? '';
    const { status, text } = await get(this.fe.clock, `${first}/model_info`, 30);
    if (status === undefined) sendText(res, 503, '', id);
    else sendText(res, status, text, { 'content-type': 'application/json', ...id });
  }

  /** Merges the engines' pages: every `:` becomes `_`, each line gets `worker_addr` (sglang.md 1.7). */
  private async engineMetrics(res: ServerResponse, id: Record<string, string>): Promise<void> {
    const pages = await Promise.all(
      this.pool.list().map(async ({ worker }) => {
        const { text } = await get(this.fe.clock, `${worker.url}/metrics`, 10);
        return text
          .replaceAll(':', '_')
          .replace(/^(\w+)(?:\{(.*)\})? /gm, (_line, name: string, labels = '') => `${name}{${labels}${labels === '' ? '' : ','}worker_addr="${worker.url}"} `);
      }),
    );
    sendText(res, 200, pages.join(''), { 'content-type': 'text/plain; version=0.0.4', ...id });
  }

  private chat(req: IncomingMessage, res: ServerResponse, text: string): void {
    const requestId = String(req.headers['x-request-id'] ?? `chatcmpl-${this.fe.dice.hex(24)}`);
    const headers = { vary: VARY, 'x-request-id': requestId };
    const body: ChatBody | undefined = jsonObject(text);
    const reply = new ClientReply(this.fe, res, body?.stream === true, typeof body?.model === 'string' ? body.model : '', headers);
    if (body === undefined || !Array.isArray(body.messages)) {
      const message = body === undefined ? 'JSON syntax error: Failed to parse the request body as JSON' : 'Invalid JSON data: missing field `messages`';
      const refusal = JSON.stringify({ error: { message, type: 'invalid_request_error', code: 'json_parse_error' } });
      reply.whole(400, refusal, { 'content-type': 'application/json', ...headers });
      return;
    }
    if (!admit(this.fe, req, reply, body)) return;
    reply.letIn();
    this.page.add(
      `smg_router_requests_total{router_type="http",backend_type="pd",connection_mode="http",model="${String(body.model)}",endpoint="chat",streaming="${body.stream === true}"}`,
    );
    void this.forward(body, reply, headers, passedOn(req, requestId));
  }

  /** Up to five attempts with a growing pause; a newly picked pair each time. */
  private async forward(body: ChatBody, reply: ClientReply, headers: Record<string, string>, upstream: Record<string, string>): Promise<void> {
    const open: Leg[] = [];
    let hasLeft = false;
    reply.onLeave(() => {
      hasLeft = true;
      for (const leg of open) leg.close();
    });
    let result: Result = { ok: false, status: 503, code: 'server_selection_failed', message: '' };
    for (let attempt = 0; attempt < this.attempts && !hasLeft; attempt++) {
      if (attempt > 0) await pause(this.fe, 0.05 * 1.5 ** (attempt - 1));
      open.length = 0;
      result = await this.attempt(body, upstream, open);
      if (result.ok || !RETRIED.includes(result.status) || result.code === 'ghost') break;
    }
    if (hasLeft) {
      for (const leg of open) leg.close();
      return;
    }
    if (!result.ok) return this.refuse(body, reply, headers, result);
    await this.deliver(body, reply, headers, result);
  }

  private async attempt(body: ChatBody, upstream: Record<string, string>, open: Leg[]): Promise<Result> {
    const { fe } = this;
    const ghost = fe.state.ghost;
    if (ghost !== undefined && fe.ghosts++ % ghost.n >= ghost.n - ghost.k) {
      await pause(fe, ghost.connectWait);
      return { ok: false, status: 503, code: 'ghost', message: `error sending request for url (${UNREACHABLE}:30000/v1/chat/completions)` };
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
      open.push(leg);
      return leg;
    };
    // Non-streams are counted as active from the start, streams from their header on (sglang.md 4.5).
    const counted = body.stream === true ? [] : [prefill, decode].filter((one) => one !== undefined);
    for (const member of counted) member.active += 1;
    try {
      if (prefill !== undefined) prefill.circuit.looksHalfOpen = only === 'decode';
      const prefillLeg = prefill !== undefined && only !== 'decode' ? send(prefill) : undefined;
      const decodeLeg = only !== 'prefill' ? send(decode) : undefined;
      return await this.join(prefill, decode, prefillLeg, decodeLeg, only);
    } finally {
      for (const member of counted) member.active -= 1;
    }
  }

  /** Prefill's whole body first, then decode's header: a decode that failed long ago is looked at only then. A failed prefill cancels decode. */
  private async join(
    prefill: Member | undefined,
    decode: Member,
    prefillLeg: Leg | undefined,
    decodeLeg: Leg | undefined,
    only: 'decode' | 'prefill' | undefined,
  ): Promise<Result> {
    const judged = [prefill, decode].filter((one) => one !== undefined);
    const failed = (role: string, status: number, text: string): Result => {
      const isWorkersFault = status >= 500;
      // Each attempt's failure goes to both breakers, whoever failed (sglang.md 4.4).
      if (isWorkersFault) for (const member of judged) member.circuit.record(false, this.fe.clock.now());
      const code = `${role}_${status >= 500 ? (status === 503 ? 'connection_failed' : 'internal_error') : 'bad_request'}`;
      return { ok: false, status, code, message: text };
    };
    if (prefillLeg !== undefined) {
      const head = await prefillLeg.head;
      const text = head.kind === 'answer' ? await wholeText(head.message).catch(() => undefined) : undefined;
      if (head.kind === 'broken' || text === undefined || head.status >= 400) {
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

function passedOn(req: IncomingMessage, requestId: string): Record<string, string> {
  const on: Record<string, string> = { 'x-request-id': requestId };
  for (const name of ['traceparent', 'authorization']) {
    const value = req.headers[name];
    if (typeof value === 'string') on[name] = value;
  }
  return on;
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
