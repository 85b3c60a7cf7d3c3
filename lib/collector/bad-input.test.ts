import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { realClock } from '@/lib/io/clock';
import { DEFAULTS, type TargetConfig } from '@/lib/model/config';
import type { Observation } from '@/lib/model/observation';
import { startCollector } from './collector';
import { type Context, quietOf, type Watched } from './context';
import { askControl } from './control';
import { healthTurn } from './health';

const SCALE = 20;
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** A server with an answer for each path; what is not named is 404. */
async function serve(answers: Record<string, Answering>): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    asked.push(path);
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const text = (body: string) => (_request: IncomingMessage, response: ServerResponse) => void response.end(body);
const stream = (body: string) => (_request: IncomingMessage, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(body);
};
const MODELS = text('{"data":[{"id":"m"}]}');
const GATEWAY = { '/liveness': text('OK'), '/health': text('OK'), '/readiness': text('ok'), '/v1/models': MODELS, '/workers': text('{"workers":[]}') };

function watch(targets: (Partial<TargetConfig> & Pick<TargetConfig, 'name' | 'url'>)[]) {
  const seen: Observation[] = [];
  const waiting = new Set<() => void>();
  const collector = startCollector(
    {
      stacks: [{ id: 's', name: 'S', targets: targets.map((each) => ({ id: `s.${each.name}`, headers: {}, probe: true, ...each })) }],
      probe: { ...DEFAULTS.probe },
      scrape: { ...DEFAULTS.scrape },
      listen: DEFAULTS.listen,
      data: '',
      retention: DEFAULTS.retention,
      source: 'test',
      timeScale: SCALE,
    },
    {
      observe(observation) {
        seen.push(observation);
        for (const look of [...waiting]) look();
      },
      experiment() {},
      deadline: () => ({ firstTokenMs: 8_000, gapMs: 8_000, from: 'configured' }),
    },
    realClock(SCALE),
  );
  cleanups.push(() => collector.stop());
  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const ended = (target: string) =>
    until(
      () =>
        seen.flatMap((o) =>
          o.kind === 'probe' && o.result.proves === 'service' && o.result.target === target && o.result.exchange.ended ? [o.result] : [],
        )[0],
    );
  return { collector, seen, until, ended };
}

describe('a hostile answer', () => {
  it('of brackets without end is an error of that front-end alone, and its neighbour goes on', async () => {
    const brackets = '['.repeat(30_000) + ']'.repeat(30_000);
    const evil = await serve({ ...GATEWAY, '/v1/chat/completions': stream(`data: {"error":${brackets}}\n\n`) });
    const fine = await serve({ ...GATEWAY, '/v1/chat/completions': stream('data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: [DONE]\n\n') });
    const { ended } = watch([
      { name: 'evil', url: evil.url },
      { name: 'fine', url: fine.url },
    ]);
    expect(await ended('s.evil')).toMatchObject({ outcome: 'error-in-200', reading: { error: 'an error nested too deeply to be shown' } });
    expect(await ended('s.fine')).toMatchObject({ outcome: 'ok' });
  });

  it('is told in visible characters, on one line, whatever it tries to do with a terminal or with the direction of reading', async () => {
    const trick = '\u001b[2J\u202egpj.exe\u200b\u0000';
    const { url } = await serve({
      ...GATEWAY,
      '/v1/models': text(JSON.stringify({ data: [{ id: `m${trick}` }] })),
      '/v1/chat/completions': stream(`data: ${JSON.stringify({ error: { message: `first\n${trick}` } })}\n\n`),
    });
    const { seen, ended } = watch([{ name: 'fe', url }]);
    const result = await ended('s.fe');
    expect(result.sentence).toMatch(/: first ·\[2J·gpj\.exe··$/);
    expect(seen.find((o) => o.kind === 'models')).toMatchObject({ models: { ids: ['m·[2J·gpj.exe··'] } });
    expect(JSON.stringify(seen)).not.toMatch(/(?<!\\)\\u001b|\u202e|\u200b/);
  });

  it('of a whole megabyte is still the refusal that its status says', async () => {
    const page = `<html>${'x'.repeat(1024 * 1024)}`;
    const refuse: Answering = (_request, response) => void response.writeHead(502, { 'content-type': 'text/html' }).end(page);
    const { url } = await serve({ ...GATEWAY, '/health': refuse, '/v1/chat/completions': refuse });
    const { seen, ended, until } = watch([{ name: 'fe', url }]);
    expect((await ended('s.fe')).sentence).toMatch(/^502 after .*<html>x/);
    const health = await until(() => seen.flatMap((o) => (o.kind === 'probe' && o.result.path === '/health' && o.result.exchange.ended ? [o.result] : []))[0]);
    expect(health).toMatchObject({ outcome: 'rejected', exchange: { status: 502 } });
  });

  it('of worker types that are names of the language gives engines of unknown role', async () => {
    const workers = ['constructor', '__proto__', 'toString'].map((worker_type, index) => ({ url: `http://127.0.0.1:${index + 1}`, worker_type }));
    const { url } = await serve({ ...GATEWAY, '/workers': text(JSON.stringify({ workers })) });
    const { seen, until } = watch([{ name: 'fe', url, probe: false }]);
    const told = await until(() => seen.flatMap((o) => (o.kind === 'topology' && o.targets.length === 4 ? [o.targets] : []))[0]);
    expect(told.slice(1).map(({ id, role }) => `${id} ${role}`)).toEqual(['s.engine-1 unknown', 's.engine-2 unknown', 's.engine-3 unknown']);
  });

  it('of a metrics page whose type is a name of the language is read all the same', async () => {
    const page = '# TYPE sglang:num_running_reqs constructor\nsglang:num_running_reqs 3\n# TYPE x __proto__\nx 1\n';
    const { url } = await serve({ '/v1/models': MODELS, '/metrics': text(page) });
    const { seen, until } = watch([{ name: 'e', url, kind: 'sglang', role: 'decode' }]);
    const scrape = await until(() => seen.flatMap((o) => (o.kind === 'scrape' && o.source === 'metrics' ? [o] : []))[0]);
    expect(scrape).toMatchObject({ outcome: 'ok', samples: [{ name: 'num_running_reqs', value: 3 }] });
  });
});

describe('a stream that does not end', () => {
  const token = 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n';

  it('is broken off, counted as an abort of ours, and not asked for a third time', async () => {
    const pour: Answering = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = () => {
        while (!response.destroyed) if (!response.write(token.repeat(100))) return void response.once('drain', more);
      };
      more();
    };
    const { url, asked } = await serve({ ...GATEWAY, '/v1/chat/completions': pour });
    const { seen, ended, until } = watch([{ name: 'fe', url }]);
    expect(await ended('s.fe')).toMatchObject({ outcome: 'too-big', sentence: expect.stringContaining('tokens') });
    const budget = await until(() => seen.flatMap((o) => (o.kind === 'self' ? o.self.budget : [])).find((each) => each.waitsFor?.includes('do not end')));
    expect(budget).toMatchObject({ aborts10min: 2, unfinished: 0 });
    expect(asked.filter((path) => path.startsWith('/v1/chat'))).toHaveLength(2);
  });

  it('but drips on and on is told after a minute, not at the hard cap', async () => {
    const drip: Answering = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(token), 1_000 / SCALE);
      response.on('close', () => clearInterval(timer));
    };
    const { url } = await serve({ ...GATEWAY, '/v1/chat/completions': drip });
    const { ended } = watch([{ name: 'fe', url }]);
    const result = await ended('s.fe');
    expect(result).toMatchObject({ outcome: 'too-big', late: false });
    expect(result.exchange.elapsedMs).toBeLessThan(300_000);
  });
});

