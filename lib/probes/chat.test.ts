import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '@/lib/model/exchange';
import type { ProbeOn } from '@/lib/model/probe';
import { chat } from './chat';
import { chatWhole } from './chat-whole';
import { curl } from './parts/curl';

const ON: ProbeOn = {
  url: 'http://127.0.0.1:30001',
  headers: { authorization: 'Bearer sk-secret', 'x-team': "o'brien" },
  model: "/models/X'; rm -rf /",
  rid: 'ww-0123456789abcdef',
  nonce: '0123456789abcdef',
  prompt: 'Count:',
  maxTokens: 6,
  stream: true,
  userAgent: 'wedgewatch/0.1.0',
};

const recorded = (name: string) => readFileSync(new URL(`./fixtures/${name}.txt`, import.meta.url));

function exchange(over: Partial<Exchange> = {}): Exchange {
  return {
    at: 0,
    marks: { resolved: 0, connected: 1, sent: 1, headers: 5, firstByte: 5, end: 50 },
    elapsedMs: 50,
    ended: true,
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    bytes: 10,
    socketBytes: 100,
    head: '',
    ...over,
  };
}

/** Reads a whole body in pieces of `step` bytes, one ms each, and judges it. */
function judged(body: Uint8Array | string, over: Partial<Exchange> = {}, step = 7, probe = chat as typeof chat | typeof chatWhole) {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const reader = probe.reader();
  const marks: Exchange['marks'] = { ...exchange().marks };
  let at = 0;
  for (let from = 0; from < bytes.length; from += step) {
    at += 1;
    const seen = reader.push(bytes.subarray(from, from + step), at);
    if (seen.firstEvent) marks.firstEvent ??= at;
    if (seen.firstToken) marks.firstToken ??= at;
  }
  reader.end(at);
  const reading = reader.reading(at);
  const whole = exchange({ bytes: bytes.length, head: new TextDecoder().decode(bytes.subarray(0, 2048)), marks, ...over });
  return { ...probe.judge(whole, reading, { late: false }), reading };
}

const event = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const ROLE = event({ role: 'assistant', content: '' });
const DONE = 'data: [DONE]\n\n';

describe('a recorded answer', () => {
  it.each([1, 7, 64, 100_000])('of the gateway, of mini_lb, of SGLang and of vLLM is an answer, cut into pieces of %i bytes', (step) => {
    for (const name of ['gateway-0.3.2-stream', 'mini-lb-0.3.2-stream', 'sglang-0.5.23-stream-usage', 'vllm-0.32.0-stream-usage']) {
      const { outcome, reading } = judged(recorded(name), {}, step);
      expect([name, outcome, reading.sawDone, reading.finishReason]).toEqual([name, 'ok', true, 'length']);
      expect(reading.tokens).toBeGreaterThan(1);
    }
  });

  it('trap 01: counts no token for the role chunk and takes the usage', () => {
    const { reading } = judged(recorded('sglang-0.5.23-stream-usage'));
    expect(reading).toMatchObject({ sawRole: true, completionTokens: 4, echoedModel: 'tiny' });
    expect(reading.tokens).toBeLessThanOrEqual(4);
  });

  it('trap 29: with an error event that is no JSON is told in its own words', () => {
    const seen = judged(recorded('gateway-0.3.2-error-event'));
    expect(seen.outcome).toBe('error-in-200');
    expect(seen.sentence).toContain("longer than the model's context length");
    expect(seen.reading.tokens).toBe(0);
  });

  it('whose 200 event stream is one JSON error is an error inside a 200', () => {
    const seen = judged(recorded('mini-lb-0.3.2-json-error-in-200'));
    expect(seen).toMatchObject({ outcome: 'error-in-200', reading: { errorStatus: 400 } });
  });

  it('with an error event and [DONE] is no answer', () => {
    expect(judged(recorded('sglang-0.5.23-error-event'))).toMatchObject({ outcome: 'error-in-200', reading: { errorStatus: 400 } });
  });

  it('in one JSON body is no event stream, unless a whole one was asked for', () => {
    const json = { headers: { 'content-type': 'application/json' } };
    expect(judged(recorded('sglang-0.5.23-whole'), json).outcome).toBe('not-sse');
    expect(judged(recorded('sglang-0.5.23-whole'), json, 7, chatWhole).outcome).toBe('ok');
  });
});

