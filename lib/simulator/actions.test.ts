import { afterEach, describe, expect, it } from 'vitest';
import { ACTIONS, type ActionName } from '@/lib/scenarios/vocabulary';
import { spectate } from './spectator';
import { type Stage, stage } from './stage';

/** Each action, played on real sockets, does what its sentence says. */
let on: Stage;
afterEach(() => on?.stop());

const tested = new Set<ActionName>();

function action(name: ActionName, says: string, yaml: string, see: () => Promise<void>) {
  tested.add(name);
  it(`${name} ${says}`, async () => {
    on = await stage(yaml);
    await see();
  });
}

const good = async (part: string, more: Record<string, unknown> = {}) => expect((await on.chat(part, more).over).text).toContain('[DONE]');
const silent = async (part: string, seconds: number, more: Record<string, unknown> = {}) => {
  const client = on.chat(part, more);
  await on.at(on.simulation.seconds() + seconds);
  expect(client.seen).toMatchObject({ text: '', ended: false });
  expect(client.seen.broke).toBeUndefined();
  return client;
};
const chats = async (part: string) => (await on.value(part, 'http_requests_total', 'chat')) ?? 0;

describe('traffic', () => {
  action('load', 'brings users, and none again', 'timeline: [[1, load, busy], [21, load, none]]', async () => {
    await on.at(20);
    const early = await chats('decode-0');
    expect(early).toBeGreaterThan(15);
    expect(early).toBeLessThan(75);
    await on.at(25);
    const late = await chats('decode-0');
    await on.at(40);
    expect(await chats('decode-0')).toBe(late);
  });
  action('burst', 'sends n at once, and again', 'timeline: [[1, burst, { n: 9, every: 20 }]]', async () => {
    await on.at(10);
    expect(await chats('decode-0')).toBe(9);
    await on.at(30);
    expect(await chats('decode-0')).toBe(18);
  });
  action('abort_storm', 'is counted as aborts', 'timeline: [[1, abort_storm, { n: 12, seconds: 3 }]]', async () => {
    await on.at(20);
    expect(await on.value('decode-0', 'num_aborted_requests_total')).toBe(12);
  });
  action('abort_one', 'aborts during the hand-over', 'timeline: [[1, xfer.slow, 100], [2, abort_one]]', async () => {
    await on.at(15);
    expect(await on.value('decode-0', 'num_aborted_requests_total')).toBe(1);
    expect(await on.value('decode-0', 'num_requests_total')).toBeUndefined();
  });
  action(
    'user_mix',
    'makes prefill compute chunk after chunk with a red health',
    'timeline: [[1, user_mix, { long: 1, tokens: 200k }], [1, load, busy]]',
    async () => {
      await on.at(6);
      const health = on.get('prefill-0', '/health');
      const before = (await on.value('prefill-0', 'prefill_compute')) ?? 0;
      await on.at(14);
      expect(((await on.value('prefill-0', 'prefill_compute')) ?? 0) - before).toBeGreaterThan(8192 * 2);
      expect((await on.queues('prefill-0')).age).toBeLessThan(2);
      expect((await health).status).toBe(503);
    },
  );
});

