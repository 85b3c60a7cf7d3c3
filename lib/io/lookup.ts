import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** As node's sockets take it. */
export type Lookup = LookupFunction;

type Answer = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
type Resolve = (name: string, options: { family: 0 | 4 | 6; hints: number; all: true }, answer: Answer) => void;
type Question = { name: string; family: 0 | 4 | 6; hints: number; callers: Answer[] };

/** A resolver that answers at all does so within this. */
const SLOW_MS = 1_000;
/** Names that were slow the last time may hold this many threads: libuv gives names half of its threads, 2 of 4 by default. */
const MOST_SLOW = 1;

/**
 * A lookup for all that we send. The system's holds a thread for as long as a resolver is silent, 10 s and more: two names without a
 * resolver made a third, healthy front-end look as if its own name did not resolve (seen). So each name is asked for once at a time, whoever
 * wants it, and names that were slow wait for each other. At the start, when nothing is known, `UV_THREADPOOL_SIZE` gives more room.
 */
export function sharedLookup(resolve: Resolve = systemLookup, now: () => number = () => performance.now()): Lookup {
  const open = new Map<string, Question>();
  const slow = new Set<string>();
  const queue: string[] = [];
  let slowOut = 0;

  return (name, options, callback) => {
    const family = options.family === 4 || options.family === 'IPv4' ? 4 : options.family === 6 || options.family === 'IPv6' ? 6 : 0;
    const hints = options.hints ?? 0;
    const key = `${name} ${family} ${hints}`;
    const answer: Answer = (error, addresses) => {
      const [first] = addresses;
      if (error !== null || first === undefined) callback(error ?? notFound(name), '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    const question = open.get(key);
    if (question !== undefined) return void question.callers.push(answer);
    open.set(key, { name, family, hints, callers: [answer] });
    if (!slow.has(key)) ask(key);
    else {
      queue.push(key);
      next();
    }
  };

  function next() {
    if (slowOut >= MOST_SLOW) return;
    const key = queue.shift();
    if (key === undefined) return;
    slowOut += 1;
    ask(key, () => {
      slowOut -= 1;
      next();
    });
  }

  function ask(key: string, done: () => void = () => {}) {
    const question = open.get(key);
    if (question === undefined) return done();
    const since = now();
    resolve(question.name, { family: question.family, hints: question.hints, all: true }, (error, addresses) => {
      open.delete(key);
      if (now() - since > SLOW_MS) slow.add(key);
      else slow.delete(key);
      done();
      for (const answer of question.callers) answer(error, error === null ? addresses : []);
    });
  }
}

function notFound(name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
}
