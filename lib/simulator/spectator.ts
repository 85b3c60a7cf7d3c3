import { request } from 'node:http';

/** What a client has seen of one exchange so far. `broke`: the connection's own word for how it ended badly. */
export type Seen = { status?: number; type?: string; text: string; ended: boolean; broke?: string; headers: Record<string, string> };

/** A client for tests: notes what it sees, can be waited for, and leaves when told. */
export type Spectator = { seen: Seen; headers: Promise<Seen>; over: Promise<Seen>; until(text: string): Promise<Seen>; leave(): void };

export function spectate(url: string, body?: unknown, headers: Record<string, string> = {}): Spectator {
  const seen: Seen = { text: '', ended: false, headers: {} };
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const req = request(url, { method: text === undefined ? 'GET' : 'POST', headers: { 'content-type': 'application/json', ...headers }, agent: false });
  const waiting: { text: string; resolve: (seen: Seen) => void }[] = [];
  let gotHeaders = (_seen: Seen) => {};
  let isOver = (_seen: Seen) => {};
  const promises = {
    headers: new Promise<Seen>((resolve) => {
      gotHeaders = resolve;
    }),
    over: new Promise<Seen>((resolve) => {
      isOver = resolve;
    }),
  };
  const end = () => {
    gotHeaders(seen);
    isOver(seen);
    for (const one of waiting) one.resolve(seen);
  };
  req.on('response', (res) => {
    seen.status = res.statusCode;
    seen.type = res.headers['content-type'];
    for (const [name, value] of Object.entries(res.headers)) seen.headers[name] = String(value);
    gotHeaders(seen);
    res.setEncoding('utf8');
    res.on('data', (chunk: string) => {
      seen.text += chunk;
      for (const one of waiting) if (seen.text.includes(one.text)) one.resolve(seen);
    });
    res.on('error', (error: NodeJS.ErrnoException) => {
      seen.broke ??= error.code ?? error.message;
    });
    res.on('close', () => {
      seen.ended = res.complete;
      end();
    });
  });
  req.on('error', (error: NodeJS.ErrnoException) => {
    seen.broke ??= error.code ?? error.message;
    end();
  });
  req.end(text);
  return {
    seen,
    ...promises,
    until: (wanted) => new Promise((resolve) => (seen.text.includes(wanted) ? resolve(seen) : waiting.push({ text: wanted, resolve }))),
    leave: () => req.destroy(),
  };
}

/** A chat as Wedgewatch or a user would send it. */
export function chatBody(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: 'm', messages: [{ role: 'user', content: 'count' }], max_tokens: 6, stream: true, temperature: 0, ...more };
}

/** Value of a series of a metrics page whose line holds all these words; undefined when it is not there. */
export function seriesValue(page: string, ...words: string[]): number | undefined {
  const line = page.split('\n').find((one) => !one.startsWith('#') && words.every((word) => one.includes(word)));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
}