describe('schedulers', () => {
  action(
    'sched.freeze',
    'stops one rank of two and leaves the other',
    'stack: { dp: 2 }\ntimeline: [[1, sched.freeze, { role: decode, rank: 1 }]]',
    async () => {
      await on.at(2);
      const clients = [on.chat('mini_lb'), on.chat('mini_lb')];
      const first = await Promise.race(clients.map((one) => one.over));
      expect(first.text).toContain('[DONE]');
      await on.at(20);
      expect(clients.filter((one) => one.seen.ended)).toHaveLength(1);
      const { loads, timestamp } = JSON.parse((await on.get('decode-0', '/v1/loads')).text);
      const ages = loads.map((one: { timestamp: number }) => Date.parse(timestamp) / 1000 - one.timestamp);
      expect(ages[0]).toBeLessThan(2);
      expect(ages[1]).toBeGreaterThan(15);
    },
  );
  action('sched.thaw', 'lets waiting chats end', 'timeline: [[1, sched.freeze, decode], [15, sched.thaw, decode]]', async () => {
    await on.at(2);
    const client = on.chat('router');
    expect((await client.over).text).toContain('[DONE]');
    expect(on.simulation.seconds()).toBeGreaterThan(14);
  });
  action(
    'sched.gauges',
    'writes what the page and the snapshot of a stopped loop show',
    'timeline: [[8, sched.freeze, decode], [9, sched.gauges, { role: decode, values: { num_running_reqs: 7 } }], [14, sched.gauges, decode, all 0]]',
    async () => {
      await on.at(3);
      const clients = [on.chat('mini_lb', { max_tokens: 900 })];
      await on.at(11);
      expect(await on.value('decode-0', 'num_running_reqs')).toBe(7);
      await on.at(16);
      expect(await on.value('decode-0', 'num_running_reqs')).toBe(0);
      expect((await on.queues('decode-0')).running).toBe(0);
      for (const one of clients) one.leave();
    },
  );
  action('sched.no_admit', 'keeps requests in prealloc while the loop turns and health is 200', 'timeline: [[1, sched.no_admit, decode]]', async () => {
    await on.at(2);
    await silent('mini_lb', 15);
    expect(await on.queues('decode-0')).toMatchObject({ decode_prealloc_queue_reqs: 1, decode_transfer_queue_reqs: 0 });
    expect((await on.queues('decode-0')).age).toBeLessThan(2);
    expect((await on.get('decode-0', '/health')).status).toBe(200);
  });
  action('sched.loop', 'works on and never finishes', 'timeline: [[1, sched.loop, decode]]', async () => {
    await on.at(2);
    await silent('router', 10);
    const before = (await on.value('decode-0', 'realtime_tokens_total')) ?? 0;
    await on.at(20);
    expect(await on.value('decode-0', 'realtime_tokens_total')).toBeGreaterThan(before);
    expect((await on.queues('decode-0')).age).toBeLessThan(2);
  });
  action('compile', 'blocks the loop at the next real chat only', 'timeline: [[1, compile, decode, 30]]', async () => {
    await on.at(2);
    expect((await on.get('decode-0', '/health')).status).toBe(200);
    const began = on.simulation.seconds();
    await good('mini_lb');
    expect(on.simulation.seconds() - began).toBeGreaterThan(29);
    const again = on.simulation.seconds();
    await good('mini_lb');
    expect(on.simulation.seconds() - again).toBeLessThan(15);
  });
  action('detok.freeze', 'lets tokens be made that nobody gets', 'timeline: [[1, detok.freeze, decode]]', async () => {
    await on.at(2);
    await silent('mini_lb', 10);
    expect(await on.value('decode-0', 'realtime_tokens_total')).toBeGreaterThan(0);
  });
  action('detok.thaw', 'hands out what was made', 'timeline: [[1, detok.freeze, decode], [12, detok.thaw, decode]]', async () => {
    await on.at(2);
    await good('mini_lb');
    expect(on.simulation.seconds()).toBeGreaterThan(11);
  });
  action(
    'queue.hold',
    'loses a slot with each abort until nobody is let in; health fails too then',
    'stack: { slots: 3 }\ntimeline: [[1, queue.hold, { role: decode, queue: transfer, per: abort, n: 1 }], [2, abort_storm, 3, 1]]',
    async () => {
      await on.at(15);
      expect(await on.queues('decode-0')).toMatchObject({ decode_transfer_queue_reqs: 3 });
      await silent('mini_lb', 10);
      expect(await on.queues('decode-0')).toMatchObject({ decode_transfer_queue_reqs: 3, decode_prealloc_queue_reqs: 1 });
      expect((await on.get('decode-0', '/health')).status).toBe(503);
    },
  );
});

