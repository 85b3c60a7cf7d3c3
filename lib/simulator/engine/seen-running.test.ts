import { afterEach, describe, expect, it } from 'vitest';
import { type Stage, stage } from '../stage';

/** What a real SGLang 0.5.23 pair did whose processes were stopped and killed. */
let on: Stage;
afterEach(() => on.stop());

describe('with decode’s scheduler stopped', () => {
  it('chats are silent through both front-ends and wait in prefill’s bootstrap queue, uncomputed; every health but decode’s is 200', async () => {
    on = await stage('timeline: [[5, sched.freeze, decode]]');
    await on.at(6);
    const computed = await on.value('prefill-0', 'prefill_compute');
    const page = await on.page('decode-0');
    const router = on.chat('router');
    const balancer = on.chat('mini_lb');
    expect((await balancer.headers).status).toBe(200);
    const [prefill, decode] = await Promise.all([on.get('prefill-0', '/health'), on.get('decode-0', '/health')]);
    expect([prefill.status, decode.status]).toEqual([200, 503]);
    expect((await on.get('router', '/health')).status).toBe(200);
    expect((await on.get('mini_lb', '/health')).status).toBe(200);
    expect((await on.get('router', '/readiness')).status).toBe(200);
    expect(router.seen).toMatchObject({ text: '', headers: {} });
    expect(balancer.seen).toMatchObject({ text: '', ended: false });
    expect(await on.queues('prefill-0')).toMatchObject({ prefill_bootstrap_queue_reqs: 2, prefill_inflight_queue_reqs: 0 });
    // One token for each health call (ours, and perhaps the gateway's), none for the chats.
    expect(((await on.value('prefill-0', 'prefill_compute')) ?? 0) - (computed ?? 0)).toBeLessThanOrEqual(2);
    expect(await on.value('decode-0', 'num_decode_transfer_queue_reqs')).toBe(0);
    for (const name of ['scheduler_process_cpu_seconds_total', 'scheduler_idle_seconds_total', 'scheduler_stage_seconds_total']) {
      const line = (text: string) => text.split('\n').filter((one) => one.startsWith(`sglang:${name}`));
      expect(line(await on.page('decode-0'))).toEqual(line(page));
    }
    expect(await on.value('decode-0', 'http_requests_active', 'chat')).toBe(2);
  });

  it('decode’s entry of /v1/loads ages and is answered at once, prefill’s stays fresh; its server_info hangs until the loop turns', async () => {
    on = await stage('timeline: [[5, sched.freeze, decode], [60, sched.thaw, decode]]');
    await on.at(6);
    let answeredAt = 0;
    const info = on.get('decode-0', '/server_info').then((seen) => {
      answeredAt = on.simulation.seconds();
      return seen;
    });
    await on.at(45);
    expect((await on.queues('decode-0')).age).toBeGreaterThan(35);
    expect((await on.queues('prefill-0')).age).toBeLessThan(2);
    const told = JSON.parse((await info).text);
    expect(answeredAt).toBeGreaterThanOrEqual(59);
    expect(told).toMatchObject({ disaggregation_mode: 'decode', dp_size: 1 });
    expect(told.api_key).toBeTruthy();
    expect(told.launch_command).toContain(told.api_key);
  });

  it('an asking build’s /v1/loads is silent as long', async () => {
    on = await stage('stack: { loads: ask }\ntimeline: [[5, sched.freeze, decode]]');
    const well = JSON.parse((await on.get('decode-0', '/v1/loads')).text);
    expect(well.loads[0].timestamp).toBeUndefined();
    await on.at(6);
    const { spectate } = await import('../spectator');
    const asked = spectate(`${on.url('decode-0')}/v1/loads`);
    await on.at(40);
    expect(asked.seen.status).toBeUndefined();
    asked.leave();
    expect((await on.get('prefill-0', '/v1/loads')).status).toBe(200);
  });

  it('prefill gives up after 300 s and no client learns of it, also not when the loop turns again; new chats through mini_lb are fine at once', async () => {
    on = await stage('timeline: [[5, sched.freeze, decode], [335, sched.thaw, decode]]', { timeScale: 80 });
    await on.at(7);
    const clients = [on.chat('router'), on.chat('mini_lb'), on.chat('router', { stream: false }), on.chat('mini_lb', { stream: false })];
    await on.at(320);
    expect(await on.value('prefill-0', 'num_bootstrap_failed_reqs_total')).toBeGreaterThanOrEqual(4);
    expect((await on.get('router', '/readiness')).status).toBe(503);
    expect((await on.chat('router').over).text).toContain('No available decode workers');
    await on.at(345);
    expect((await on.chat('mini_lb').over).text).toContain('[DONE]');
    expect(clients.slice(0, 2).map((one) => one.seen.ended)).toEqual([false, false]);
    expect(clients.map((one) => one.seen.text)).toEqual(['', '', '', '']);
    for (const one of clients) one.leave();
  });

  it('running streams fall silent, stay open and go on when it turns again', async () => {
    on = await stage('timeline: [[5, sched.freeze, decode], [60, sched.thaw, decode]]');
    await on.at(2);
    const client = on.chat('mini_lb', { max_tokens: 200 });
    await client.until('content');
    await on.at(7);
    const text = client.seen.text;
    await on.at(55);
    expect(client.seen).toMatchObject({ text, ended: false });
    expect((await client.over).text).toContain('[DONE]');
  });

  it('mini_lb’s health_generate says 200, late', async () => {
    on = await stage('timeline: [[5, sched.freeze, decode]]');
    await on.at(6);
    const before = on.simulation.seconds();
    expect((await on.get('mini_lb', '/health_generate')).status).toBe(200);
    expect(on.simulation.seconds() - before).toBeGreaterThan(18);
  });
});

