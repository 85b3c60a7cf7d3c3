import { duration, elapsed } from '@/lib/format';
import type { Outcome } from '@/lib/model/probe';
import type { ProbeDot } from '@/lib/model/snapshot';
import type { Verdict } from '@/lib/model/verdict';

/** What of a probe its look and its words are made of. */
export type Finding = Pick<ProbeDot, 'outcome' | 'late' | 'status'>;

/** How a probe looks in the strip: a verdict's shape, or still waiting inside its deadline. */
export function lookOf({ outcome, late, status }: Finding): Verdict | 'pending' {
  switch (outcome) {
    case 'ok':
      return late ? 'degraded' : 'ok';
    case 'pending':
      return 'pending';
    case 'zero-bytes':
    case 'headers-only':
    case 'role-only':
    case 'stalled':
      return late ? 'hanging' : 'pending';
    case 'rejected':
      return lookOfStatus(status);
    case 'redirected':
    case 'dns':
    case 'tls':
      return 'misconfigured';
    case 'cap':
      return 'hanging';
    case 'closed-by-us':
      return 'unknown';
    default:
      return 'down';
  }
}

/** What was refused for the moment is shed and wears the triangle, as in the detector; a refusal that a setting explains wears the wrench. */
function lookOfStatus(status: number | undefined): Verdict {
  if (status === undefined) return 'down';
  if (SHED.has(status)) return 'degraded';
  return status >= 400 && status < 500 ? 'misconfigured' : 'down';
}

const SHED: ReadonlySet<number> = new Set([408, 429, 503]);

/** One probe in a few words: "answers, 137 ms", "zero bytes, 34 s", "429, turned away for now". */
export function dotWords(dot: Finding & Age & Pick<ProbeDot, 'ttftMs'>, now: number): string {
  if (dot.outcome === 'ok') return `${dot.late ? 'late answer' : 'answers'}, ${duration(dot.ttftMs ?? dot.elapsedMs)}`;
  if (dot.outcome === 'pending') return `waiting, ${elapsed(ageOf(dot, now))}`;
  const words = outcomeWords(dot);
  return dot.late && !dot.ended ? `${words}, ${elapsed(ageOf(dot, now))}` : words;
}

type Age = Pick<ProbeDot, 'at' | 'elapsedMs' | 'ended'>;

/** How long a probe took or has been out so far: it is told only when its verdict falls and when it ends, and an open one grows older in between. */
export function ageOf({ at, elapsedMs, ended }: Age, now: number): number {
  return ended ? elapsedMs : Math.max(elapsedMs, now - at);
}

/** What came of a probe; a refusal says by which code and what that code claims. */
export function outcomeWords({ outcome, status }: Pick<ProbeDot, 'outcome' | 'status'>): string {
  if (outcome !== 'rejected' || status === undefined) return OUTCOME_WORDS[outcome];
  return `${status}, ${STATUS_WORDS[status] ?? (status >= 500 ? 'it failed' : 'rejected')}`;
}

const STATUS_WORDS: Record<number, string> = {
  401: 'key refused',
  403: 'not allowed',
  404: 'not known there',
  408: 'turned away for now',
  429: 'turned away for now',
  502: 'nobody behind it answers',
  503: 'turned away for now',
  504: 'it gave up waiting',
};

const OUTCOME_WORDS: Record<Outcome, string> = {
  ok: 'answers',
  pending: 'waiting',
  'zero-bytes': 'zero bytes',
  'headers-only': 'headers only',
  'role-only': 'role, no token',
  stalled: 'stalled mid-stream',
  'no-done': 'ended without [DONE]',
  'error-in-200': 'error inside a 200',
  'not-sse': 'not a stream',
  empty: 'empty answer',
  rejected: 'rejected',
  redirected: 'redirected away',
  dns: 'name not resolved',
  refused: 'connection refused',
  'connect-timeout': 'no connection',
  unreachable: 'unreachable',
  tls: 'TLS failed',
  reset: 'reset',
  protocol: 'broken HTTP',
  'too-big': 'answer too big',
  cap: 'silent to the cap',
  'closed-by-us': 'closed by us',
};
