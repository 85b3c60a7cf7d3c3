import type { Experiment, ExperimentTry } from '@/lib/model/experiment';
import type { Verdict } from '@/lib/model/verdict';
import { type Front, frontsOf } from './front';
import { isHang } from './shown';

/** What the matrix alone says of one front-end, in the detector's words. */
export type MatrixVerdict = { verdict: Verdict; because: string };

/** Verdict on a front-end by its own id; no counter is read for it. */
export function matrixVerdict(cells: Experiment['cells'], target: string): MatrixVerdict {
  const front = frontsOf(cells).find((each) => each.id === target);
  if (front === undefined || front.own === 'untried') return { verdict: 'unknown', because: 'no chat with its own id could be judged' };
  const hangs = front.real.filter(isHang);
  const because = hangs[0]?.sentence ?? front.failure?.sentence ?? 'its chats were answered';
  if (hangs.length > 0)
    return { verdict: hangs.length > 1 ? 'hanging' : 'degraded', because: hangs.length > 1 ? because : `${because}; a single chat is a suspicion` };
  if (front.own === 'answers')
    return front.real.every((one) => one.late) ? { verdict: 'degraded', because: 'answered past the deadline' } : { verdict: 'ok', because };
  return { verdict: front.own === 'mixed' ? 'degraded' : failed(front), because };
}

/** What the whole matrix adds to the verdict of its own id: hangs now and then, other ways of asking, other names; undefined when nothing. */
export function besides(cells: Experiment['cells'], target: string): MatrixVerdict | undefined {
  const front = frontsOf(cells).find((each) => each.id === target);
  if (front === undefined) return undefined;
  const hangs = front.samples.filter(isHang).length;
  const of = `${hangs} of ${front.samples.length} chats`;
  const verdict = hangs > 1 ? 'hanging' : 'degraded';
  if (front.isPatchy) return { verdict, because: `${of} got no answer${hangs > 1 ? '' : '; a single one is a suspicion'}` };
  if (front.own !== 'answers') return undefined;
  if (front.whole === 'hangs') return { verdict, because: `streams are answered, whole answers hang (${of})` };
  if (front.long === 'hangs') return { verdict, because: `short prompts are answered, long ones hang (${of})` };
  const [failure] = front.failedToo;
  if (failure !== undefined) return { verdict: 'degraded', because: `${front.failedToo.length} of ${front.samples.length} chats failed: ${failure.sentence}` };
  return hangs > 0 ? { verdict: 'degraded', because: 'a model id that it does not serve hangs instead of being refused' } : undefined;
}

function failed(front: Front): Verdict {
  const one: Partial<ExperimentTry> = front.failure ?? {};
  if (one.outcome === 'dns' || one.outcome === 'tls' || one.outcome === 'redirected') return 'misconfigured';
  if (one.outcome !== 'rejected') return 'down';
  const { status = 500 } = one;
  if (status === 408 || status === 429) return 'degraded';
  return status < 500 ? 'misconfigured' : 'down';
}