describe('what counts as a token', () => {
  it.each([
    ['content', { content: 'a' }, 'ok'],
    ['reasoning_content', { reasoning_content: 'a' }, 'ok'],
    ['reasoning', { reasoning: 'a' }, 'ok'],
    ['a tool call', { tool_calls: [{ index: 0, function: { arguments: '{' } }] }, 'ok'],
    ['an empty delta', { content: '' }, 'empty'],
    ['a null content', { content: null, reasoning_content: null }, 'empty'],
    ['a role', { role: 'assistant' }, 'empty'],
  ])('%s', (_name, delta, outcome) => {
    expect(judged(ROLE + event(delta) + event({}, 'stop') + DONE).outcome).toBe(outcome);
  });

  it('trap 02: is also one that usage counts when a reasoning model is cut short without any content', () => {
    const usage = 'data: {"choices":[],"usage":{"completion_tokens":3}}\n\n';
    expect(judged(ROLE + event({}, 'length') + usage + DONE).outcome).toBe('ok');
    expect(judged(ROLE + event({}, 'stop') + usage + DONE).outcome).toBe('empty');
  });
});

describe('a stream', () => {
  it('may use CRLF, comments, events without empty lines between them, and no space after the colon', () => {
    const body = `: ping\r\n\r\n${(ROLE + event({ content: 'a' }))
      .replace(/\n\n/g, '\n')
      .replace(/data: /g, 'data:')
      .replace(/\n/g, '\r\n')}data: [DONE]\r\n\r\n`;
    expect(judged(body)).toMatchObject({ outcome: 'ok', reading: { tokens: 1, comments: 1 } });
  });

  it('that ends without [DONE] is told apart from one that ends with it', () => {
    expect(judged(ROLE + event({ content: 'a' })).outcome).toBe('no-done');
  });

  it('that is empty is an empty success', () => {
    expect(judged('', { bytes: 0 }).outcome).toBe('empty');
  });

  it('that is a web page is no stream', () => {
    expect(judged('<html><body>hello</body></html>', { headers: { 'content-type': 'text/html' } })).toMatchObject({
      outcome: 'not-sse',
      sentence: expect.stringContaining('text/html'),
    });
  });

  it('cut by a reset keeps that it was cut', () => {
    const seen = judged(ROLE + event({ content: 'a' }), { failure: 'reset', detail: 'reset (RST): read ECONNRESET' });
    expect(seen).toMatchObject({ outcome: 'reset', sentence: expect.stringContaining('1 token') });
  });

  it('trap 12: with all tokens in one burst is answered, and noted as not streamed', () => {
    const body = ROLE + event({ content: 'a' }).repeat(5) + event({}, 'length') + DONE;
    expect(judged(body, {}, 100_000).sentence).toContain('in one burst');
    expect(judged(body, {}, 40).sentence).not.toContain('in one burst');
  });

  it('whose line never ends costs no memory and is a failure', () => {
    const reader = chat.reader();
    const piece = new TextEncoder().encode('x'.repeat(10_000));
    reader.push(new TextEncoder().encode('data: '), 0);
    for (let i = 0; i < 500; i++) reader.push(piece, i);
    const { error, text } = reader.reading(500);
    expect(error).toContain('does not end');
    expect(text.length).toBeLessThanOrEqual(200);
  });

  it('of hostile words is cut, not believed', () => {
    const seen = judged(`data: {"error":{"message":${JSON.stringify('<script>'.repeat(1000))}}}\n\n`);
    expect(seen.reading.error?.length).toBeLessThanOrEqual(300);
    expect(judged(event({ content: 'y'.repeat(5_000) }) + DONE).reading.text.length).toBeLessThanOrEqual(200);
  });

  it.each([
    'data: 17\n\n',
    'data: null\n\n',
    'data: []\n\n',
    'data: {"choices":7}\n\n',
    'data: {"choices":[null,1,{"delta":null}]}\n\n',
    'data\n\n',
    '\n\n\n',
    '\uFEFF',
    ':\n',
  ])('of foreign shape %j never throws', (body) => {
    expect(judged(body + DONE).outcome).toBe('empty');
  });
});

