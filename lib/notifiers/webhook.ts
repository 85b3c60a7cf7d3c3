import type { Incident } from '@/lib/model/incident';
import { placeName } from '@/lib/model/verdict';
import type { Change, Notifier } from './notifier';

const LONGEST_TEXT = 500;

/** One generic JSON POST. `text` is a whole message, so that chat services that take `{text}` can be called as they are. */
export const webhook: Notifier = {
  title: 'a URL of your own, called with JSON',
  request: (change, incident, to) => ({
    method: 'POST',
    url: to.url,
    // The same delivery told twice, after a lost answer, can be known by its key.
    headers: { 'content-type': 'application/json', 'idempotency-key': keyOf(change, incident), ...to.headers },
    body: JSON.stringify({ event: change, text: textOf(change, incident), incident: factsOf(incident) }),
  }),
};

/** An incident opens and clears once; it may be shelved many times. */
function keyOf(change: Change, { id, ack, shelf }: Incident): string {
  const at = change === 'acknowledged' ? ack?.at : change === 'shelved' ? shelf?.at : undefined;
  return `${id}-${change}${at === undefined ? '' : `-${at}`}`;
}

function textOf(change: Change, incident: Incident): string {
  const sentence = incident.sentence.replace(/\{([^{}]*)\}/g, '$1').slice(0, LONGEST_TEXT);
  if (change === 'opened') return `${incident.stack} is ${incident.verdict}: ${sentence}`;
  const { ack, shelf } = incident;
  if (change === 'acknowledged') return `${ack?.by ?? 'Somebody'} has acknowledged: ${sentence}`;
  if (change === 'shelved' && shelf) return `${shelf.by} has shelved until ${new Date(shelf.until).toISOString()} (${shelf.reason}): ${sentence}`;
  if (change === 'unshelved') return `No longer shelved: ${sentence}`;
  const lasted = incident.closedAt === undefined ? '' : ` after ${Math.round((incident.closedAt - incident.openedAt) / 1000)} s`;
  return `${incident.stack} has cleared${lasted}. It was: ${sentence}`;
}

function factsOf(incident: Incident) {
  const { id, stack, verdict, place, targets, openedAt, closedAt, top, ack, shelf } = incident;
  return {
    id,
    stack,
    verdict,
    place: place === undefined ? null : placeName(place),
    targets,
    openedAt: new Date(openedAt).toISOString(),
    closedAt: closedAt === undefined ? null : new Date(closedAt).toISOString(),
    acknowledged: ack === undefined ? null : { by: ack.by, at: new Date(ack.at).toISOString() },
    shelved: shelf === undefined ? null : { by: shelf.by, until: new Date(shelf.until).toISOString(), reason: shelf.reason },
    suspicion: top === undefined ? null : { id: top.id, claim: top.claim, probability: top.probability },
  };
}
