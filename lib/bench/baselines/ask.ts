import { request } from 'node:http';
import type { SimClock } from '@/lib/simulator/clock';

/** What is asked, and for how many told seconds; `until: 'first byte'` is content with the first byte of a body. */
export type Ask = { url: string; body?: string; seconds: number; until: 'end' | 'first byte' };

/** The status, or undefined when it did not come to that in time. A body that has begun in time is read to its end, but no longer than `READ_ON_S`. */
export function ask(clock: SimClock, { url, body, seconds, until }: Ask): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const req = request(url, { method: body === undefined ? 'GET' : 'POST', agent: false, headers });
    const stops = [clock.after(seconds, () => end(undefined))];
    let isOver = false;
    function end(status: number | undefined) {
      if (isOver) return;
      isOver = true;
      if (status === undefined) req.destroy();
      else if (until === 'first byte') stops.push(clock.after(READ_ON_S, () => req.destroy()));
      resolve(status);
    }
    req.on('error', () => end(undefined));
    req.on('close', () => {
      end(undefined);
      for (const stop of stops) stop();
    });
    req.on('response', (res) => {
      res.on('error', () => end(undefined));
      res.on('data', () => until === 'first byte' && end(res.statusCode));
      res.on('end', () => end(res.statusCode));
    });
    req.end(body);
  });
}

const READ_ON_S = 60;

/** A short chat as such checks post it. */
export function chatText(model: string, stream: boolean): string {
  return JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 6, stream, temperature: 0 });
}
