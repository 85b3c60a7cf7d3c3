import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { pathOf, readBody, sendJson, sendText } from '../reply';
import { chat } from './chat';
import type { Engine } from './engine';
import { health } from './health';
import { loadsOf, modelInfoOf, modelsOf, serverInfoOf } from './info';
import { metricsPage } from './metrics';

const UVICORN = { server: 'uvicorn', vary: 'Origin' };

/** One HTTP request to an engine. While the process is mute nothing is even read. */
export function serve(engine: Engine, req: IncomingMessage, res: ServerResponse): void {
  engine.speak(() => {
    const path = pathOf(req);
    const done = engine.http.begin(path, req.method ?? 'GET');
    const laid = engine.overrides.take(path);
    const go = () => {
      if (laid?.status === undefined) return route(engine, path, req, res, done);
      req.resume();
      answerJson(res, laid.status, { object: 'error', message: 'Internal Server Error', type: 'InternalServerError', param: null, code: laid.status }, done);
    };
    if (laid?.seconds === undefined) go();
    else engine.clock.after(laid.seconds, () => engine.speak(go));
  });
}

function route(engine: Engine, path: string, req: IncomingMessage, res: ServerResponse, done: (status: number) => void): void {
  if (path === '/v1/chat/completions') {
    if (req.method !== 'POST') {
      answerJson(res, 405, { detail: 'Method Not Allowed' }, done);
      return;
    }
    readBody(req).then(
      (text) => chat(engine, req, res, text, done),
      () => done(400),
    );
    return;
  }
  req.resume();
  if (path.startsWith('/metrics')) {
    metrics(engine, req, res, done);
    return;
  }
  const answer = ROUTES[path];
  if (answer !== undefined) answer(engine, res, done);
  else answerJson(res, 404, { detail: 'Not Found' }, done);
}

type Answer = (engine: Engine, res: ServerResponse, done: (status: number) => void) => void;

const info: Answer = (engine, res, done) => answerJson(res, 200, modelInfoOf(engine), done);
const serverInfo: Answer = (engine, res, done) => engine.control(() => engine.speak(() => answerJson(res, 200, serverInfoOf(engine), done)));
const healthy: Answer = (engine, res, done) => health(engine, (status) => answerEmpty(res, status, done));
const ready: Answer = (engine, res, done) => answerEmpty(res, engine.isReady && !engine.isStarting ? 200 : 503, done);

const ROUTES: Record<string, Answer> = {
  '/health': healthy,
  '/health_generate': healthy,
  '/ready': ready,
  '/ping': ready,
  '/v1/models': (engine, res, done) => answerJson(res, 200, modelsOf(engine), done),
  '/model_info': info,
  '/get_model_info': info,
  '/server_info': serverInfo,
  '/get_server_info': serverInfo,
  '/v1/loads': loads,
};

function loads(engine: Engine, res: ServerResponse, done: (status: number) => void): void {
  if (engine.spec.loads === 'snapshot') {
    answerJson(res, 200, loadsOf(engine), done);
    return;
  }
  // Some builds say nothing until the first generation request.
  if (engine.spec.freshLoadsSilent && engine.isFresh) return;
  engine.control(() => engine.speak(() => answerJson(res, 200, loadsOf(engine), done)));
}

function metrics(engine: Engine, req: IncomingMessage, res: ServerResponse, done: (status: number) => void): void {
  if (engine.metricsOff) {
    answerJson(res, 404, { detail: 'Not Found' }, done);
    return;
  }
  const text = metricsPage(engine);
  const type = { 'content-type': 'text/plain; version=1.0.0; charset=utf-8', ...UVICORN };
  if (!res.destroyed && String(req.headers['accept-encoding'] ?? '').includes('gzip')) {
    const body = gzipSync(text);
    res.writeHead(200, { ...type, 'content-encoding': 'gzip', 'content-length': body.length });
    res.end(body);
  } else sendText(res, 200, text, type);
  done(200);
}

function answerJson(res: ServerResponse, status: number, value: unknown, done: (status: number) => void): void {
  sendJson(res, status, value, UVICORN);
  done(status);
}

function answerEmpty(res: ServerResponse, status: number, done: (status: number) => void): void {
  sendText(res, status, '', UVICORN);
  done(status);
}
