import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonObject, pathOf, readBody, sendJson, sendText } from '../reply';
import { admit, type ChatBody, errorIn200 } from './admit';
import { ClientReply } from './client-reply';
import type { FrontEnd, Worker } from './front-end';
import { get, type Head, post, wholeText } from './upstream';

const UVICORN = { server: 'uvicorn' };

/** The Python mini_lb of sglang-router 0.3.2, as it was seen running. No retry, no state, no metrics. */
export class MiniLb {
  constructor(private readonly fe: FrontEnd) {}

  serve(req: IncomingMessage, res: ServerResponse): void {
    const path = pathOf(req);
    const laid = this.fe.overrides.take(path);
    const go = () => {
      if (laid?.status !== undefined) return sendText(res, laid.status, 'Internal Server Error', { 'content-type': 'text/plain; charset=utf-8', ...UVICORN });
      this.route(path, req, res);
    };
    if (laid?.seconds === undefined) go();
    else this.fe.clock.after(laid.seconds, go);
  }

  private route(path: string, req: IncomingMessage, res: ServerResponse): void {
    if (path === '/v1/chat/completions' && req.method === 'POST') {
      readBody(req).then(
        (text) => this.chat(req, res, text),
        () => {},
      );
      return;
    }
    req.resume();
    const openapi = { openapi: '3.1.0', info: { title: 'FastAPI', version: '0.1.0' }, paths: { '/health': {}, '/get_server_info': {}, '/flush_cache': {} } };
    const routes: Record<string, () => unknown> = {
      '/health': () => sendText(res, 200, '', UVICORN),
      '/health_generate': () => this.healthGenerate(res),
      '/v1/models': () => this.models(res),
      '/model_info': () => this.first('/model_info', res),
      '/get_model_info': () => this.first('/model_info', res),
      '/get_server_info': () => this.serverInfo(res),
      '/openapi.json': () => sendJson(res, 200, openapi, UVICORN),
    };
    (routes[path] ?? (() => sendJson(res, 404, { detail: 'Not Found' }, UVICORN)))();
  }

  /** Asks all and ignores what they say; only a connection that fails makes it 500. */
  private async healthGenerate(res: ServerResponse): Promise<void> {
    const answers = await Promise.all(this.workers().map((worker) => get(this.fe.clock, `${worker.url}/health_generate`, 300)));
    if (answers.some(({ status }) => status === undefined))
      sendText(res, 500, 'Internal Server Error', { 'content-type': 'text/plain; charset=utf-8', ...UVICORN });
    else sendText(res, 200, '', UVICORN);
  }

  private async models(res: ServerResponse): Promise<void> {
    const own = this.fe.state.models;
    if (own === undefined) return this.first('/v1/models', res);
    const created = Math.floor(this.fe.clock.epoch());
    sendJson(
      res,
      200,
      { object: 'list', data: own.map((id) => ({ id, object: 'model', created, owned_by: 'sglang', root: id, parent: null, max_model_len: 131072 })) },
      UVICORN,
    );
  }

  private async first(path: string, res: ServerResponse): Promise<void> {
    const { status, text } = await get(this.fe.clock, `${this.workers()[0]?.url}${path}`, 300);
    if (status === undefined) sendText(res, 500, 'Internal Server Error', { 'content-type': 'text/plain; charset=utf-8', ...UVICORN });
    else sendText(res, status, text, { 'content-type': 'application/json', ...UVICORN });
  }

  /** One worker after the other: hangs with the first wedged one. */
  private async serverInfo(res: ServerResponse): Promise<void> {
    const infos: Record<string, Record<string, unknown>[]> = { prefill: [], decode: [] };
    for (const worker of this.workers()) {
      const { text } = await get(this.fe.clock, `${worker.url}/server_info`, 300);
      infos[worker.role]?.push(jsonObject(text) ?? {});
    }
    sendJson(res, 200, { internal_states: infos.decode?.[0]?.internal_states ?? [], prefill: infos.prefill, decode: infos.decode }, UVICORN);
  }

  private chat(req: IncomingMessage, res: ServerResponse, text: string): void {
    const body: ChatBody | undefined = jsonObject(text);
    const reply = new ClientReply(this.fe, res, body?.stream === true, typeof body?.model === 'string' ? body.model : '', UVICORN);
    if (body === undefined) {
      const detail = [{ type: 'json_invalid', loc: ['body', 1], msg: 'JSON decode error', input: {}, ctx: { error: 'Expecting value' } }];
      reply.whole(422, JSON.stringify({ detail }), { 'content-type': 'application/json', ...UVICORN });
      return;
    }
    if (!admit(this.fe, req, reply, body)) return;
    reply.letIn();
    const legs = this.send(body);
    if (body.stream === true) void this.stream(reply, legs);
    else void this.whole(reply, legs);
  }

