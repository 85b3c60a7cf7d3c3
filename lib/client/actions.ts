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

async function send(path: string, method: 'POST' | 'DELETE', body: unknown = {}): Promise<unknown> {
  const response = await fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await refusal(response));
  return response.json().catch(() => undefined);
}
