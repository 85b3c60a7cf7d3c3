import { beforeEach, describe, expect, test } from 'vitest';
import { aKept, anEvent, anIncident, aProbe } from '@/lib/stores/examples';
import { type ExampleRuntime, watchExamples } from '../examples';
import { POST as acknowledge } from './[id]/acknowledge/route';
import { GET as exported } from './[id]/export/route';
import { POST as note } from './[id]/notes/route';
import { GET as incident } from './[id]/route';
import { POST as shelve, DELETE as unshelve } from './[id]/shelf/route';
import { GET as list } from './route';

let watched: ExampleRuntime;
beforeEach(() => {
  watched = watchExamples();
});

type Handler = (request: Request, context: { params: Promise<{ id: string }> }) => Response | Promise<Response>;

async function ask(
  handler: Handler,
  { query = '', body, id = 'i1', method = body === undefined ? 'GET' : 'POST' }: { query?: string; body?: unknown; id?: string; method?: string },
) {
  const headers = { host: '127.0.0.1:3030', ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const request = new Request(`http://127.0.0.1:3030/api/x${query}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return handler(request, { params: Promise.resolve({ id }) });
}
const told = async (answer: Response) => (await answer.json()).error as string;
const at = () => watched.snapshot()?.at ?? 0;

describe('what a person does to an incident', () => {
  test('becomes one command under their name', async () => {
    expect((await ask(acknowledge, { body: { by: '  Ada\n Lovelace ' } })).status).toBe(200);
    await ask(note, { body: { by: 'Ada', text: ' **x**\n- y ' } });
    await ask(shelve, { body: { by: 'Ada', reason: 'the vendor\nis on it' } });
    await ask(shelve, { body: { by: 'Ada', reason: 'x', for: '24h' } });
    expect(watched.told).toEqual([
      { kind: 'deed', incident: 'i1', deed: { kind: 'acknowledge', by: 'Ada Lovelace' } },
      { kind: 'deed', incident: 'i1', deed: { kind: 'note', by: 'Ada', text: '**x**\n- y' } },
      { kind: 'deed', incident: 'i1', deed: { kind: 'shelve', by: 'Ada', forMs: 3_600_000, reason: 'the vendor is on it' } },
      { kind: 'deed', incident: 'i1', deed: { kind: 'shelve', by: 'Ada', forMs: 86_400_000, reason: 'x' } },
    ]);
  });

  test.each([
    [acknowledge, {}, /^by: "undefined" is no name of 1 to 60 characters/],
    [acknowledge, { by: ' ' }, /^by: /],
    [acknowledge, { by: 'x'.repeat(61) }, /^by: /],
    [acknowledge, { by: 'Ada', force: true }, /^"force" is no key of this body; it takes by\.$/],
    [note, { by: 'Ada', text: '' }, /^text: .* is no text of 1 to 10000 characters/],
    [note, { by: 'Ada', text: ['x'] }, /^text: /],
    [shelve, { by: 'Ada' }, /^reason: /],
    [shelve, { by: 'Ada', reason: 'x', for: '25h' }, /^for: .* is no duration from 1m to 24h/],
    [shelve, { by: 'Ada', reason: 'x', for: 3600 }, /^for: /],
  ])('%s refuses %j by name, value and remedy', async (handler, body, words) => {
    const answer = await ask(handler as Handler, { body });
    expect([answer.status, watched.told]).toEqual([400, []]);
    expect(await told(answer)).toMatch(words);
  });

  test('is refused for an incident that is not there, and passes on why the collector could not', async () => {
    expect((await ask(acknowledge, { body: { by: 'Ada' }, id: 'none' })).status).toBe(404);
    watched.answers = { ok: false, error: 'history is not being kept: the disk is full' };
    const answer = await ask(acknowledge, { body: { by: 'Ada' } });
    expect([answer.status, await told(answer)]).toEqual([409, 'The collector declines: history is not being kept: the disk is full.']);
  });

  test('takes off the shelf only what is on it', async () => {
    expect((await ask(unshelve, { method: 'DELETE', query: '?by=Ada' })).status).toBe(409);
    watched.past?.putIncident(anIncident({ openedAt: at(), shelf: { by: 'Ben', at: at(), until: at() + 9_000, reason: 'x' } }));
    expect((await ask(unshelve, { method: 'DELETE', query: '?by=Ada' })).status).toBe(200);
    expect(watched.told).toEqual([{ kind: 'deed', incident: 'i1', deed: { kind: 'unshelve', by: 'Ada' } }]);
  });
});

describe('the list', () => {
  beforeEach(() => {
    const store = watched.past;
    const old = at() - 3_600_000;
    store?.putIncident(
      anIncident({ id: 'open', openedAt: at() - 5_000, verdict: 'down', place: { kind: 'engine', inferred: true }, sentence: 'an engine is gone' }),
    );
    store?.putIncident(anIncident({ id: 'acked', openedAt: old, closedAt: old + 1, ack: { by: 'Ada', at: old } }));
    store?.putEvent(anEvent({ id: 'n', at: at(), kind: 'note', incident: 'acked', by: 'Grace', data: { text: 'Restarted the **Scheduler** of rack 7' } }));
  });
  const ids = async (query: string) => (await (await ask(list, { query })).json()).incidents.map((each: { id: string }) => each.id);

  test.each([
    ['', ['open', 'i1', 'acked']],
    ['?verdict=down', ['open']],
    ['?place=decode', ['i1', 'acked']],
    ['?state=open', ['open']],
    ['?state=new', ['open']],
    ['?state=returned', ['i1']],
    ['?state=closed', ['acked']],
    ['?acknowledged=yes', ['acked']],
    ['?acknowledged=no', ['open', 'i1']],
    ['?text=rack+scheduler', ['acked']],
    ['?text=GRACE', ['acked']],
    ['?text=engine+gone', ['open']],
    ['?text=rack+gone', []],
    ['?from=now-10m', ['open', 'i1']],
    ['?stack=elsewhere', []],
    ['?acknowledged=no&limit=1', ['open']],
  ])('narrowed by %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });
});

test('an incident comes with earlier ones of the same verdict, place and suspicion, and with notes made long after it', async () => {
  const before = at() - 86_400_000;
  watched.past?.putIncident(anIncident({ id: 'same', openedAt: before, closedAt: before + 1 }));
  watched.past?.putIncident(anIncident({ id: 'elsewhere', openedAt: before, closedAt: before + 1, place: { kind: 'prefill', inferred: false } }));
  watched.past?.putEvent(anEvent({ id: 'late', at: at() + 9_000_000, kind: 'note', incident: 'i1' }));
  watched.past?.putEvent(anEvent({ id: 'of another', at: at() - 45_000, kind: 'note', incident: 'same' }));
  const record = await (await ask(incident, {})).json();
  expect(record.related.map((each: { id: string }) => each.id)).toEqual(['same']);
  expect(record.events.map((each: { id: string }) => each.id)).toEqual(['late', 'e1']);
});

describe('an export', () => {
  const KEY = 'sk-0123456789-configured';
  const HEADER = 'tenant-secret-"quoted"-123';
  const OTHER = 'sk-of-the-command-line-98765';

  beforeEach(() => {
    const config = watched.config();
    for (const target of config.stacks.flatMap((stack) => stack.targets))
      Object.assign(target, { headers: { 'x-tenant': HEADER }, apiKey: { env: 'WEDGEWATCH_TEST_KEY' } });
    watched.config = () => config;
    process.env.WEDGEWATCH_TEST_KEY = KEY;
    // What came in past the first line of defence: a server that quotes the key, a header in an event, a command line as it stood.
    const kept = aKept({ at: at() - 60_000, probes: [aProbe({ id: 'x', sentence: `401: key ${KEY} is wrong` })] });
    for (const node of kept.first.nodes) node.cmdline = `python -m sglang.launch_server --host 10.1.2.3 --api-key ${OTHER}`;
    watched.past?.putKept(kept);
    watched.past?.putEvent(anEvent({ id: 'leak', at: at() - 50_000, sentence: `the server answered with ${HEADER}` }));
    return () => {
      delete process.env.WEDGEWATCH_TEST_KEY;
    };
  });

  test.each(['html', 'json', 'md'])('as %s holds neither key, header nor a key of a command line, and masked no host', async (form) => {
    for (const mask of ['none', 'hosts']) {
      const answer = await ask(exported, { query: `?form=${form}&mask=${mask}` });
      const text = await answer.text();
      expect(answer.status).toBe(200);
      for (const secret of [KEY, HEADER, JSON.stringify(HEADER).slice(1, -1), 'tenant-secret', OTHER, 'hush']) expect(text, secret).not.toContain(secret);
      expect(text.includes('127.0.0.1') || form === 'html', mask).toBe(mask === 'none' || form === 'html');
      if (mask === 'hosts') expect(text).not.toMatch(/127\.0\.0\.1|10\.1\.2\.3/);
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="wedgewatch-i1.${form}"`);
    }
  });
});
