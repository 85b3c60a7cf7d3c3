import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { Exchange, Failure, Mark, Marks, RequestSpec } from '@/lib/model/exchange';
import { readable } from '@/lib/model/foreign';
import { isAllowed } from './allow';
import type { Clock } from './clock';
import { deadline } from './deadline';
import { excerpt } from './excerpt';
import { detailOf, failureOf } from './failure';
import type { Lookup } from './lookup';

/** Limits and eyes of one exchange; durations in told ms. */
export type ExchangeOptions = {
  clock: Clock;
  /** Body bytes after which it is ended as `too-big`; default 256 KiB. */
  byteCap?: number;
  connectTimeoutMs?: number;
  /** The exchange ends as `cap` after this long; absent: it may live until closed. */
  capMs?: number;
  /** Sees each piece of the body as it comes and tells which stations it reached. */
  onChunk?(chunk: Uint8Array, elapsedMs: number): { firstEvent?: boolean; firstToken?: boolean };
  /** How names are resolved; default: the system's. */
  lookup?: Lookup;
  /** Takes secrets out of what is kept of the answer. */
  hide?(text: string): string;
  /** Which requests may be sent at all; default: the allow-list of lib/io/allow.ts. */
  allow?(method: string, path: string): boolean;
};

/** One exchange on the wire: readable at any moment, ended by the server, by a limit or by us. */
export type LiveExchange = {
  read(): Exchange;
  ended: Promise<Exchange>;
  /** `complete`: the answer is whole although the server holds the connection; no failure. */
  close(why: 'closed-by-us' | 'cap' | 'too-big' | 'complete'): void;
};

const KEPT_HEADERS = ['content-type', 'x-request-id', 'server', 'location', 'retry-after', 'x-smg-error-code', 'content-encoding'];
/** node's 250 ms per address would call a far host that has two addresses unreachable. */
const PER_ADDRESS = { autoSelectFamilyAttemptTimeout: 1_000 };
const DEFAULT_BYTE_CAP = 256 * 1024;
const DEFAULT_CONNECT_MS = 5_000;

/** Send one request on a fresh connection. Throws only for a request that we must not send; the network's failures are in the result. */
export function beginExchange(spec: RequestSpec, options: ExchangeOptions): LiveExchange {
  const url = new URL(spec.url);
  if (!(options.allow ?? isAllowed)(spec.method, url.pathname))
    throw new Error(`${spec.method} ${url.pathname} is not a path that we ask; see lib/io/allow.ts`);
  return new Wire(spec, url, options);
}

class Wire implements LiveExchange {
  readonly ended: Promise<Exchange>;
  private readonly clock: Clock;
  private readonly at: number;
  private readonly start: number;
  private readonly marks: Marks = {};
  private readonly body: ReturnType<typeof excerpt>;
  private readonly hide: (text: string) => string;
  private readonly options: ExchangeOptions;
  private readonly url: URL;
  private readonly stops: (() => void)[] = [];
  private request: ClientRequest | undefined;
  private socket: Socket | undefined;
  private status: number | undefined;
  private headers: Record<string, string> = {};
  private bytes = 0;
  private sawFin = false;
  private failure: Failure | undefined;
  private detail: string | undefined;
  private final: Exchange | undefined;
  private settle: (exchange: Exchange) => void = () => {};

  constructor(spec: RequestSpec, url: URL, options: ExchangeOptions) {
    this.options = options;
    this.hide = (text) => options.hide?.(text) ?? text;
    this.body = excerpt(this.hide);
    this.clock = options.clock;
    this.url = url;
    this.at = this.clock.now();
    this.start = this.clock.monotonic();
    this.ended = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.stops.push(deadline(this.clock, options.connectTimeoutMs ?? DEFAULT_CONNECT_MS, () => this.connectTimedOut()));
    if (options.capMs !== undefined) this.stops.push(this.clock.after(options.capMs, () => this.finish('cap')));
    this.send(spec);
  }

  read(): Exchange {
    return this.final ?? this.picture(false);
  }

  close(why: 'closed-by-us' | 'cap' | 'too-big' | 'complete'): void {
    if (why === 'complete') this.mark('end');
    this.finish(why === 'complete' ? undefined : why);
  }

