import type { ProbeResult } from '@/lib/model/probe';

/** Tokens come and none of the gaps is a stall, and yet the answer is not there when its first token was due at the latest. */
export function drips(p: ProbeResult): boolean {
  const tokens = p.reading?.tokens ?? 0;
  if (p.late || tokens === 0) return false;
  if (p.outcome === 'pending') return p.exchange.elapsedMs >= p.deadlineMs;
  return p.outcome === 'ok' && tokens <= (p.maxTokens ?? tokens) && tookMs(p) >= p.deadlineMs;
}

/** When the last token had come at the latest; a server that holds the connection open after it adds nothing. */
function tookMs({ reading, exchange }: ProbeResult): number {
  return reading === undefined ? 0 : Math.min(exchange.elapsedMs, (reading.ttftMs ?? 0) + (reading.tokens - 1) * reading.maxGapMs);
}