describe('the hand-over', () => {
  action('xfer.stuck', 'leaves a request inflight on one side and in transfer on the other, prefill computed', 'timeline: [[1, xfer.stuck, 1]]', async () => {
    await on.at(2);
    await silent('router', 10);
    expect(await on.queues('decode-0')).toMatchObject({ decode_transfer_queue_reqs: 1 });
    expect(await on.queues('prefill-0')).toMatchObject({ prefill_inflight_queue_reqs: 1, prefill_bootstrap_queue_reqs: 0 });
    expect(await on.value('prefill-0', 'prefill_compute')).toBeGreaterThan(5);
    expect((await on.get('decode-0', '/health')).status).toBe(200);
  });
  action('xfer.slow', 'makes the first token late', 'timeline: [[1, xfer.slow, 200]]', async () => {
    await on.at(2);
    await good('mini_lb');
    expect(on.simulation.seconds()).toBeGreaterThan(12);
  });
  action('xfer.fail', 'ends chats with an error and steps the failure counter', 'timeline: [[1, xfer.fail, 1]]', async () => {
    await on.at(2);
    expect((await on.chat('mini_lb').over).text).toContain('Decode transfer failed');
    expect(await on.value('decode-0', 'num_transfer_failed_reqs_total')).toBe(1);
  });
  action(
    'boot.dead',
    'loses decode’s addresses: bootstrap and transfer grow, nothing is computed, health is 200',
    'timeline: [[1, boot.dead, prefill-0]]',
    async () => {
      await on.at(2);
      await silent('mini_lb', 10);
      expect(await on.queues('prefill-0')).toMatchObject({ prefill_bootstrap_queue_reqs: 1 });
      expect(await on.queues('decode-0')).toMatchObject({ decode_transfer_queue_reqs: 1 });
      expect((await on.get('prefill-0', '/health')).status).toBe(200);
    },
  );
  action('boot.hang', 'delays them', 'timeline: [[1, boot.hang, prefill-0, 20]]', async () => {
    await on.at(2);
    await good('mini_lb');
    expect(on.simulation.seconds()).toBeGreaterThan(20);
  });
  action(
    'peer.stale',
    'loses transfers until decode restarts, but not at prefill’s restart',
    'timeline: [[1, peer.stale, decode-0, prefill-0], [2, proc.restart, prefill-0, 2, 1], [30, proc.restart, decode-0, 2, 1]]',
    async () => {
      await on.at(10);
      await silent('mini_lb', 10);
      expect(await on.queues('prefill-0')).toMatchObject({ prefill_inflight_queue_reqs: 1 });
      expect(await on.queues('decode-0')).toMatchObject({ decode_transfer_queue_reqs: 1 });
      await on.at(36);
      await good('mini_lb');
    },
  );
  action('waiting_timeout', 'makes decode give up sooner', 'timeline: [[1, waiting_timeout, 10], [1, boot.dead, prefill-0]]', async () => {
    await on.at(2);
    await on.at(18);
    await silent('mini_lb', 20);
    expect(await on.value('decode-0', 'num_transfer_failed_reqs_total')).toBe(1);
  });
  action('prefill.reject', 'refuses long prompts', 'timeline: [[1, prefill.reject, 100]]', async () => {
    await on.at(2);
    const long = { messages: [{ role: 'user', content: '[[500 tokens]]' }], bootstrap_host: '2.2.2.2', bootstrap_room: 0 };
    expect(await on.chat('prefill-0', long).over).toMatchObject({ status: 400 });
    await good('mini_lb');
  });
  action(
    'pair.delete',
    'makes the pair refuse and leaves the list of a router without ghosts',
    'stack: { pairs: 2 }\ntimeline: [[1, pair.delete, 1]]',
    async () => {
      await on.at(2);
      expect((await on.get('decode-1', '/health')).broke).toBe('ECONNREFUSED');
      expect(JSON.parse((await on.get('router', '/workers')).text).total).toBe(2);
      for (let i = 0; i < 4; i++) await good('mini_lb');
    },
  );
});