  private send(spec: RequestSpec): void {
    try {
      const secure = this.url.protocol === 'https:';
      const length = spec.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(spec.body)) };
      const request = (secure ? httpsRequest : httpRequest)(this.url, {
        method: spec.method,
        agent: false,
        ...PER_ADDRESS,
        ...(this.options.lookup === undefined ? {} : { lookup: this.options.lookup }),
        headers: { ...spec.headers, ...length },
        ...(spec.ca === undefined ? {} : { ca: [...rootCertificates, spec.ca] }),
      });
      this.request = request;
      request.on('socket', (socket) => this.watch(socket));
      request.on('finish', () => this.mark('sent'));
      request.on('response', (response) => this.answered(response));
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        this.finish('protocol', 'answered 101, an upgrade that nobody asked for');
      });
      request.on('error', (error) => this.broke(error));
      request.on('close', () => this.finish('reset', `${this.cut()}: the answer was not whole`));
      request.end(spec.body);
    } catch (error) {
      // node refuses some headers and hosts before anything is sent
      this.finish('protocol', detailOf(error));
    }
  }

  private watch(socket: Socket): void {
    this.socket = socket;
    if (isIP(this.url.hostname.replace(/^\[|\]$/g, ''))) this.mark('resolved');
    socket.on('lookup', (error) => {
      if (!error) this.mark('resolved');
    });
    socket.on('connect', () => {
      this.mark('resolved');
      this.mark('connected');
    });
    socket.on('secureConnect', () => this.mark('secured'));
    // before node's own listener, which turns a close into the same error as a reset
    socket.prependListener('end', () => {
      this.sawFin = true;
    });
  }

  private answered(response: IncomingMessage): void {
    this.mark('sent');
    this.mark('headers');
    this.status = response.statusCode;
    for (const name of KEPT_HEADERS) {
      const value = response.headers[name];
      if (value !== undefined) this.headers[name] = readable(this.hide(String(value))).slice(0, 200);
    }
    response.on('data', (chunk: Buffer) => this.took(chunk));
    response.on('end', () => {
      if (!response.complete) return;
      this.mark('end');
      this.finish();
    });
    response.on('error', (error) => this.broke(error));
  }

  private took(chunk: Buffer): void {
    if (this.final) return;
    this.mark('firstByte');
    this.bytes += chunk.length;
    this.body.push(chunk);
    const seen = this.seenBy(chunk);
    if (seen?.firstEvent) this.mark('firstEvent');
    if (seen?.firstToken) this.mark('firstToken');
    if (this.final) return;
    const cap = this.options.byteCap ?? DEFAULT_BYTE_CAP;
    if (this.bytes > cap) this.finish('too-big', `more than ${cap} bytes`);
  }

  /** What it reads is foreign: were it to trip the reader, this exchange alone must end by it, and not the thread. */
  private seenBy(chunk: Uint8Array): ReturnType<NonNullable<ExchangeOptions['onChunk']>> | undefined {
    try {
      return this.options.onChunk?.(chunk, this.elapsed());
    } catch (error) {
      this.finish('protocol', `the answer cannot be read: ${detailOf(error)}`);
      return undefined;
    }
  }

  private broke(error: Error): void {
    if (this.final) return;
    const failure = failureOf(error, {
      secure: this.url.protocol === 'https:',
      connected: this.marks.connected !== undefined,
      secured: this.marks.secured !== undefined,
    });
    this.finish(failure, failure === 'reset' ? `${this.cut()}: ${detailOf(error)}` : detailOf(error));
  }

  private cut(): string {
    return this.sawFin ? 'closed (FIN)' : 'reset (RST)';
  }

  private connectTimedOut(): void {
    if (this.marks.connected !== undefined || this.final) return;
    if (this.marks.resolved === undefined) this.finish('dns', 'no answer from the resolver');
    else this.finish('connect-timeout', 'no answer to the connection request');
  }

  private finish(failure?: Failure, detail?: string): void {
    if (this.final) return;
    this.failure = failure;
    this.detail = detail === undefined ? undefined : readable(this.hide(detail));
    for (const stop of this.stops) stop();
    this.final = this.picture(true);
    this.request?.destroy();
    this.settle(this.final);
  }

  private picture(ended: boolean): Exchange {
    const tail = this.body.tail();
    return {
      at: this.at,
      marks: { ...this.marks },
      elapsedMs: this.elapsed(),
      ended,
      ...(this.status === undefined ? {} : { status: this.status }),
      headers: this.headers,
      bytes: this.bytes,
      socketBytes: Math.max(this.socket?.bytesRead ?? 0, this.bytes),
      head: this.body.head(),
      ...(tail === undefined ? {} : { tail }),
      ...(this.failure === undefined ? {} : { failure: this.failure }),
      ...(this.detail === undefined ? {} : { detail: this.detail }),
    };
  }

  private elapsed(): number {
    return Math.round((this.clock.monotonic() - this.start) * 100) / 100;
  }

  private mark(mark: Mark): void {
    if (!this.final) this.marks[mark] ??= this.elapsed();
  }
}
