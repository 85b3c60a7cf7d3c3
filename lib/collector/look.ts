import { dialectOf } from '@/lib/dialects/recognise';
import { isFrontEnd } from '@/lib/model/target';
import { parsed } from './ask';
import type { Context, Watched } from './context';
import { askControl, type ControlAnswer } from './control';
import { LOADS_PATH, loadsTurn, scrapeTurn } from './scrape';

/** A suspicion lasts; its looks are this far apart. */
const APART_MS = 15_000;

/** Read an engine's pages out of turn. Where only the scheduler can tell its queues, ask it once: its silence is the answer too. */
export async function look(context: Context, watched: Watched): Promise<void> {
  const now = context.clock.monotonic();
  if (isFrontEnd(watched.target) || now - (watched.lookedAt ?? Number.NEGATIVE_INFINITY) < APART_MS) return;
  watched.lookedAt = now;
  await Promise.all([scrapeTurn(context, watched), watched.loads === 'polled' ? loadsTurn(context, watched) : askScheduler(context, watched)]);
}

async function askScheduler(context: Context, watched: Watched): Promise<void> {
  const dialect = dialectOf(watched.target.kind);
  // a health poll that is out would be made to pass by the answer, and tells the same by its silence
  if (dialect?.asked === undefined || watched.loads !== 'asking' || watched.healthSentAt !== undefined) return;
  const answer = await askControl(context, watched, LOADS_PATH, (late) => tell(context, watched, late), 'at once');
  if (answer !== undefined) tell(context, watched, answer);
}

function tell(context: Context, watched: Watched, answer: ControlAnswer): void {
  const isMissing = answer.status !== undefined && answer.status !== 200;
  const samples = answer.body === undefined ? [] : (dialectOf(watched.target.kind)?.asked?.(parsed(answer.body)) ?? []);
  context.ports.observe({
    kind: 'scrape',
    at: context.clock.now(),
    target: watched.target.id,
    source: 'loads',
    outcome: answer.body !== undefined ? 'ok' : isMissing ? 'not-exported' : 'timeout',
    tookMs: answer.tookMs,
    samples,
    ...(answer.failure === undefined ? {} : { detail: answer.failure }),
  });
}
