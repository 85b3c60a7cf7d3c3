import type { Outcome } from '@/lib/model/probe';

const ALL: Record<Outcome, true> = {
  ok: true,
  pending: true,
  'zero-bytes': true,
  'headers-only': true,
  'role-only': true,
  stalled: true,
  'no-done': true,
  'error-in-200': true,
  'not-sse': true,
  empty: true,
  rejected: true,
  redirected: true,
  dns: true,
  refused: true,
  'connect-timeout': true,
  unreachable: true,
  tls: true,
  reset: true,
  protocol: true,
  'too-big': true,
  cap: true,
  'closed-by-us': true,
};

/** Every outcome; the compiler says when one is missing. */
export const OUTCOMES = Object.keys(ALL) as Outcome[];
