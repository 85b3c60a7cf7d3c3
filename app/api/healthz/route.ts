import type { SelfView } from '@/lib/model/snapshot';
import { runtime } from '@/lib/runtime';
import { answer, handled } from '../answer';
import { toldNow } from '../now';
import { queryOf } from '../query';

export const dynamic = 'force-dynamic';

/** One frame a second is promised. */
const FRAME_LATE_MS = 5_000;
/** Beyond two periods, what one turn may take: the slowest waits 25 s for an engine's health and more on a busy machine. */
const TURN_MS = 60_000;

/** Whether *we* are collecting: the collector's own heart-beat and the last turn of each of its loops. That this answers proves nothing. */
export const GET = handled((request) => {
  queryOf(request, []);
  const now = Date.now();
  const told = toldNow(runtime());
  const { state, startedAt, lastFrameAt, restarts, lastError } = runtime().pulse();
  const snapshot = runtime().snapshot();
  const frameAgeMs = lastFrameAt === undefined ? null : now - lastFrameAt;
  const loops = (snapshot?.self.loops ?? []).map((loop) => lateness(loop, told, snapshot?.startedAt ?? told));
  const late = loops.filter((loop) => loop.late);
  const reasons = [
    state === 'running' ? '' : `the collector is ${state}`,
    frameAgeMs === null ? 'it has not spoken yet' : frameAgeMs > FRAME_LATE_MS ? `it has been silent for ${Math.round(frameAgeMs / 1_000)} s` : '',
    snapshot?.self.freshness === 'blind' ? snapshot.self.sentence : '',
    late.length === 0 ? '' : `late: ${late.map((loop) => [loop.name, loop.target].filter(Boolean).join(' of ')).join(', ')}`.slice(0, 300),
  ].filter(Boolean);
  const body = {
    collecting: reasons.length === 0,
    why: reasons.join('; ') || 'every loop is on time',
    state,
    startedAt,
    frameAgeMs,
    restarts,
    lastError: lastError?.slice(0, 300) ?? null,
    loops,
  };
  return answer(body, { status: body.collecting ? 200 : 503 });
});

function lateness(loop: SelfView['loops'][number], now: number, startedAt: number) {
  const ageMs = now - (loop.lastEnd ?? startedAt);
  return {
    name: loop.name,
    target: loop.target ?? null,
    everyMs: loop.everyMs,
    lastEnd: loop.lastEnd ?? null,
    ageMs,
    late: ageMs > 2 * loop.everyMs + TURN_MS,
    errors: loop.errors,
    lastError: loop.lastError ?? null,
  };
}
