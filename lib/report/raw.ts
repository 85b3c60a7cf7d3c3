import type { ProbeResult } from '@/lib/model/probe';

/** A probe's record as text: what was asked, what came, and when. */
export function rawOf({ curl, exchange, outcome, rid }: ProbeResult): string {
  const marks = Object.entries(exchange.marks).map(([mark, ms]) => `${mark} ${ms.toFixed(1)} ms`);
  const headers = Object.entries(exchange.headers).map(([name, value]) => `${name}: ${value}`);
  const came = `outcome ${outcome}, status ${exchange.status ?? 'none'}, ${exchange.bytes} bytes of body, ${exchange.socketBytes} on the socket`;
  return [curl, '', `${came}, request id ${rid ?? 'none'}`, marks.join(', '), ...headers, exchange.head].join('\n');
}