describe('processes', () => {
  action('proc.kill', 'makes the port refuse', 'timeline: [[1, proc.kill, prefill]]', async () => {
    await on.at(2);
    expect((await on.get('prefill-0', '/metrics')).broke).toBe('ECONNREFUSED');
  });
  action(
    'proc.restart',
    'is down, then warm with health 503, then well with counters at zero',
    'timeline: [[8, proc.restart, { role: decode, down: 10, warm: 15 }]]',
    async () => {
      await good('mini_lb');
      expect(await on.value('decode-0', 'realtime_tokens_total')).toBeGreaterThan(0);
      await on.at(12);
      expect((await on.get('decode-0', '/health')).broke).toBe('ECONNREFUSED');
      await on.at(22);
      expect((await on.get('decode-0', '/health')).status).toBe(503);
      expect(await on.value('decode-0', 'realtime_tokens_total')).toBeUndefined();
      await on.at(36);
      expect((await on.get('decode-0', '/health')).status).toBe(200);
    },
  );
  action('proc.mute', 'accepts and never answers; prefill’s bootstrap queue grows', 'timeline: [[1, proc.mute, decode]]', async () => {
    await on.at(2);
    const page = spectate(`${on.url('decode-0')}/metrics`);
    await silent('router', 10);
    expect(page.seen).toMatchObject({ text: '', headers: {} });
    expect(page.seen.broke).toBeUndefined();
    expect(await on.queues('prefill-0')).toMatchObject({ prefill_bootstrap_queue_reqs: 1 });
    page.leave();
  });
  action('proc.unmute', 'answers what waits', 'timeline: [[1, proc.mute, decode], [10, proc.unmute, decode]]', async () => {
    await on.at(2);
    expect((await on.get('decode-0', '/v1/models')).status).toBe(200);
    expect(on.simulation.seconds()).toBeGreaterThan(9);
  });
});

