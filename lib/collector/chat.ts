import { isFrontEnd, takesChats } from '@/lib/model/target';
import { ask, lost } from './budget';
import type { Context, Watched } from './context';
import { sendChat } from './probe';

/** How often a chat loop looks whether its moment has come. */
const LOOK_MS = 500;
const WANT_MS = 120_000;
/** Where the queues are long already, a steady chat is sent half as often. */
const CROWDED_TURNS = 2;
const CLOSING_MS = 100;

/** Whether this target is sent chats at all, now. */
export function isProbed(context: Context, watched: Watched): boolean {
  return context.config.probe.enabled && watched.target.probed && takesChats(watched.target);
}

export function isPaused(context: Context, watched: Watched): boolean {
  const { paused } = watched;
  if (paused === undefined) return false;
  if (paused.until !== undefined && paused.until <= context.clock.now()) watched.paused = undefined;
  return watched.paused !== undefined;
}

/** The id to ask with: the configured one, else the first that this front-end advertises, else an engine's; `default` only after its list was asked in vain. */
export function modelOf(context: Context, watched: Watched): string | undefined {
  const own = watched.target.model ?? watched.models?.ids[0];
  if (own !== undefined || watched.models === undefined) return own;
  return modelBehind(context, watched) ?? 'default';
}

/** Proxies that list no models pass the name on to their engines (vLLM's sources). */
function modelBehind(context: Context, frontEnd: Watched): string | undefined {
  if (!isFrontEnd(frontEnd.target)) return undefined;
  const engines = [...context.watched.values()].filter((one) => one.stack === frontEnd.stack && !isFrontEnd(one.target));
  const listed = new Set(frontEnd.listed?.map((worker) => worker.target));
  return (engines.find((one) => listed.has(one.target.id)) ?? engines[0])?.models?.ids[0];
}

/** One look: send the steady probe when it is due, or a wanted one at the first moment that the budget allows. */
export function chatTurn(context: Context, watched: Watched): () => Promise<void> {
  const { clock, config } = context;
  let due = clock.monotonic();
  return async () => {
    const now = clock.monotonic();
    for (const id of lost(watched.budget)) watched.runs.get(id)?.close('closed-by-us', true);
    dropStale(watched, now);
    if (context.isVisit || !isProbed(context, watched) || isPaused(context, watched) || watched.experiment !== undefined) return;
    const model = modelOf(context, watched);
    const purpose = watched.wanted?.purpose ?? (due <= now ? 'steady' : undefined);
    if (model === undefined || purpose === undefined) return;
    const permit = ask(watched.budget, now, purpose);
    if (!permit.ok) return;
    const hung = permit.close === undefined ? undefined : watched.runs.get(permit.close);
    if (hung !== undefined) {
      hung.close('closed-by-us');
      await hung.ended;
      // the server must see the old one go before the new one comes
      await clock.sleep(CLOSING_MS, context.signal);
      if (context.signal.aborted) return;
    }
    watched.wanted = undefined;
    const turns = context.ports.deadline(watched.target.id).isCrowded ? CROWDED_TURNS : 1;
    due = now + turns * config.probe.everyMs + Math.random() * config.probe.jitterMs;
    sendChat(context, watched, { purpose, model, closes: permit.close !== undefined });
  };
}

export const chatLookMs = LOOK_MS;

/** A wish is fulfilled by any probe sent after it, and forgotten after two minutes. */
function dropStale(watched: Watched, now: number): void {
  const { wanted, budget } = watched;
  if (wanted === undefined) return;
  if (now - wanted.at > WANT_MS || (budget.sentAt.at(-1) ?? Number.NEGATIVE_INFINITY) > wanted.at) watched.wanted = undefined;
}