describe('with prefill’s scheduler stopped', () => {
  it('chats wait in decode’s transfer queue, live in the loads; prefill’s page is frozen, decode’s loop turns but is not idle', async () => {
    on = await stage('timeline: [[5, sched.freeze, prefill]]');
    await on.at(6);
    const router = on.chat('router');
    const balancer = on.chat('mini_lb');
    await balancer.headers;
    const [prefill, decode] = await Promise.all([on.get('prefill-0', '/health'), on.get('decode-0', '/health')]);
    expect([prefill.status, decode.status]).toEqual([503, 200]);
    expect(await on.queues('decode-0')).toMatchObject({ decode_transfer_queue_reqs: 2, decode_prealloc_queue_reqs: 0 });
    expect((await on.queues('prefill-0')).age).toBeGreaterThan(15);
    expect([router.seen.text, balancer.seen.text]).toEqual(['', '']);
    const idle = await on.value('decode-0', 'scheduler_idle_seconds_total');
    const cpu = (await on.value('decode-0', 'scheduler_process_cpu_seconds_total')) ?? 0;
    await on.at(on.simulation.seconds() + 5);
    expect(await on.value('decode-0', 'scheduler_idle_seconds_total')).toBe(idle);
    expect(await on.value('decode-0', 'scheduler_process_cpu_seconds_total')).toBeGreaterThan(cpu);
    expect(await on.value('prefill-0', 'num_prefill_bootstrap_queue_reqs')).toBe(0);
    // The gauge of the growing queue is not rewritten while no batch runs.
    expect(await on.value('decode-0', 'num_decode_transfer_queue_reqs')).toBe(0);
  });

  it('decode gives up at 300 s, clients learn it only when prefill turns again: an error event in the 200, a 500 for a non-stream', async () => {
    on = await stage('timeline: [[5, sched.freeze, prefill], [335, sched.thaw, prefill]]', { timeScale: 60 });
    await on.at(7);
    const stream = on.chat('mini_lb', { rid: 'w-1' });
    const whole = on.chat('mini_lb', { stream: false });
    await on.at(325);
    expect(await on.value('decode-0', 'num_transfer_failed_reqs_total')).toBe(2);
    expect(stream.seen.text).toBe('');
    expect((await stream.over).text).toMatch(
      /^data: \{"error": ?\{"object":"error","message":"Decode transfer failed for request rank=0 .*timed out after 300\.0s/,
    );
    expect(await whole.over).toMatchObject({ status: 500 });
    expect(on.simulation.seconds()).toBeGreaterThan(330);
  });
});

describe('an engine that is not split', () => {
  it('is silent while its scheduler stands, and answers when it turns; its information endpoints answer in between', async () => {
    on = await stage('stack: { unified: 1 }\ntimeline: [[5, sched.freeze, unified], [65, sched.thaw, unified]]');
    await on.at(6);
    const client = on.chat('unified-0');
    for (const path of ['/v1/models', '/model_info', '/metrics', '/v1/loads']) expect((await on.get('unified-0', path)).status).toBe(200);
    expect((await on.get('unified-0', '/health')).status).toBe(503);
    expect(client.seen).toMatchObject({ text: '', headers: {} });
    expect((await client.over).text).toContain('[DONE]');
    expect(on.simulation.seconds()).toBeGreaterThan(64);
  });

  it('with a stopped detokenizer under load keeps health 200 and makes tokens that reach nobody', async () => {
    on = await stage('stack: { unified: 1 }\ntimeline: [[5, detok.freeze, unified]]');
    await on.at(6);
    const client = on.chat('unified-0', { max_tokens: 2000 });
    await on.at(9);
    const made = (await on.value('unified-0', 'realtime_tokens_total', 'decode')) ?? 0;
    expect((await on.get('unified-0', '/health')).status).toBe(200);
    expect(await on.value('unified-0', 'realtime_tokens_total', 'decode')).toBeGreaterThan(made);
    expect(await on.value('unified-0', 'generation_tokens_total')).toBeUndefined();
    expect(client.seen.text).toBe('');
    client.leave();
  });
});

describe('a dead process', () => {
  it('that only stands accepts connections and answers none', async () => {
    on = await stage('timeline: [[2, proc.mute, decode]]');
    await on.at(3);
    const { spectate } = await import('../spectator');
    const asked = ['/health', '/metrics', '/v1/models', '/v1/loads'].map((path) => spectate(on.url('decode-0') + path));
    await on.at(30);
    expect(asked.map((one) => [one.seen.status, one.seen.broke])).toEqual(asked.map(() => [undefined, undefined]));
    for (const one of asked) one.leave();
  });

  it('decode’s cuts running streams without [DONE]; then mini_lb gives 200 and a reset, the gateway hangs with readiness 200; whole again after the start', async () => {
    on = await stage('timeline: [[10, proc.restart, { role: decode, down: 40, warm: 2 }]]');
    await on.at(2);
    const running = [on.chat('router', { max_tokens: 400 }), on.chat('mini_lb', { max_tokens: 400 })];
    await Promise.all(running.map((one) => one.until('content')));
    for (const seen of await Promise.all(running.map((one) => one.over))) {
      expect(seen.text).toContain('content');
      expect(seen).toMatchObject({ ended: false });
      expect(seen.text).not.toContain('[DONE]');
    }
    const hung = on.chat('router');
    expect(await on.chat('mini_lb').over).toMatchObject({ status: 200, text: '', broke: 'ECONNRESET' });
    expect((await on.get('decode-0', '/health')).broke).toBe('ECONNREFUSED');
    expect((await on.get('prefill-0', '/health')).status).toBe(200);
    await on.at(40);
    expect(hung.seen).toMatchObject({ text: '', headers: {} });
    expect((await on.get('router', '/readiness')).status).toBe(200);
    await on.at(55);
    expect((await on.chat('mini_lb').over).text).toContain('[DONE]');
    expect((await on.chat('router').over).text).toContain('[DONE]');
    expect(await on.value('decode-0', 'num_requests_total')).toBeLessThan(4);
    hung.leave();
  });

  it('a killed scheduler makes HTTP mute at once and refuse after 7 s', async () => {
    on = await stage('timeline: [[3, proc.kill, { role: decode, what: scheduler }]]');
    await on.at(4);
    const { spectate } = await import('../spectator');
    const asked = spectate(`${on.url('decode-0')}/metrics`);
    await on.at(8);
    expect(asked.seen).toMatchObject({ text: '', headers: {} });
    await on.at(12);
    expect((await on.get('decode-0', '/metrics')).broke).toBe('ECONNREFUSED');
  });
});

describe('an engine’s answers', () => {
  it('to a direct chat are an error inside the 200; over the fake host it answers', async () => {
    on = await stage('traffic: none');
    for (const part of ['prefill-0', 'decode-0']) {
      expect(await on.chat(part).over).toMatchObject({
        status: 200,
        text: expect.stringMatching(/^data: \{"error".*without bootstrap room id.*\n\ndata: \[DONE\]\n\n$/),
      });
      expect((await on.chat(part, { stream: false }).over).status).toBe(400);
      const fake = await on.chat(part, { bootstrap_host: '2.2.2.2', bootstrap_room: 0 }).over;
      expect(fake.text).toMatch(/"role":"assistant","content":""[\s\S]*"content":" one"[\s\S]*"finish_reason":"length"[\s\S]*\[DONE\]/);
    }
  });

  it('echo any model name and the rid; health takes a second; unknown paths are 404', async () => {
    on = await stage('traffic: none');
    const seen = await on.chat('mini_lb', { model: 'nonsense', rid: 'mine', stream_options: { include_usage: true } }).over;
    expect(seen.text).toContain('"id":"mine"');
    expect(seen.text).toContain('"model":"nonsense"');
    expect(seen.text).toContain('"choices":[],"usage":{');
    const before = on.simulation.seconds();
    expect(await on.get('decode-0', '/health')).toMatchObject({ status: 200, text: '' });
    expect(on.simulation.seconds() - before).toBeGreaterThanOrEqual(0.9);
    for (const path of ['/get_load', '/liveness', '/readiness', '/workers', '/healthz']) expect((await on.get('decode-0', path)).status).toBe(404);
    expect((await on.get('decode-0', '/v1/models')).text).toContain('"owned_by":"sglang"');
  });

  it('/ready and /ping say 200 until a health probe has failed', async () => {
    on = await stage('timeline: [[2, sched.freeze, decode]]');
    await on.at(10);
    expect((await on.get('decode-0', '/ready')).status).toBe(200);
    expect((await on.get('decode-0', '/health')).status).toBe(503);
    expect((await on.get('decode-0', '/ready')).status).toBe(503);
    expect((await on.get('decode-0', '/ping')).status).toBe(503);
  });

  it('a client that leaves before the first token is counted 400 and as an abort', async () => {
    on = await stage('timeline: [[1, sched.freeze, prefill]]');
    await on.at(2);
    const client = on.chat('mini_lb');
    await client.headers;
    await on.at(4);
    client.leave();
    await on.at(12);
    expect(await on.value('decode-0', 'num_aborted_requests_total')).toBe(1);
    expect(await on.value('decode-0', 'http_responses_total', 'chat', '"400"')).toBe(1);
    expect(await on.value('decode-0', 'http_requests_active', 'chat')).toBe(0);
    expect((await on.queues('decode-0')).decode_transfer_queue_reqs).toBe(0);
  });

  it('each health call of a prefill rewrites its gauges and adds one compute token; decode’s does neither', async () => {
    on = await stage('traffic: none');
    await on.get('prefill-0', '/health');
    await on.get('decode-0', '/health');
    expect(await on.value('prefill-0', 'prefill_compute')).toBe(1);
    expect(await on.value('prefill-0', 'num_running_reqs')).toBe(1);
    expect(await on.value('prefill-0', 'num_prefill_inflight_queue_reqs')).toBe(1);
    expect(await on.value('decode-0', 'realtime_tokens_total')).toBeUndefined();
    expect(await on.value('decode-0', 'num_running_reqs')).toBe(0);
  });

  it('gauges keep a burst’s last values until the idle refresh 30 s later', async () => {
    on = await stage('timeline: [[1, burst, 24]]');
    await on.at(20);
    expect((await on.queues('decode-0')).running).toBe(0);
    expect(await on.value('prefill-0', 'num_running_reqs')).toBeGreaterThan(0);
    await on.at(70);
    expect(await on.value('prefill-0', 'num_running_reqs')).toBe(0);
  });

  it('merged at the gateway carry underscores and worker_addr', async () => {
    on = await stage('traffic: none');
    const { text } = await on.get('router', '/engine_metrics');
    expect(text).toContain(`worker_addr="${on.url('decode-0')}"`);
    expect(text).toMatch(/^sglang_num_running_reqs\{/m);
    expect(text).not.toMatch(/^sglang:/m);
  });
});
