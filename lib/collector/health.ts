import { dialectOf } from '@/lib/dialects/recognise';
import type { ProbeResult } from '@/lib/model/probe';
import { isFrontEnd } from '@/lib/model/target';
import { probes } from '@/lib/probes';
import { type Asked, put } from './ask';
import { type Context, quietOf, randomHex, type Watched } from './context';

/** A front-end answers its health by itself; slower than this is told as slow, and we go on listening. */
const FRONT_END_DEADLINE_MS = 5_000;
const PATIENCE_MS = 5_000;
/** An engine's own check answers within 1-2 s when its scheduler turns: longer waiting is news. */
const WAITING_MS = 4_000;
/** A control call's answer within this makes an engine's health pass. */
const APART_MS = 1_000;

export function healthEveryMs(context: Context, watched: Watched): number {
  return isFrontEnd(watched.target) ? context.config.scrape.frontEndHealthMs : context.config.scrape.engineHealthMs;
}

/** Health paths in the dialect's order; the last one told is the plainest claim and the one that load balancers believe. */
export function healthPaths(watched: Watched): string[] {
  if (watched.target.kind === 'dummy') return ['/health'];
  return dialectOf(watched.target.kind)?.health.map((health) => health.path) ?? [];
}

/** Ask each health path once, one after the other. */
export async function healthTurn(context: Context, watched: Watched): Promise<void> {
  for (const path of healthPaths(watched)) {
    if (context.signal.aborted) return;
    await askHealth(context, watched, path);
  }
}

async function askHealth(context: Context, watched: Watched, path: string): Promise<void> {
  const { clock, config, signal } = context;
  const quiet = quietOf(context, watched.stack);
  const isEngine = !isFrontEnd(watched.target);
  if (isEngine) await clock.sleep(quiet.controlAt + APART_MS - clock.monotonic(), signal);
  if (signal.aborted) return;
  const deadlineMs = isEngine ? config.scrape.engineHealthDeadlineMs : FRONT_END_DEADLINE_MS;
  const id = `h-${randomHex()}`;
  const sentMono = clock.monotonic();
  const tell = () => context.ports.observe({ kind: 'probe', at: clock.now(), result: resultOf(asked) });
  const asked = put(context, watched, {
    probe: probes.health,
    url: watched.target.url + path,
    deadlineMs,
    capMs: deadlineMs + (isEngine ? PATIENCE_MS : 20_000),
    onLate: tell,
  });
  if (isEngine) {
    quiet.healthOut += 1;
    watched.healthSentAt = sentMono;
  }
  const stopWaiting = isEngine ? clock.after(WAITING_MS, () => !asked.live.read().ended && tell()) : undefined;
  try {
    await asked.live.ended;
  } finally {
    stopWaiting?.();
    if (isEngine) quiet.healthOut -= 1;
    watched.healthSentAt = undefined;
  }
  const isCaughtUp = asked.judge();
  // told already when it fell silent; the cap adds nothing new
  if (!(isCaughtUp.late && isCaughtUp.exchange.failure === 'cap') || isEngine) tell();

  function resultOf(of: Asked): ProbeResult {
    const { exchange, late, outcome, sentence } = of.judge();
    return {
      id,
      target: watched.target.id,
      probe: 'health',
      proves: probes.health.proves,
      purpose: 'steady',
      path,
      outcome,
      late,
      sentence,
      sentAt: exchange.at,
      deadlineMs,
      deadlineFrom: 'configured',
      exchange,
      lagMs: context.lag.worstSince(sentMono),
      curl: of.curl,
    };
  }
}