describe('a key that a server sends back', () => {
  it('is kept nowhere: neither in the body nor in a header, a word of the stream or the sentence', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ww-key-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'key');
    writeFileSync(file, 'sk-very-secret-0123456789\n');
    const seenBy: string[] = [];
    const quoting =
      (status: number, body: (words: string) => string): Answering =>
      ({ headers }, response) => {
        const words = `${headers.authorization} ${headers['x-team']}`;
        seenBy.push(words);
        response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json', 'x-request-id': words, location: words });
        response.end(body(words));
      };
    const refusing = await serve({
      ...GATEWAY,
      '/v1/chat/completions': quoting(401, (words) => JSON.stringify({ error: { message: `wrong key: ${words}` } })),
    });
    const telling = await serve({
      ...GATEWAY,
      '/health': quoting(503, (words) => `${'-'.repeat(2_030)}${words}`),
      '/v1/chat/completions': quoting(
        200,
        (words) => `data: {"model":"${words}","choices":[{"delta":{"content":"${words}"}}]}\n\ndata: {"error":"${words}"}\n\n`,
      ),
    });
    const secret = { apiKey: { file }, headers: { 'X-Team': 'hush-team' } };
    const { seen, ended, until } = watch([
      { name: 'refusing', url: refusing.url, ...secret },
      { name: 'telling', url: telling.url, ...secret },
    ]);
    expect(await ended('s.refusing')).toMatchObject({ outcome: 'rejected', reading: { error: 'wrong key: HIDDEN HIDDEN' } });
    expect(await ended('s.telling')).toMatchObject({ outcome: 'error-in-200' });
    await until(() => seen.find((o) => o.kind === 'probe' && o.result.target === 's.telling' && o.result.exchange.status === 503));
    expect(seenBy).toContain('Bearer sk-very-secret-0123456789 hush-team');
    expect(JSON.stringify(seen)).not.toMatch(/sk-very|secret-01|hush-team/);
  });
});

describe('a key that cannot be read', () => {
  it('leaves neither a question nor a health poll behind that would hold up the next', async () => {
    const clock = realClock(SCALE);
    const watched = {
      stack: 's',
      config: { id: 's.e', name: 'e', url: 'http://127.0.0.1:1', headers: {}, probe: false, apiKey: { file: '/no/such/key' } },
      target: { id: 's.e', stack: 's', name: 'e', url: 'http://127.0.0.1:1', kind: 'sglang', role: 'decode', known: ['config'], probed: false },
    } as unknown as Watched;
    const context = {
      clock,
      config: { scrape: DEFAULTS.scrape },
      signal: new AbortController().signal,
      quiet: new Map(),
      live: new Set(),
    } as unknown as Context;
    await expect(askControl(context, watched, '/v1/loads')).rejects.toThrow('/no/such/key does not exist');
    expect(watched.control).toBeUndefined();
    await expect(healthTurn(context, watched)).rejects.toThrow('/no/such/key does not exist');
    expect(quietOf(context, 's').healthOut).toBe(0);
    expect(watched.healthSentAt).toBeUndefined();
  });
});
