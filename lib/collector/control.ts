import { probes } from '@/lib/probes';
import { put } from './ask';
import { type Context, quietOf, type Watched } from './context';

const TIMEOUT_MS = 4_000;
/** mini_lb's own limit is 300 s per worker; a call that is still out after this has been forgotten by everybody. */
const PATIENCE_MS = 1_800_000;
const HEALTH_WAIT_MS = 27_000;

export type ControlAnswer = { status?: number; contentType?: string; body?: string; failure?: string; tookMs: number };

/**
 * A question that the scheduler answers: one at a time per target, never while a health poll of the stack is out (its answer would make
 * that poll pass, SGLang's sources; `at once` is for a caller that knows of none out on this very engine), and after a time-out not again until it returned or the connection broke. `onReturn` hears a late answer.
 */
export async function askControl(
  context: Context,
  watched: Watched,
  path: string,
  onReturn?: (answer: ControlAnswer) => void,
  urgency: 'when quiet' | 'at once' = 'when quiet',
): Promise<ControlAnswer | undefined> {
  if (watched.control !== undefined) return undefined;
  const { clock, signal } = context;
  const quiet = quietOf(context, watched.stack);
  const control = { path, sentAt: clock.monotonic(), isLate: false };
  watched.control = control;
  const giveUp = clock.monotonic() + HEALTH_WAIT_MS;
  while (urgency === 'when quiet' && quiet.healthOut > 0 && clock.monotonic() < giveUp && !signal.aborted) await clock.sleep(100, signal);
  if (signal.aborted) {
    watched.control = undefined;
    return undefined;
  }
  control.sentAt = clock.monotonic();
  quiet.controlAt = control.sentAt;
  try {
    return await answered(context, watched, control, onReturn);
  } catch (error) {
    // nothing was sent: a key or a certificate could not be read
    watched.control = undefined;
    throw error;
  }
}

function answered(
  context: Context,
  watched: Watched,
  control: NonNullable<Watched['control']>,
  onReturn: ((answer: ControlAnswer) => void) | undefined,
): Promise<ControlAnswer> {
  const { clock } = context;
  const quiet = quietOf(context, watched.stack);
  return new Promise((resolve) => {
    const asked = put(context, watched, {
      probe: probes.models,
      url: watched.target.url + control.path,
      deadlineMs: TIMEOUT_MS,
      capMs: PATIENCE_MS,
      byteCap: 4 * 1024 * 1024,
      onLate() {
        control.isLate = true;
        resolve({ failure: `no answer after ${TIMEOUT_MS / 1_000} s`, tookMs: TIMEOUT_MS });
      },
    });
    void asked.live.ended.then(() => {
      watched.control = undefined;
      quiet.controlAt = clock.monotonic();
      const { exchange, outcome, sentence } = asked.judge();
      const answer: ControlAnswer = {
        ...(exchange.status === undefined ? {} : { status: exchange.status }),
        ...(exchange.headers['content-type'] === undefined ? {} : { contentType: exchange.headers['content-type'] }),
        ...(outcome === 'ok' ? { body: asked.body() } : { failure: sentence }),
        tookMs: exchange.elapsedMs,
      };
      resolve(answer);
      if (control.isLate) onReturn?.(answer);
    });
  });
}
