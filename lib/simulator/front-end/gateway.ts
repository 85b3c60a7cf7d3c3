import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonObject, pathOf, readBody, sendJson, sendText } from '../reply';
import { admit, type ChatBody } from './admit';
import { ClientReply } from './client-reply';
import { type Dispatch, UNREACHABLE } from './dispatch';
import type { FrontEnd } from './front-end';
import type { GatewayPage } from './gateway-page';
import type { Pool } from './pool';
import { get } from './upstream';

const VARY = 'origin, access-control-request-method, access-control-request-headers';

/** The Rust gateway of sglang-router 0.3.2 in PD mode, as it was seen running. */
export class Gateway {
  constructor(
    private readonly fe: FrontEnd,
    private readonly pool: Pool,
    private readonly page: GatewayPage,
    private readonly dispatch: Dispatch,
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

  /** Merges the engines' pages: every `:` becomes `_`, each line gets `worker_addr` (SGLang's sources). */
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
    void this.dispatch.forward(body, reply, headers, passedOn(req, requestId));
  }
}

function passedOn(req: IncomingMessage, requestId: string): Record<string, string> {
  const on: Record<string, string> = { 'x-request-id': requestId };
  for (const name of ['traceparent', 'authorization']) {
    const value = req.headers[name];
    if (typeof value === 'string') on[name] = value;
  }
  return on;
}
