import { beginExchange } from '@/lib/io/exchange';
import type { LoopState, SelfReport } from '@/lib/model/observation';
import { probes } from '@/lib/probes';
import { type Context, lookupOf, USER_AGENT } from './context';
import { startLoop } from './loop';

const EVERY_MS = 5_000;
const DEADLINE_MS = 3_000;

/** Asks the page that must always answer: when it does not, it is we who are blind. Without one configured it does nothing. */
export function startReference(context: Context): { last(): SelfReport['reference']; state(): LoopState | undefined; done: Promise<void> } {
  const url = context.config.reference;
  let last: SelfReport['reference'];
  if (url === undefined) return { last: () => undefined, state: () => undefined, done: Promise.resolve() };
  const spec = probes.reference.request({ url, headers: {}, rid: '', nonce: '', prompt: '', maxTokens: 0, stream: false, userAgent: USER_AGENT });
  const loop = startLoop({ name: 'reference', everyMs: () => EVERY_MS, firstAfterMs: 0, run: ask }, context.clock, context.signal);
  return { last: () => last, state: loop.state, done: loop.done };

  async function ask(): Promise<void> {
    const live = beginExchange(spec, { clock: context.clock, ...lookupOf(context), capMs: DEADLINE_MS, connectTimeoutMs: DEADLINE_MS, allow: () => true });
    context.live.add(live);
    const exchange = await live.ended;
    context.live.delete(live);
    if (context.signal.aborted) return;
    const { outcome, sentence } = probes.reference.judge(exchange, undefined, { late: exchange.failure === 'cap' });
    // an endless page has answered
    const ok = outcome === 'ok' || outcome === 'too-big';
    last = { ok, at: context.clock.now(), ...(ok ? {} : { detail: sentence }) };
  }
}