describe('front-ends', () => {
  action('fe.hang', 'forwards nothing and says it is well', 'timeline: [[1, fe.hang, router]]', async () => {
    await on.at(2);
    await silent('router', 10);
    expect(await chats('prefill-0')).toBe(0);
    expect((await on.get('router', '/health')).text).toBe('OK');
    await good('mini_lb');
  });
  action('fe.oneleg', 'sends decode alone, and shows the prefill’s breaker half-open', 'timeline: [[1, fe.oneleg, router, decode]]', async () => {
    await on.at(2);
    await silent('router', 10);
    expect([await chats('prefill-0'), await chats('decode-0')]).toEqual([0, 1]);
    expect(await on.queues('decode-0')).toMatchObject({ decode_transfer_queue_reqs: 1 });
    const metrics = on.simulation.targets.find((one) => one.known === 'router')?.metricsUrl ?? '';
    expect((await spectate(metrics).over).text).toContain(`smg_worker_cb_state{worker="${on.url('prefill-0')}"} 2`);
    await good('mini_lb');
  });
  action(
    'fe.ghost',
    'lets k of n hang until the connect gives up, and lists an address nobody has',
    'stack: { pairs: 2 }\ntimeline: [[1, pair.delete, 1], [1, fe.ghost, { fe: router, k: 1, n: 3, connect_wait: 20 }]]',
    async () => {
      await on.at(2);
      const seen = await Promise.all([0, 1, 2].map(() => on.chat('router').over));
      expect(seen.map((one) => one.status).sort()).toEqual([200, 200, 503]);
      expect(on.simulation.seconds()).toBeGreaterThan(20);
      expect((await on.get('router', '/workers')).text).toContain('http://192.0.2.10:30000');
    },
  );
  action('fe.shed', 'refuses its share at once', 'timeline: [[1, fe.shed, { fe: router, status: 429, share: 0.5 }]]', async () => {
    await on.at(2);
    const seen = await Promise.all(Array.from({ length: 20 }, () => on.chat('router').over));
    const refused = seen.filter((one) => one.status === 429);
    expect(refused.length).toBeGreaterThan(2);
    expect(refused.length).toBeLessThan(18);
    await good('mini_lb');
  });
  action('fe.slots_leak', 'lets so many through and then none', 'timeline: [[1, fe.slots_leak, { fe: router, slots: 2 }]]', async () => {
    await on.at(2);
    await good('router');
    await good('router');
    await silent('router', 10);
  });
  action('fe.buffer', 'gives the stream in one burst at its end', 'timeline: [[1, fe.buffer, mini_lb]]', async () => {
    await on.at(2);
    const client = on.chat('mini_lb', { max_tokens: 200 });
    await client.headers;
    await on.at(5);
    expect(client.seen.text).toBe('');
    expect((await client.over).text).toContain('[DONE]');
  });
  action('fe.ping', 'carries comment lines while nothing comes', 'timeline: [[1, fe.ping, mini_lb, 2], [1, sched.freeze, decode]]', async () => {
    await on.at(2);
    const client = on.chat('mini_lb');
    await client.until(': ping\n\n: ping\n\n');
    expect(client.seen.text).not.toContain('data:');
    client.leave();
  });
  action('fe.models', 'changes what is advertised', 'timeline: [[1, fe.models, router, [a, b]], [1, fe.models, mini_lb, c]]', async () => {
    await on.at(2);
    expect((await on.get('router', '/v1/models')).text).toMatch(/"id":"a".*"id":"b"/);
    expect((await on.get('mini_lb', '/v1/models')).text).toContain('"id":"c"');
  });
  action('fe.unknown_model', 'refuses a name that is not advertised', 'stack: { model: m }\ntimeline: [[1, fe.unknown_model, router, 404]]', async () => {
    await on.at(2);
    await good('router');
    expect(await on.chat('router', { model: 'other' }).over).toMatchObject({ status: 404, text: expect.stringContaining('Available models: m') });
    await good('mini_lb', { model: 'other' });
  });
  action('fe.key', 'wants a key for chats and workers, not for health and models', 'timeline: [[1, fe.key, router]]', async () => {
    await on.at(2);
    expect(await on.chat('router').over).toMatchObject({ status: 401, text: '' });
    expect((await on.get('router', '/workers')).status).toBe(401);
    for (const path of ['/health', '/readiness', '/v1/models', '/get_model_info']) expect((await on.get('router', path)).status).toBe(200);
  });
  action('conn.reset_once', 'breaks one chat and no other', 'timeline: [[1, conn.reset_once, router]]', async () => {
    await on.at(2);
    expect((await on.chat('router').over).broke).toBe('ECONNRESET');
    await good('router');
  });
  action('reply.drop', 'loses an answer whose work was done', 'timeline: [[1, reply.drop, { share: 1, fe: router, times: 1 }]]', async () => {
    await on.at(2);
    await silent('router', 10);
    expect(await on.value('decode-0', 'num_requests_total')).toBe(1);
    await good('router');
  });
});

