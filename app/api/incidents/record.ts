import type { Event, Incident } from '@/lib/model/incident';
import { signature } from '@/lib/model/incident';
import { AROUND_MS, type Store } from '@/lib/stores/store';
import { quoted, type Refusal, refusal } from '../answer';

const MOST_EVENTS = 500;
const MOST_COMPARED = 500;
const MOST_RELATED = 10;

/** An incident, the log of its time and of what was done to it since, and earlier ones of the same signature; both newest first. */
export type IncidentRecord = { incident: Incident; events: Event[]; related: Incident[] };

export function recordOf(history: Store | undefined, id: string): IncidentRecord | undefined {
  const incident = history?.incident(id);
  if (!history || !incident) return undefined;
  return { incident, events: eventsOf(history, incident), related: relatedOf(history, incident) };
}

export function noSuchIncident(id: string): Refusal {
  return refusal(404, `No incident has the id ${quoted(id)}; /api/incidents lists the latest.`);
}

function eventsOf(history: Store, { id, stack, openedAt, closedAt }: Incident): Event[] {
  const around = history.events({ stack, from: openedAt - AROUND_MS, ...(closedAt === undefined ? {} : { to: closedAt + AROUND_MS }), limit: MOST_EVENTS });
  const own = history.events({ incident: id, limit: MOST_EVENTS });
  const all = new Map([...around.filter((each) => (each.incident ?? id) === id), ...own].map((each) => [each.id, each]));
  return [...all.values()].sort((a, b) => b.at - a.at).slice(0, MOST_EVENTS);
}

function relatedOf(history: Store, incident: Incident): Incident[] {
  const same = signature(incident);
  return history
    .incidents({ stack: incident.stack, to: incident.openedAt, limit: MOST_COMPARED })
    .filter((each) => each.id !== incident.id && signature(each) === same)
    .slice(0, MOST_RELATED);
}
