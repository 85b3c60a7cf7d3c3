import type { Ranked } from '@/lib/model/hypothesis';
import type { Effect, Event, Incident } from '@/lib/model/incident';
import type { TargetId } from '@/lib/model/target';
import type { Judgement, Verdict } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';

const OPENS: ReadonlySet<Verdict> = new Set(['hanging', 'down', 'misconfigured']);
const CLOSE_AFTER_MS = 15_000;
const REOPEN_MS = 60_000;

/** What is remembered of a stack's incidents. */
export type IncidentLife = { open?: Incident; calmSince?: number; last?: Incident };

type MakeEvent = (at: number, stack: string, kind: Event['kind'], sentence: string, rest?: Partial<Event>) => Effect;

/** One wedge, one incident: opened by an alarm, closed after 15 s without one, reopened by a relapse within 60 s. */
export function stepIncident(
  memory: IncidentLife,
  window: Window,
  judgement: Judgement,
  fronts: readonly { id: TargetId; judgement?: Judgement }[],
  sentence: () => string,
  top: () => Ranked | undefined,
  event: MakeEvent,
): Effect[] {
  const { at, stack } = window;
  if (!OPENS.has(judgement.verdict)) return calm(memory, at, stack, event);
  memory.calmSince = undefined;
  const affected = fronts
    .filter((f) => f.judgement && OPENS.has(f.judgement.verdict))
    .sort((a, b) => (a.judgement?.since ?? 0) - (b.judgement?.since ?? 0))
    .map((f) => f.id);
  const first = top();
  const body = {
    verdict: judgement.verdict,
    place: judgement.place,
    sentence: sentence(),
    ...(first ? { top: { id: first.id, claim: first.claim, probability: first.probability } } : {}),
  };
  if (memory.open) {
    const targets = [...memory.open.targets, ...affected.filter((id) => !memory.open?.targets.includes(id))];
    const changed =
      memory.open.verdict !== body.verdict ||
      memory.open.place?.kind !== body.place?.kind ||
      memory.open.place?.target !== body.place?.target ||
      targets.length !== memory.open.targets.length;
    memory.open = { ...memory.open, ...body, targets };
    return changed
      ? [{ kind: 'incident', change: 'updated', incident: memory.open }, event(at, stack, 'incident-updated', body.sentence, { incident: memory.open.id })]
      : [];
  }
  const again = memory.last?.closedAt !== undefined && at - memory.last.closedAt < REOPEN_MS ? memory.last : undefined;
  const { closedAt: _, ...reopened } = again ?? { closedAt: undefined };
  memory.open = {
    id: `${stack}-${judgement.since.toString(36)}`,
    stack,
    openedAt: judgement.since,
    ...body,
    targets: affected,
    ...('id' in reopened ? { id: reopened.id, openedAt: reopened.openedAt } : {}),
  };
  return [{ kind: 'incident', change: 'opened', incident: memory.open }, event(at, stack, 'incident-opened', body.sentence, { incident: memory.open.id })];
}

function calm(memory: IncidentLife, at: number, stack: string, event: MakeEvent): Effect[] {
  if (!memory.open) return [];
  memory.calmSince ??= at;
  if (at - memory.calmSince < CLOSE_AFTER_MS) return [];
  const closed = { ...memory.open, closedAt: memory.calmSince };
  memory.last = closed;
  memory.open = undefined;
  memory.calmSince = undefined;
  return [
    { kind: 'incident', change: 'closed', incident: closed },
    event(at, stack, 'incident-closed', `cleared after ${Math.round((closed.closedAt - closed.openedAt) / 1000)} s: ${closed.sentence}`, {
      incident: closed.id,
    }),
  ];
}
