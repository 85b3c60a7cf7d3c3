import { readable } from '@/lib/model/foreign';
import type { Deed, Incident } from '@/lib/model/incident';
import { runtime } from '@/lib/runtime';
import { answer, declined, quoted, refusal, written } from '../answer';
import { jsonBody, sameOrigin } from '../guard';
import { queryOf } from '../query';
import { noSuchIncident } from './record';

const LONGEST_NAME = 60;

/** A change to an incident by a person: from our own page, JSON, of keys that are known; answers the incident as it then is. */
export async function changed(request: Request, id: string, keys: readonly string[], deedOf: (body: Record<string, unknown>) => Deed): Promise<Response> {
  sameOrigin(request, runtime().config());
  queryOf(request, []);
  const body = await jsonBody(request);
  known(id);
  const foreign = Object.keys(body).find((key) => !keys.includes(key));
  if (foreign !== undefined) throw refusal(400, `${quoted(foreign)} is no key of this body; it takes ${keys.join(', ')}.`);
  return done(id, deedOf(body));
}

/** Has the collector's thread do it. */
export async function done(id: string, deed: Deed): Promise<Response> {
  const told = await runtime().command({ kind: 'deed', incident: id, deed });
  if (!told.ok) throw declined(told.error);
  return answer({ incident: known(id) });
}

export function known(id: string): Incident {
  const incident = runtime().history()?.incident(id);
  if (incident === undefined) throw noSuchIncident(id);
  return incident;
}

/** Who does it, as they say: a name is needed, since the log is read by others. */
export function nameOf(value: unknown): string {
  const name = typeof value === 'string' ? readable(value).replace(/\s+/g, ' ').trim() : '';
  if (name === '' || name.length > LONGEST_NAME) throw refusal(400, `by: ${written(value)} is no name of 1 to ${LONGEST_NAME} characters; say who you are.`);
  return name;
}

/** Words of a person; line ends stay where `longest` leaves room for them. */
export function wordsOf(key: string, value: unknown, longest: number): string {
  const words = typeof value === 'string' ? readable(value).trim() : '';
  if (words === '' || words.length > longest) throw refusal(400, `${key}: ${written(value)} is no text of 1 to ${longest} characters; write one.`);
  return words;
}
