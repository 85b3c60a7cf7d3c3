import { StringDecoder } from 'node:string_decoder';
import { rootCertificates } from 'node:tls';
import { createGunzip, createInflate, type Gunzip, type Inflate } from 'node:zlib';
import { Agent, type Dispatcher } from 'undici';
import { readable } from '@/lib/model/foreign';
import { isAllowed } from './allow';
import type { Clock } from './clock';
import { deadline } from './deadline';
import { detailOf, failureOf, type NetworkFailure } from './failure';
import type { Lookup } from './lookup';

/** How reading a page went: `ok` is a 2xx read to its end; `status` any other answer; `timeout` covers silent, slow and endless bodies. */
export type PageOutcome = 'ok' | 'status' | 'redirected' | 'timeout' | 'too-big' | 'garbled' | NetworkFailure;

/** One page as read. `body` is cut at the byte cap and may be hostile; `tookMs` is told time. */
export type Page = {
  outcome: PageOutcome;
  status?: number;
  contentType?: string;
  headers: Record<string, string>;
  body: string;
  bytes: number;
  tookMs: number;
  detail?: string;
};

export type PageRequest = { timeoutMs: number; byteCap: number; headers?: Record<string, string>; ca?: string; allow?(method: string, path: string): boolean };

/** Reads pages over kept-alive connections; owns its sockets until closed. */
export type PageReader = { read(url: string, request: PageRequest): Promise<Page>; close(): Promise<void> };

/** SGLang closes idle connections after 5 s (SGLang's sources): we let go before, so that a poll does not run into a dying socket. */
const KEEP_ALIVE_MS = 3_500;
/** Without it a server that accepts and never shakes hands would hold our places for ever, also after it is well again. */
const CONNECT_MS = 8_000;

export function pageReader(clock: Clock, lookup?: Lookup): PageReader {
  const agents = new Map<string, Agent>();
  const agentFor = (ca: string | undefined) => {
    const key = ca ?? '';
    const agent = agents.get(key) ?? newAgent(ca, clock.scale, lookup);
    agents.set(key, agent);
    return agent;
  };
  return {
    async read(url, request) {
      const target = new URL(url);
      const { pathname } = target;
      if (!(request.allow ?? isAllowed)('GET', pathname)) throw new Error(`GET ${pathname} is not a path that we ask; see lib/io/allow.ts`);
      const first = await get(clock, agentFor(request.ca), target, request);
      // a kept-alive socket that the server had just closed says nothing about the server: ask once more
      const isStale = first.outcome === 'reset' && first.bytes === 0 && first.status === undefined && first.tookMs < request.timeoutMs / 2;
      return isStale ? get(clock, agentFor(request.ca), target, { ...request, timeoutMs: request.timeoutMs - first.tookMs }) : first;
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

function newAgent(ca: string | undefined, scale: number, lookup: Lookup | undefined): Agent {
  return new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    connections: 4,
    connect: {
      timeout: Math.max(1_000, CONNECT_MS / scale),
      ...(lookup === undefined ? {} : { lookup }),
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    },
  });
}

type Taking = { status?: number; headers: Record<string, string>; decoder: StringDecoder; text: string; bytes: number; unpack?: Gunzip | Inflate };

function get(clock: Clock, agent: Agent, target: URL, request: PageRequest): Promise<Page> {
  const start = clock.monotonic();
  const taking: Taking = { headers: {}, decoder: new StringDecoder('utf8'), text: '', bytes: 0 };
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let isDone = false;
    let hasEnded = false;
    let packed = 0;
    const stopDeadline = deadline(clock, request.timeoutMs, () =>
      finish('timeout', taking.status === undefined ? 'no answer' : `body not ended after ${taking.bytes} bytes`),
    );
    const finish = (outcome: PageOutcome, detail?: string) => {
      if (isDone) return;
      isDone = true;
      stopDeadline();
      taking.unpack?.destroy();
      resolve(pageOf(outcome, detail, taking, Math.round((clock.monotonic() - start) * 10) / 10));
      // an Error costs its stack; one for each page that ended by itself is not needed
      if (!hasEnded) controller?.abort(new Error('done'));
    };
    const take = (chunk: Buffer) => {
      taking.bytes += chunk.length;
      if (taking.bytes > request.byteCap) return finish('too-big', `more than ${request.byteCap} bytes`);
      taking.text += taking.decoder.write(chunk);
    };
    const whole = () => finish(outcomeOf(taking.status ?? 0));
    agent.dispatch(
      {
        origin: target.origin,
        path: target.pathname + target.search,
        method: 'GET',
        headers: { 'accept-encoding': 'identity', ...request.headers },
      },
      {
        onRequestStart(given) {
          controller = given;
          if (isDone) given.abort(new Error('done'));
        },
        onResponseStart(_controller, status, headers) {
          taking.status = status;
          taking.headers = plain(headers);
          const encoding = taking.headers['content-encoding'] ?? 'identity';
          if (encoding === 'identity') return;
          taking.unpack = unpacker(encoding, take, whole, (detail) => finish('garbled', detail));
          if (taking.unpack === undefined) finish('garbled', `content-encoding ${encoding} was not asked for`);
        },
        onResponseData(_controller, chunk) {
          if (isDone) return;
          packed += chunk.length;
          if (taking.unpack === undefined) take(chunk);
          else if (packed > request.byteCap) finish('too-big', `more than ${request.byteCap} packed bytes`);
          else taking.unpack.write(chunk);
        },
        onResponseEnd() {
          hasEnded = true;
          if (taking.unpack === undefined) whole();
          else taking.unpack.end();
        },
        onResponseError(_controller, error) {
          finish(failureOf(error, { secure: false, connected: true, secured: false }), detailOf(error));
        },
      },
    );
  });
}

/** Unpacks what was packed unasked, piece by piece, so that a bomb ends at the cap and not in memory. */
function unpacker(encoding: string, take: (chunk: Buffer) => void, end: () => void, broke: (detail: string) => void): Gunzip | Inflate | undefined {
  if (encoding !== 'gzip' && encoding !== 'x-gzip' && encoding !== 'deflate') return undefined;
  const stream = encoding === 'deflate' ? createInflate() : createGunzip();
  stream.on('data', take);
  stream.on('end', end);
  stream.on('error', (error) => broke(detailOf(error)));
  return stream;
}

function outcomeOf(status: number): PageOutcome {
  if (status >= 200 && status < 300) return 'ok';
  return status >= 300 && status < 400 ? 'redirected' : 'status';
}

function pageOf(outcome: PageOutcome, detail: string | undefined, taking: Taking, tookMs: number): Page {
  const contentType = taking.headers['content-type'];
  return {
    outcome,
    ...(taking.status === undefined ? {} : { status: taking.status }),
    ...(contentType === undefined ? {} : { contentType }),
    headers: taking.headers,
    body: taking.text + taking.decoder.end(),
    bytes: taking.bytes,
    tookMs,
    ...(detail === undefined ? {} : { detail }),
  };
}

function plain(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) kept[name.toLowerCase()] = readable(String(value)).slice(0, 200);
  return kept;
}
