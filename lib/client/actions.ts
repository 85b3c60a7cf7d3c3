import { refusal } from './queries';

/** Stop sending chats to a front-end for a while; `for` is a duration such as "10m". */
export async function pauseProbing(target: string, span: string): Promise<void> {
  await send(`/api/targets/${encodeURIComponent(target)}/pause`, 'POST', { for: span });
}

export async function resumeProbing(target: string): Promise<void> {
  await send(`/api/targets/${encodeURIComponent(target)}/pause`, 'DELETE');
}

/** Ask each front-end with its own id, the others' ids and a nonsense id; answers the experiment's id. */
export async function startExperiment(stack: string, targets: string[], how: { long?: boolean } = {}): Promise<string> {
  const answer = await send('/api/experiments', 'POST', { stack, targets, ...how });
  const id = typeof answer === 'object' && answer !== null && 'id' in answer ? answer.id : undefined;
  if (typeof id !== 'string') throw new Error('The server started the experiment but told no id; look at the list of experiments.');
  return id;
}

/** End an experiment that runs; what it has found stays. */
export async function cancelExperiment(id: string): Promise<void> {
  await send(`/api/experiments/${encodeURIComponent(id)}`, 'DELETE');
}

/** Say that it has been seen. */
export async function acknowledge(incident: string, by: string): Promise<void> {
  await send(`${incidentPath(incident)}/acknowledge`, 'POST', { by });
}

export async function addNote(incident: string, by: string, text: string): Promise<void> {
  await send(`${incidentPath(incident)}/notes`, 'POST', { by, text });
}

/** Silence an alarm for a time; `span` is a duration such as "1h". */
export async function shelve(incident: string, by: string, span: string, reason: string): Promise<void> {
  await send(`${incidentPath(incident)}/shelf`, 'POST', { by, for: span, reason });
}

export async function unshelve(incident: string, by: string): Promise<void> {
  await send(`${incidentPath(incident)}/shelf?by=${encodeURIComponent(by)}`, 'DELETE');
}

/** Mark a moment on a stack's time; now when left out. */
export async function markHere(stack: string, by: string, text: string, at?: number): Promise<void> {
  await send('/api/events', 'POST', { stack, by, text, ...(at === undefined ? {} : { at }) });
}

function incidentPath(id: string): string {
  return `/api/incidents/${encodeURIComponent(id)}`;
}

async function send(path: string, method: 'POST' | 'DELETE', body: unknown = {}): Promise<unknown> {
  const response = await fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await refusal(response));
  return response.json().catch(() => undefined);
}