describe('a silence', () => {
  const open = { ended: false, bytes: 0 } as const;
  const silent = (over: Partial<Exchange>, pieces: string[] = []) => {
    const reader = chat.reader();
    for (const [i, piece] of pieces.entries()) reader.push(new TextEncoder().encode(piece), i);
    const whole = exchange({ ...open, elapsedMs: 8_000, ...over });
    return { now: chat.judge(whole, reader.reading(8_000), { late: false }).outcome, late: chat.judge(whole, reader.reading(8_000), { late: true }) };
  };
  const bare = { resolved: 0, connected: 1, sent: 1 };

  it('inside the deadline is pending, whatever it looks like', () => {
    expect(silent({ marks: bare, status: undefined, socketBytes: 0 }).now).toBe('pending');
  });

  it('is told by how far it came', () => {
    const none = { status: undefined, socketBytes: 0 };
    expect(silent({ marks: {}, ...none }).late.outcome).toBe('dns');
    expect(silent({ marks: { resolved: 0 }, ...none }).late.outcome).toBe('connect-timeout');
    expect(silent({ marks: bare, ...none }).late).toEqual({ outcome: 'zero-bytes', sentence: 'zero bytes after 8.0 s on an open connection' });
    expect(silent({ marks: bare, status: undefined, socketBytes: 9 }).late).toMatchObject({
      outcome: 'zero-bytes',
      sentence: expect.stringContaining('part of a header'),
    });
    expect(silent({}).late.outcome).toBe('headers-only');
    expect(silent({}, [': ping\n\n']).late).toMatchObject({ outcome: 'headers-only', sentence: expect.stringContaining('1 keep-alive') });
    expect(silent({}, [ROLE, ': ping\n\n']).late.outcome).toBe('role-only');
    expect(silent({}, [ROLE, event({ content: 'a' })]).late).toMatchObject({ outcome: 'stalled', sentence: expect.stringContaining('then nothing for 8.0 s') });
  });

  it('stays that silence when it is we who close it', () => {
    const closed = exchange({ marks: bare, status: undefined, socketBytes: 0, failure: 'closed-by-us', elapsedMs: 31_000 });
    expect(chat.judge(closed, undefined, { late: true })).toEqual({
      outcome: 'zero-bytes',
      sentence: 'zero bytes after 31.0 s on an open connection; closed by us',
    });
    expect(chat.judge(closed, undefined, { late: false }).outcome).toBe('closed-by-us');
  });
});

describe('a refusal', () => {
  it('is told with its status and words', () => {
    const seen = judged('{"error":{"message":"Model x not found","code":404}}', { status: 404 });
    expect(seen).toMatchObject({ outcome: 'rejected', sentence: expect.stringContaining('404') });
    expect(seen.sentence).toContain('Model x not found');
    expect(judged('', { status: 401, bytes: 0 }).sentence).toContain('no words');
  });

  it('by redirect is not followed', () => {
    expect(judged('', { status: 307, headers: { location: 'http://elsewhere/' } })).toMatchObject({
      outcome: 'redirected',
      sentence: expect.stringContaining('elsewhere'),
    });
  });
});

describe('the request', () => {
  it('trap 25: carries the same name in the body and in the header, and a nonce at constant length', () => {
    const spec = chat.request(ON);
    const body = JSON.parse(spec.body ?? '');
    expect([body.rid, spec.headers['x-request-id']]).toEqual([ON.rid, ON.rid]);
    expect(body).toMatchObject({ stream: true, temperature: 0, max_tokens: 6, ignore_eos: true, user: 'wedgewatch', model: ON.model });
    expect(chat.request({ ...ON, nonce: 'fedcba9876543210' }).body?.length).toBe(spec.body?.length);
  });

  it('trap 03: has a prompt that a nonce makes new each time, at its very beginning and at constant length, so that no prefix cache answers it', () => {
    const prompt = (nonce: string) => JSON.parse(chat.request({ ...ON, nonce }).body ?? '').messages.at(-1).content as string;
    const [one, other] = [prompt('0123456789abcdef'), prompt('fedcba9876543210')];
    expect(one).not.toBe(other);
    expect(one.length).toBe(other.length);
    const shared = [...one].findIndex((letter, i) => letter !== other[i]);
    expect(shared).toBeLessThan(16);
  });

  it('trap 04: asks for nothing that takes another path through the engine: no n, penalties, logprobs, tools or grammar', () => {
    const plain = ['ignore_eos', 'max_tokens', 'messages', 'model', 'rid', 'stream', 'stream_options', 'temperature', 'user'];
    expect(Object.keys(JSON.parse(chat.request(ON).body ?? '')).filter((key) => !plain.includes(key))).toEqual([]);
  });

  it('trap 17: as curl shows no secret and can be pasted safely', () => {
    const text = curl({ ...chat.request(ON), url: 'http://user:pw@127.0.0.1:30001/v1/chat/completions' });
    expect(text).not.toMatch(/sk-secret|o'brien|user:pw/);
    expect(text).toContain('"authorization: Bearer $API_KEY"');
    expect(text).toContain('"x-team: $X_TEAM"');
    expect(text).toContain(`X'\\''; rm -rf /`);
    expect(text).not.toContain('\n');
  });
});