  /** The body is passed through, `rid` and all; no header is. */
  private send(body: ChatBody) {
    const { fe } = this;
    const decodes = [...fe.workers('decode'), ...fe.workers('unified')];
    const prefill = fe.workers('prefill')[fe.dice.int(Math.max(1, fe.workers('prefill').length))];
    const decode = decodes[fe.dice.int(Math.max(1, decodes.length))];
    const room = prefill === undefined ? {} : { bootstrap_host: '127.0.0.1', bootstrap_port: prefill.bootstrapPort, bootstrap_room: fe.dice.int(2 ** 52) };
    const text = JSON.stringify({ ...body, ...room });
    const only = fe.state.oneLeg;
    const to = (worker: Worker | undefined) => post(fe.clock, `${worker?.url}/v1/chat/completions`, text, {});
    return { prefill: prefill !== undefined && only !== 'decode' ? to(prefill) : undefined, decode: only !== 'prefill' ? to(decode) : undefined };
  }

  /** 200 at once, whatever happens behind; then both headers; then whatever decode says, be it an error (SGLang's sources). */
  private async stream(reply: ClientReply, legs: ReturnType<MiniLb['send']>): Promise<void> {
    const both = [legs.prefill, legs.decode].filter((leg) => leg !== undefined);
    const close = () => {
      for (const leg of both) leg.close();
    };
    reply.onLeave(close);
    reply.open(200, { 'content-type': 'text/event-stream; charset=utf-8', ...UVICORN });
    if (this.fe.state.tellsErrors) {
      const failed = await firstFailure(both.map((leg) => leg.head));
      if (failed !== undefined) {
        close();
        return errorIn200(reply, failed.status, messageOf(failed.text));
      }
    }
    const heads = await allOrBroken(both.map((leg) => leg.head));
    const decode = heads?.at(-1);
    if (heads === undefined || decode?.kind !== 'answer') {
      close();
      return reply.cut();
    }
    if (legs.prefill === undefined || legs.decode === undefined) {
      if (this.fe.workers('unified').length === 0) return;
    }
    for (const head of heads) if (head !== decode && head.kind === 'answer') head.message.resume();
    decode.message.on('data', (chunk: Buffer) => reply.write(chunk));
    decode.message.on('close', () => {
      if (decode.message.complete) reply.end();
      else reply.cut();
    });
  }

  /** Waits for both whole answers, also when the client has left; replies with decode's. */
  private async whole(reply: ClientReply, legs: ReturnType<MiniLb['send']>): Promise<void> {
    const plain = { 'content-type': 'text/plain; charset=utf-8', ...UVICORN };
    const both = [legs.prefill, legs.decode].filter((leg) => leg !== undefined);
    const heads = await allOrBroken(both.map((leg) => leg.head));
    const decode = heads?.at(-1);
    if (heads === undefined || decode?.kind !== 'answer') return reply.whole(500, 'Internal Server Error', plain);
    for (const head of heads) if (head !== decode && head.kind === 'answer') head.message.resume();
    const text = await wholeText(decode.message).catch(() => undefined);
    if (text === undefined) return reply.whole(500, 'Internal Server Error', plain);
    reply.whole(decode.status, text, { 'content-type': 'application/json', ...UVICORN });
  }

  private workers(): Worker[] {
    return this.fe.listedWorkers().filter((worker) => !worker.isDeleted);
  }
}

/** All heads, or undefined as soon as one connection breaks. */
function allOrBroken(heads: Promise<Head>[]): Promise<Head[] | undefined> {
  return new Promise((resolve) => {
    for (const head of heads) void head.then((one) => one.kind === 'broken' && resolve(undefined));
    void Promise.all(heads).then(resolve);
  });
}

/** The first worker's error, as soon as it is known; undefined when both are well or a connection broke. */
function firstFailure(heads: Promise<Head>[]): Promise<{ status: number; text: string } | undefined> {
  return new Promise((resolve) => {
    for (const head of heads) {
      void head.then((one) => {
        if (one.kind === 'answer' && one.status >= 400)
          void wholeText(one.message).then(
            (text) => resolve({ status: one.status, text }),
            () => resolve({ status: one.status, text: '' }),
          );
      });
    }
    void allOrBroken(heads).then((all) => {
      if (all === undefined || all.every((one) => one.kind === 'answer' && one.status < 400)) resolve(undefined);
    });
  });
}

function messageOf(text: string): string {
  const message = jsonObject(text)?.message;
  return typeof message === 'string' ? message : text;
}