describe('answers', () => {
  action('stream.role_first', 'sends a role chunk before anything is known', 'timeline: [[1, stream.role_first], [1, sched.freeze, prefill]]', async () => {
    await on.at(2);
    for (const part of ['router', 'mini_lb']) {
      const client = on.chat(part);
      await client.until('"role":"assistant"');
      await on.at(on.simulation.seconds() + 5);
      expect(client.seen.text.match(/data:/g)).toHaveLength(1);
      client.leave();
    }
  });
  action('stream.stop_after', 'leaves streams open after so many tokens', 'timeline: [[1, stream.stop_after, 3]]', async () => {
    await on.at(2);
    const client = on.chat('mini_lb', { max_tokens: 50 });
    await client.until('three');
    await on.at(on.simulation.seconds() + 10);
    expect(client.seen.ended).toBe(false);
    expect(client.seen.text).not.toContain('four');
    client.leave();
  });
  action('stream.reasoning_only', 'has reasoning and no content', 'timeline: [[1, stream.reasoning_only]]', async () => {
    await on.at(2);
    const { text } = await on.chat('router').over;
    expect(text).toContain('"reasoning_content":" one"');
    expect(text).not.toMatch(/"content":" /);
    expect(JSON.parse((await on.chat('mini_lb', { stream: false }).over).text).choices[0].message).toMatchObject({
      content: null,
      reasoning_content: expect.stringContaining('one'),
    });
  });
  action('stream.empty', 'ends with [DONE] and no token', 'timeline: [[1, stream.empty]]', async () => {
    await on.at(2);
    expect((await on.chat('mini_lb').over).text).toBe('data: [DONE]\n\n');
  });
  action(
    'stream.error_in_200',
    'at second 0 tells a worker’s error inside mini_lb’s 200',
    'traits: [[0, stream.error_in_200, 500]]\ntimeline: [[6, http.status, prefill-0, /v1/chat/completions, 500]]',
    async () => {
      await good('mini_lb');
      await on.at(8);
      expect(await on.chat('mini_lb').over).toMatchObject({ status: 200, ended: true, text: expect.stringMatching(/^data: \{"error".*"code":500/) });
    },
  );
  action(
    'http.status',
    'lays a status over one path, for a while',
    'timeline: [[1, http.status, { part: router, path: /v1/models, code: 500, for: 10 }]]',
    async () => {
      await on.at(2);
      expect((await on.get('router', '/v1/models')).status).toBe(500);
      expect((await on.get('router', '/health')).status).toBe(200);
      await on.at(13);
      expect((await on.get('router', '/v1/models')).status).toBe(200);
    },
  );
  action('http.slow', 'delays one path, so many times', 'timeline: [[1, http.slow, { part: mini_lb, path: /health, seconds: 15, times: 1 }]]', async () => {
    await on.at(2);
    await on.get('mini_lb', '/health');
    const late = on.simulation.seconds();
    expect(late).toBeGreaterThan(16);
    await on.get('mini_lb', '/health');
    expect(on.simulation.seconds() - late).toBeLessThan(8);
  });
  action('metrics.off', 'takes the page away', 'timeline: [[1, metrics.off, decode-0]]', async () => {
    await on.at(2);
    expect((await on.get('decode-0', '/metrics')).status).toBe(404);
  });
  action(
    'metrics.rename',
    'spells names otherwise',
    'timeline: [[1, metrics.rename, prefill-0, underscore], [1, metrics.rename, decode-0, prealloc]]',
    async () => {
      await on.at(2);
      expect(await on.page('prefill-0')).toMatch(/^sglang_num_prefill_bootstrap_queue_reqs\{/m);
      expect(await on.page('decode-0')).toMatch(/^sglang:num_prefill_prealloc_queue_reqs\{/m);
    },
  );
});

describe('the dashboard’s own troubles', () => {
  it('are announced to listeners and do nothing to the stack', async () => {
    on = await stage('timeline: [[1, dash.pause, 25], [2, dash.clock, -3600], [3, dash.net, { down: 10, targets: [router] }], [4, dash.model, router, x]]');
    const told: string[] = [];
    on.simulation.on((change) => told.push(change.text));
    await on.at(6);
    expect(told.slice(-4)).toEqual(['dash.pause seconds=25', 'dash.clock delta=-3600', 'dash.net down=10, targets=["router"]', 'dash.model fe=router, id=x']);
    await good('router');
  });
});

it('leaves no action of the vocabulary untested', () => {
  expect(Object.keys(ACTIONS).filter((name) => !name.startsWith('dash.') && name !== 'exec' && !tested.has(name as ActionName))).toEqual([]);
});
