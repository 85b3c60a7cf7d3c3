import { Agent, type ClientRequest, request } from 'node:http';
import type { SimClock } from './clock';
import type { Prng } from './prng';

/** Where users send chats: one front-end, as it is at this moment. */
export type Door = { url: string; model: string; key: string | undefined };

/** Traffic levels. */
export type Level = 'none' | 'light' | 'busy' | 'saturated';

type Leave = 'patience' | 'hand-over' | 'stream' | 'soon';

const PATIENCE_S = 150;
const MAX_LONG = 3;
/** Those who leave have asked for more than is made until the engine notices, some seconds after. */
const LEAVERS_TOKENS = 600;
const agent = new Agent({ keepAlive: false });

/** The users: real HTTP clients that come through the front-ends, wait, read and sometimes leave. */
export class Users {
  mix = { long: 0, tokens: 200_000, abort: 0 };
  private level: Level = 'none';
  private stopNext = () => {};
  private long = 0;
  private leavers = 0;
  private readonly open = new Set<ClientRequest>();

  constructor(
    private readonly clock: SimClock,
    private readonly dice: Prng,
    private readonly doors: () => Door[],
    /** Arrivals per second that the engines can just bear, with 200 tokens each. */
    private readonly capacity: () => number,
  ) {}

  setLevel(level: Level): void {
    this.level = level;
    this.stopNext();
    this.schedule();
  }

  now(): Level {
    return this.level;
  }

  burst(n: number): void {
    for (let i = 0; i < n; i++) this.chat('patience', 24);
  }

  abortStorm(n: number, seconds: number): void {
    for (let i = 0; i < n; i++) this.clock.after((seconds * i) / n, () => this.chat('soon', LEAVERS_TOKENS));
  }

  abortOne(during: 'hand-over' | 'stream'): void {
    this.chat(during, 64);
  }

  stop(): void {
    this.stopNext();
    for (const one of this.open) one.destroy();
  }

  /** Due times add up, so that a late timer does not thin the traffic out. Saturation arrives evenly: it must stay above capacity. */
  private schedule(due = this.clock.now()): void {
    const rate = { none: 0, light: 0.2, busy: 2, saturated: this.capacity() * 1.133 }[this.level];
    if (rate === 0) return;
    const next = due + (this.level === 'saturated' ? this.dice.between(0.5, 1.5) : -Math.log(1 - this.dice.next())) / rate;
    this.stopNext = this.clock.after(next - this.clock.now(), () => {
      this.schedule(next);
      const leave = this.isLeaver() ? 'soon' : 'patience';
      this.chat(leave, leave === 'soon' ? LEAVERS_TOKENS : this.level === 'saturated' ? 200 : 40 + this.dice.int(49));
    });
  }

  /** Every so-manieth user, not each with a chance: a share of 1 % is felt at the same second whatever the seed. */
  private isLeaver(): boolean {
    this.leavers += this.mix.abort;
    if (this.leavers < 1) return false;
    this.leavers -= 1;
    return true;
  }

  private chat(leave: Leave, maxTokens: number): void {
    const doors = this.doors();
    const door = doors[this.dice.int(doors.length)];
    if (door === undefined) return;
    const isLong = leave === 'patience' && this.dice.chance(this.mix.long);
    if (isLong && this.long >= MAX_LONG) return;
    const isStream = leave !== 'patience' || this.dice.chance(0.85);
    const content = isLong ? `[[${this.mix.tokens} tokens]]` : `user ${this.dice.hex(12)} asks for a story of some length, please, and goes on a little`;
    const body = JSON.stringify({
      model: door.model,
      messages: [{ role: 'user', content }],
      max_tokens: isLong ? 20 : maxTokens,
      stream: isStream,
      temperature: 0,
    });
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(door.key === undefined ? {} : { authorization: `Bearer ${door.key}` }),
    };
    const req = request(`${door.url}/v1/chat/completions`, { method: 'POST', headers, agent });
    this.open.add(req);
    if (isLong) this.long += 1;
    const leaveNow = () => req.destroy();
    const waits = { patience: isLong ? 900 : PATIENCE_S, 'hand-over': 0.05, soon: this.dice.between(0.3, 2.5), stream: PATIENCE_S };
    const stopWaiting = this.clock.after(waits[leave], leaveNow);
    req.on('response', (res) => {
      res.on('error', () => {});
      if (leave === 'stream') res.once('data', leaveNow);
      res.resume();
    });
    req.on('error', () => {});
    req.on('close', () => {
      stopWaiting();
      this.open.delete(req);
      if (isLong) this.long -= 1;
    });
    req.end(body);
  }
}
