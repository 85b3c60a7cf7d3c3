import type { Ranked } from '@/lib/model/hypothesis';
import { alarmKey, type Effect, type Event, type Incident, type Shelf } from '@/lib/model/incident';
import type { TargetId } from '@/lib/model/target';
import type { Judgement, Verdict } from '@/lib/model/verdict';
import type { Window } from '@/lib/model/window';
import { expire, inherited } from './deeds';

const OPENS: ReadonlySet<Verdict> = new Set(['hanging', 'down', 'misconfigured']);
const CLOSE_AFTER_MS = 15_000;
const REOPEN_MS = 60_000;

/** What is remembered of a stack's incidents; `shelves` by the alarm that each silences, `widest` when most front-ends were affected. */
export type IncidentLife = {
  open?: Incident;
  calmSince?: number;
  last?: Incident;
  shelves?: Record<string, Shelf>;
  widest?: { fronts: number; sentence: string };
};

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
  const ended = expire(memory, at, event);
  if (!OPENS.has(judgement.verdict)) return [...ended, ...calm(memory, at, stack, event)];
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
  if (!memory.open || affected.length >= (memory.widest?.fronts ?? 0)) memory.widest = { fronts: affected.length, sentence: body.sentence };
  if (memory.open) {
    const targets = [...memory.open.targets, ...affected.filter((id) => !memory.open?.targets.includes(id))];
    const changed =
      memory.open.verdict !== body.verdict ||
      memory.open.place?.kind !== body.place?.kind ||
      memory.open.place?.target !== body.place?.target ||
      targets.length !== memory.open.targets.length;
    memory.open = { ...memory.open, ...body, targets };
    return changed
      ? [
          ...ended,
          { kind: 'incident', change: 'updated', incident: memory.open },
          event(at, stack, 'incident-updated', body.sentence, { incident: memory.open.id }),
        ]
      : ended;
  }
  const again = memory.last?.closedAt !== undefined && at - memory.last.closedAt < REOPEN_MS ? memory.last : undefined;
  const { id, openedAt, ack } = again ?? { id: `${stack}-${judgement.since.toString(36)}`, openedAt: judgement.since };
  memory.open = inherited(memory, { id, stack, openedAt, ...body, targets: affected, ...(ack ? { ack } : {}) }, at);
  return [{ kind: 'incident', change: 'opened', incident: memory.open }, event(at, stack, 'incident-opened', body.sentence, { incident: memory.open.id })];
}

function calm(memory: IncidentLife, at: number, stack: string, event: MakeEvent): Effect[] {
  if (!memory.open) return [];
  memory.calmSince ??= at;
  if (at - memory.calmSince < CLOSE_AFTER_MS) return [];
  // Front-ends heal one by one: what is remembered is the whole of it, not its last rest.
  const closed = { ...memory.open, closedAt: memory.calmSince, ...(memory.widest ? { sentence: memory.widest.sentence } : {}) };
  memory.widest = undefined;
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

const RETURNED_MS = 24 * 3_600_000;

/** What an earlier run has left. */
export function livesOf(open: readonly Incident[], past: readonly Incident[]): [string, IncidentLife][] {
  const stacks = new Set([...open, ...past].map((each) => each.stack));
  return [...stacks].map((stack) => {
    const mine = (list: readonly Incident[]) => list.filter((each) => each.stack === stack);
    const shelves = Object.fromEntries([...mine(past).reverse(), ...mine(open)].flatMap((each) => (each.shelf ? [[alarmKey(each), each.shelf]] : [])));
    const [going] = mine(open);
    const [last] = mine(past);
    return [stack, { shelves, ...(going ? { open: going } : {}), ...(last ? { last } : {}) }];
  });
}

/** One that has cleared waits for an acknowledgement for a day. */
export function returnedOf(last: Incident | undefined, at: number): { returned?: Incident } {
  return last?.closedAt !== undefined && !last.ack && at - last.closedAt < RETURNED_MS ? { returned: last } : {};
}
