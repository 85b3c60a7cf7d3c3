import type { RequestSpec } from '@/lib/model/exchange';
import type { Clock } from './clock';
import { beginExchange } from './exchange';

/** How a delivery went; `why` is the last try's answer in words, without the URL, which may be secret. */
export type Delivery = { accepted: boolean; tries: number; status?: number; why: string };

/** Tries and time allowed; durations in told ms. */
export type DeliveryLimits = { tries: number; firstWaitMs: number; longestWaitMs: number; tryMs: number };

const LIMITS: DeliveryLimits = { tries: 8, firstWaitMs: 1_000, longestWaitMs: 120_000, tryMs: 10_000 };

/**
 * Send until it is accepted (2xx), with a wait that doubles, and at most `tries` times. A refusal that will not change (4xx but 408, 425
 * and 429) ends it at once. Never throws for the network; redirects are not followed.
 */
export async function deliver(spec: RequestSpec, clock: Clock, signal?: AbortSignal, limits: DeliveryLimits = LIMITS): Promise<Delivery> {
  let last: Delivery = { accepted: false, tries: 0, why: 'not sent' };
  for (let tries = 1; tries <= limits.tries && !signal?.aborted; tries++) {
    last = { ...(await once(spec, clock, limits.tryMs, signal)), tries };
    if (last.accepted || isFinal(last.status) || tries === limits.tries) break;
    await clock.sleep(Math.min(limits.longestWaitMs, limits.firstWaitMs * 2 ** (tries - 1)), signal);
  }
  return last;
}

async function once(spec: RequestSpec, clock: Clock, tryMs: number, signal: AbortSignal | undefined): Promise<Omit<Delivery, 'tries'>> {
  const exchange = beginExchange(spec, { clock, capMs: tryMs, byteCap: 64 * 1024, allow: () => true });
  const stop = () => exchange.close('closed-by-us');
  signal?.addEventListener('abort', stop, { once: true });
  const { status, failure, detail } = await exchange.ended;
  signal?.removeEventListener('abort', stop);
  if (status === undefined) return { accepted: false, why: `no answer (${failure ?? 'unknown'}${detail === undefined ? '' : `, ${detail}`})` };
  // Once the status is there the receiver has taken it, however its body ends.
  return { accepted: status >= 200 && status < 300, status, why: `answered ${status}` };
}

function isFinal(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 500 && ![408, 425, 429].includes(status);
}
