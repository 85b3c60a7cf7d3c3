import { beforeEach, describe, expect, test } from 'vitest';
import { aProbe, aSnapshot } from '@/lib/stores/examples';
import { storeFailure } from '@/lib/stores/failure';
import type { Store } from '@/lib/stores/store';
import { type ExampleRuntime, watchExamples } from './examples';
import { DELETE as cancel } from './experiments/[id]/route';
import { POST as start } from './experiments/route';
import { GET as healthz } from './healthz/route';
import { GET as incident } from './incidents/[id]/route';
import { GET as metrics } from './metrics/route';
import { GET as probes } from './probes/route';
import { GET as series } from './series/route';
import { GET as snapshot } from './snapshot/route';
import { GET as stream } from './stream/route';
import { POST as pause, DELETE as resume } from './targets/[id]/pause/route';

let watched: ExampleRuntime;
beforeEach(() => {
  watched = watchExamples();
});

type Handler = (request: Request, context: { params: Promise<{ id: string }> }) => Response | Promise<Response>;
type Sent = { method?: string; body?: unknown; headers?: Record<string, string>; id?: string; signal?: AbortSignal };

async function ask(handler: Handler, query = '', { method = 'GET', body, headers, id = '', signal }: Sent = {}): Promise<Response> {
  const init: RequestInit = { method, headers: { host: '127.0.0.1:3030', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers } };
  if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body);
  if (signal !== undefined) init.signal = signal;
  return handler(new Request(`http://127.0.0.1:3030/api/x${query}`, init), { params: Promise.resolve({ id }) });
}
const told = async (answer: Response): Promise<string> => (await answer.json()).error;
const at = () => watched.snapshot()?.at ?? 0;

