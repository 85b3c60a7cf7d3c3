import { alarmKey, type Deed, type Effect, type Event, type Incident, type IncidentChange, isShelved } from '@/lib/model/incident';
import type { IncidentLife } from './incidents';

type MakeEvent = (at: number, stack: string, kind: Event['kind'], sentence: string, rest?: Partial<Event>) => Effect;

/** What a person did to an incident, open or closed: the record as it is now, and the entry of the log. */
export function perform(memory: IncidentLife, record: Incident, deed: Deed, at: number, event: MakeEvent): Effect[] {
  const known = [memory.open, memory.last].find((each) => each?.id === record.id) ?? record;
  const next = after(known, deed, at);
  if (memory.open?.id === next.id) memory.open = next;
  if (memory.last?.id === next.id) memory.last = next;
  if (deed.kind === 'shelve' && next.shelf) memory.shelves = { ...memory.shelves, [alarmKey(next)]: next.shelf };
  if (deed.kind === 'unshelve') memory.shelves = without(memory.shelves, alarmKey(next));
  const change = CHANGES[deed.kind];
  return [
    ...(change ? [{ kind: 'incident' as const, change, incident: next }] : []),
    event(at, next.stack, KINDS[deed.kind], sentenceOf(deed, at), {
      incident: next.id,
      by: deed.by,
      ...(deed.kind === 'note' ? { data: { text: deed.text } } : {}),
    }),
  ];
}

/** An alarm that comes back while it is shelved is shelved from the start. */
export function inherited(memory: IncidentLife, incident: Incident, at: number): Incident {
  const shelf = memory.shelves?.[alarmKey(incident)];
  return shelf && isShelved({ shelf }, at) ? { ...incident, shelf } : incident;
}

/** A shelf has its end: then the alarm stands as if it had never been silenced. */
export function expire(memory: IncidentLife, at: number, event: MakeEvent): Effect[] {
  const { open } = memory;
  if (!open?.shelf || isShelved(open, at)) return [];
  const { shelf, ...rest } = open;
  memory.open = rest;
  memory.shelves = without(memory.shelves, alarmKey(open));
  return [
    { kind: 'incident', change: 'unshelved', incident: rest },
    event(at, open.stack, 'unshelved', `the shelf of ${shelf.by} has ended and the alarm still stands`, { incident: open.id }),
  ];
}

const CHANGES: Record<Deed['kind'], IncidentChange | undefined> = { acknowledge: 'acknowledged', note: undefined, shelve: 'shelved', unshelve: 'unshelved' };
const KINDS = { acknowledge: 'acknowledged', note: 'note', shelve: 'shelved', unshelve: 'unshelved' } as const;

function after(incident: Incident, deed: Deed, at: number): Incident {
  switch (deed.kind) {
    case 'acknowledge':
      // The first one counts; the log has them all.
      return { ...incident, ack: incident.ack ?? { by: deed.by, at } };
    case 'note':
      return incident;
    case 'shelve':
      return { ...incident, shelf: { by: deed.by, at, until: at + deed.forMs, reason: deed.reason } };
    case 'unshelve': {
      const { shelf: _, ...rest } = incident;
      return rest;
    }
  }
}

function sentenceOf(deed: Deed, at: number): string {
  switch (deed.kind) {
    case 'acknowledge':
      return `acknowledged by ${deed.by}`;
    case 'note':
      return `note by ${deed.by}`;
    case 'shelve':
      return `shelved by ${deed.by} until {${new Date(at + deed.forMs).toISOString()}}: ${deed.reason}`;
    case 'unshelve':
      return `taken off the shelf by ${deed.by}`;
  }
}

function without(shelves: IncidentLife['shelves'], key: string): IncidentLife['shelves'] {
  return Object.fromEntries(Object.entries(shelves ?? {}).filter(([each]) => each !== key));
}