describe('the snapshot', () => {
  test('is the live one without a moment, and for a moment that is not over', async () => {
    for (const query of ['', '?at=now', `?at=${at() + 60_000}`])
      expect(await (await ask(snapshot, query)).json()).toEqual(JSON.parse(JSON.stringify(watched.snapshot())));
  });

  test('of the past is the one that was shown then, in every notation of the moment', async () => {
    const then = at() - 300_000;
    for (const word of [
      'now-5m',
      String(then),
      new Date(then).toISOString(),
      new Date(then + 7_200_000).toISOString().replace('Z', '+02:00'),
      String(Math.floor(then / 1000)),
    ]) {
      const shown = await (await ask(snapshot, `?at=${encodeURIComponent(word)}`)).json();
      expect(Math.abs(shown.at - then), word).toBeLessThanOrEqual(6_000);
    }
  });

  test('of a moment before all history says how far history reaches', async () => {
    const answer = await ask(snapshot, '?at=2020-01-01');
    expect(answer.status).toBe(404);
    expect(await told(answer)).toMatch(/^Nothing is kept of 2020-01-01T00:00:00\.000Z; history reaches from 20\d\d-.* to 20\d\d-.*\.$/);
  });

  test.each(['yesterday', '2026-11-05T14:03:22', 'now-', 'now-5', '1e300', '-1', '2026-13-45', '<script>'])(
    'refuses the moment %s by name, value and remedy',
    async (word) => {
      const answer = await ask(snapshot, `?at=${encodeURIComponent(word)}`);
      expect(answer.status).toBe(400);
      expect(await told(answer)).toBe(
        `at: ${JSON.stringify(word)} is no moment; write ISO time with its zone (2026-11-05T14:03:22Z), epoch milliseconds, "now" or "now-15m".`,
      );
    },
  );

  test('before the first second is over asks for another try', async () => {
    watched.snapshot = () => undefined;
    const answer = await ask(snapshot);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('the stream', () => {
  const read = async (reader: ReadableStreamDefaultReader<Uint8Array>) => new TextDecoder().decode((await reader.read()).value);

  test('begins with the retry time and the last frame at once, then sends each', async () => {
    const answer = await ask(stream);
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const reader = answer.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    expect(await read(reader)).toBe('retry: 1000\n\n');
    expect(await read(reader)).toMatch(/^data: \{"at":/);
    watched.frame(aSnapshot({ at: at() + 1000, tick: 61 }));
    expect(await read(reader)).toContain('"tick":61');
    await reader.cancel();
  });

  test('drops frames of a reader that does not read, and gives it whole ones again when it does', async () => {
    const reader = (await ask(stream)).body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    const sent = 2_000;
    for (let tick = 1; tick <= sent; tick++) watched.frame(aSnapshot({ at: at() + 1000, tick }));
    let waited = 0;
    let text = '';
    for (let piece = await reader.read(); waited < 512 * 1024; piece = await reader.read()) {
      waited += piece.value?.length ?? 0;
      text = new TextDecoder().decode(piece.value);
      // What waited has been read once a new frame comes through.
      watched.frame(aSnapshot({ at: at() + 1000, tick: 9_999 }));
      if (text.includes('"tick":9999')) break;
    }
    expect(text).toContain('"tick":9999');
    expect(waited).toBeLessThan(400 * 1024);
    await reader.cancel();
  });

  test('leaves when its reader goes, by signal or by cancel, once and twice', async () => {
    const gone = new AbortController();
    await ask(stream, '', { signal: gone.signal });
    const other = (await ask(stream)).body;
    expect(watched.readers()).toBe(2);
    gone.abort();
    expect(watched.readers()).toBe(1);
    await other?.cancel();
    expect(watched.readers()).toBe(0);
    await watched.close();
  });

  test('ends at our shutdown', async () => {
    const reader = (await ask(stream)).body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    await watched.close();
    let ended = false;
    for (let piece = await reader.read(); !ended; piece = piece.done ? piece : await reader.read()) ended = piece.done;
    expect(ended).toBe(true);
  });
});

describe('series', () => {
  test('keep a spike, show gaps as null, and are aligned to whole steps', async () => {
    const { from, to, stepMs, series: found } = await (await ask(series, '?target=lab.decode&name=num_queue_reqs&range=15m&step=30s')).json();
    expect([from % 30_000, to % 30_000, stepMs]).toEqual([0, 0, 30_000]);
    expect(found).toHaveLength(1);
    const { buckets } = found[0];
    expect(Math.max(...buckets.map((each: { max: number }) => each.max))).toBe(90);
    expect(buckets[0]).toMatchObject({ at: from, last: null, count: 0 });
    expect(buckets.at(-2).last).toBe(1);
  });

  test('are rates with rate=1, from which the reset of a counter is taken out', async () => {
    const { series: found } = await (await ask(series, '?name=num_requests_total&name=num_queue_reqs&range=8m&step=10s&rate=1')).json();
    const of = (name: string) => found.find((each: { name: string }) => each.name === name).buckets.flatMap((each: { last: number | null }) => each.last ?? []);
    const rates = of('num_requests_total');
    expect(rates.length).toBeGreaterThan(40);
    expect(Math.min(...rates)).toBeGreaterThanOrEqual(0);
    expect(rates.filter((rate: number) => Math.abs(rate - 10) > 0.01).length).toBeLessThanOrEqual(2);
    // A gauge stays as it was read.
    expect(of('num_queue_reqs').filter((value: number) => value !== 1 && value !== 90)).toEqual([]);
  });

  test.each([
    ['?range=7d&step=1s', 'step: 1s would make more than 600 buckets; write 16m48s or more.'],
    ['?step=fast', 'step: "fast" is no duration; write 10s, 15m, 1h30m or a number of milliseconds.'],
    ['?range=99d', 'range: "99d" is out of range; write one from 1s to 31d.'],
    ['?name=queue', 'name: "queue" is no series; names are SGLang\'s without prefix, such as num_queue_reqs (all are in /api/openapi.json).'],
    ['?from=now&to=now-1h', 'from: "now" is not before to; swap them.'],
    ['?from=now-1h&range=1h', 'range: given together with from; give one of the two.'],
    ['?rate=yes', 'rate: "yes" is not known; write one of 0, 1.'],
    ['?step=1s&step=2s', 'step: given 2 times; give it once.'],
    ['?traget=a', '"traget" is no parameter of this route; it takes target, name, from, to, range, step, rate.'],
  ])('refuse %s with one sentence', async (query, sentence) => {
    const answer = await ask(series, query);
    expect([answer.status, await told(answer)]).toEqual([400, sentence]);
  });

  test('of a target that never was are not found', async () => {
    expect((await ask(series, '?target=lab.nobody')).status).toBe(404);
  });

  test('of a long range are asked for in whole summaries', async () => {
    expect((await (await ask(series, '?name=num_queue_reqs&range=7d&step=20m')).json()).stepMs).toBe(1_200_000);
    expect((await (await ask(series, '?name=num_queue_reqs&range=7d&step=1010s')).json()).stepMs).toBe(1_200_000);
  });
});

describe('what changes something', () => {
  test('passes on the pause of a front-end', async () => {
    const answer = await ask(pause, '', { method: 'POST', id: 'lab.router', body: { for: '10m', by: 'Ada' } });
    expect(answer.status).toBe(200);
    expect(Date.parse((await answer.json()).until) - Date.now()).toBeGreaterThan(590_000);
    expect((await ask(resume, '', { method: 'DELETE', id: 'lab.router' })).status).toBe(200);
    expect(watched.told).toEqual([
      { kind: 'pause', target: 'lab.router', forMs: 600_000, by: 'Ada' },
      { kind: 'resume', target: 'lab.router', by: 'somebody on the page or the API' },
    ]);
  });

  test.each([[{ for: '25h' }], [{ for: 10 }], [{}], [{ for: 'ten minutes' }]])('refuses the pause %j', async (body) => {
    const answer = await ask(pause, '', { method: 'POST', id: 'lab.router', body });
    expect([answer.status, await told(answer)]).toEqual([400, expect.stringMatching(/^for: .* is no duration from 1s to 24h; write one, such as "10m"\.$/)]);
  });

  test('is refused in one sentence when a value is nested without end', async () => {
    const brackets = '['.repeat(30_000) + ']'.repeat(30_000);
    const answers = [
      await ask(pause, '', { method: 'POST', id: 'lab.router', body: `{"for":${brackets}}` }),
      await ask(start, '', { method: 'POST', body: `{"stack":${brackets}}` }),
      await ask(start, '', { method: 'POST', body: `{"stack":"lab","models":${brackets}}` }),
    ];
    for (const answer of answers) expect([answer.status, await told(answer)]).toEqual([400, expect.stringContaining('what is nested so deeply is no')]);
  });

  test('does not pause what is sent no chats', async () => {
    expect((await ask(pause, '', { method: 'POST', id: 'lab.decode', body: { for: '1m' } })).status).toBe(409);
    expect(watched.told).toEqual([]);
  });

  test('passes on in which ways an experiment asks', async () => {
    const body = { stack: 'lab', targets: ['lab.router'], whole: false, long: true };
    expect((await ask(start, '', { method: 'POST', body })).status).toBe(202);
    expect(watched.told).toEqual([{ kind: 'experiment', stack: 'lab', targets: ['lab.router'], whole: false, long: true }]);
  });

  test('asks all front-ends of the stack when an experiment names none', async () => {
    const answer = await ask(start, '', { method: 'POST', body: { stack: 'lab', tries: 2 } });
    expect([answer.status, answer.headers.get('location'), await answer.json()]).toEqual([202, '/api/experiments/x1', { id: 'x1' }]);
    expect(watched.told).toEqual([{ kind: 'experiment', stack: 'lab', targets: ['lab.router', 'lab.balancer'], tries: 2 }]);
  });

  test.each([
    [{ stack: 'lab', targets: ['lab.decode'] }, 400],
    [{ stack: 'lab', targets: ['lab.nobody'] }, 404],
    [{ stack: 'other' }, 404],
    [{}, 400],
    [{ stack: 'lab', targets: [] }, 400],
    [{ stack: 'lab', tries: 99 }, 400],
    [{ stack: 'lab', long: 'yes' }, 400],
    [{ stack: 'lab', models: ['x'.repeat(500)] }, 400],
    [{ stack: 'lab', url: 'http://169.254.169.254/' }, 400],
    ['[]', 400],
    ['null', 400],
  ])('refuses the experiment %j with %d', async (body, status) => {
    expect((await ask(start, '', { method: 'POST', body })).status).toBe(status);
    expect(watched.told).toEqual([]);
  });

  test("tells the collector's refusal in its words", async () => {
    watched.answers = { ok: false, error: 'experiment x-1 is running on lab.router' };
    const answer = await ask(start, '', { method: 'POST', body: { stack: 'lab' } });
    expect([answer.status, await told(answer)]).toEqual([409, 'The collector declines: experiment x-1 is running on lab.router.']);
    expect((await ask(cancel, '', { method: 'DELETE', id: 'x1' })).status).toBe(409);
  });

  test.each([
    ['the own page', { origin: 'http://127.0.0.1:3030', 'sec-fetch-site': 'same-origin' }, 200],
    ['localhost', { host: 'localhost:3030', origin: 'http://localhost:3030' }, 200],
    ['an IPv6 address', { host: '[::1]:3030', origin: 'http://[::1]:3030' }, 200],
    ['a program', {}, 200],
    ['a foreign page', { origin: 'https://evil.example' }, 403],
    ['a foreign page without origin', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another port of this host', { origin: 'http://127.0.0.1:8080' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    [
      'a name that was made to resolve to us',
      { host: 'rebind.evil.example:3030', origin: 'http://rebind.evil.example:3030', 'sec-fetch-site': 'same-origin' },
      403,
    ],
    ['no host', { host: '' }, 403],
  ])('answers %s as it should', async (_who, headers, status) => {
    expect((await ask(pause, '', { method: 'POST', id: 'lab.router', body: { for: '1m' }, headers })).status).toBe(status);
    expect(watched.told).toHaveLength(status === 200 ? 1 : 0);
  });
});

describe('healthz', () => {
  const health = async () => {
    const answer = await ask(healthz);
    return { status: answer.status, ...(await answer.json()) };
  };

  test('is well while frames come and every loop is on time', async () => {
    expect(await health()).toMatchObject({ status: 200, collecting: true, state: 'running', loops: [{ name: 'scrape', target: 'lab.decode', late: false }] });
  });

  test('is ill when the collector is silent, dead, has not spoken yet, or is blind, although this process answers', async () => {
    watched.beat = { ...watched.beat, lastFrameAt: Date.now() - 20_000 };
    expect(await health()).toMatchObject({ status: 503, collecting: false, why: 'it has been silent for 20 s' });
    watched.beat = { ...watched.beat, state: 'dead', lastFrameAt: Date.now(), lastError: 'x'.repeat(1000) };
    expect(await health()).toMatchObject({ status: 503, why: 'the collector is dead', lastError: 'x'.repeat(300) });
    watched.beat = { state: 'starting', startedAt: Date.now(), restarts: 0 };
    expect(await health()).toMatchObject({ status: 503, frameAgeMs: null });
  });

  test('is ill when one loop stands', async () => {
    const next = aSnapshot({ at: Date.now(), tick: 61 });
    next.self.loops = [
      { name: 'metrics', target: 'lab.decode', everyMs: 5_000, lastEnd: Date.now() - 100_000, errors: 0 },
      { name: 'health', everyMs: 30_000, lastEnd: Date.now() - 100_000, errors: 0 },
    ];
    watched.frame(next);
    expect(await health()).toMatchObject({ status: 503, why: 'late: metrics of lab.decode' });
  });
});

describe('history', () => {
  test('that does not exist yet is empty, not an error', async () => {
    watched.past = undefined;
    for (const [handler, empty] of [
      [probes, { probes: [] }],
      [series, expect.objectContaining({ series: [] })],
    ] as const)
      expect(await (await ask(handler)).json()).toEqual(empty);
  });

  test('that cannot be read is told with file and remedy, and the exposition goes on without phases', async () => {
    const broken = () => {
      throw storeFailure('StoreCorrupt', '/data/wedgewatch.db is damaged (x); move it away and start again, or restore a copy');
    };
    watched.past = { ...(watched.past as Store), probes: broken };
    const answer = await ask(probes);
    expect([answer.status, await told(answer)]).toEqual([503, expect.stringContaining('/data/wedgewatch.db is damaged')]);
    expect(await (await ask(metrics)).text()).toContain('wedgewatch_stack_verdict{stack="lab",verdict="hanging"} 1');
  });

  test('gives an incident with the events around it', async () => {
    const { incident: found, events } = await (await ask(incident, '', { id: 'i1' })).json();
    expect([found.id, events.map((each: { id: string }) => each.id)]).toEqual(['i1', ['e1']]);
  });

  test('trap 17: gives hostile text as text', async () => {
    const head = '</script><img src=x onerror=alert(1)>';
    watched.past?.putProbe(aProbe({ id: 'evil', sentAt: Date.now(), sentence: head }));
    const answer = await ask(probes, '?limit=1');
    expect([answer.headers.get('content-type'), answer.headers.get('x-content-type-options')]).toEqual(['application/json', 'nosniff']);
    expect((await answer.json()).probes[0].sentence).toBe(head);
  });
});
