import { readable } from '@/lib/model/foreign';
import { takesChats } from '@/lib/model/target';
import { runtime } from '@/lib/runtime';
import { answer, declined, handled, refusal, written } from '../../../answer';
import { jsonBody, sameOrigin } from '../../../guard';
import { watchedNode } from '../../../known';
import { spanOf } from '../../../moment';
import { queryOf } from '../../../query';

export const dynamic = 'force-dynamic';

type Context = { params: Promise<{ id: string }> };
const LONGEST_PAUSE_MS = 24 * 3_600_000;
const LEAST_PAUSE_MS = 1_000;

/** Send this front-end no chats for a while. */
export const POST = handled<Context>(async (request, { params }) => {
  sameOrigin(request, runtime().config());
  queryOf(request, []);
  const body = await jsonBody(request);
  const { node } = watchedNode(runtime(), (await params).id);
  if (!takesChats(node)) throw refusal(409, `${node.name} is sent no chats, being ${node.role}; pause a front-end.`);
  const forMs = pauseOf(body.for);
  await done({ kind: 'pause', target: node.id, forMs, by: byOf(body.by) });
  return answer({ target: node.id, until: new Date(Date.now() + forMs).toISOString() });
});

/** Go on with probing it. */
export const DELETE = handled<Context>(async (request, { params }) => {
  sameOrigin(request, runtime().config());
  queryOf(request, []);
  const { node } = watchedNode(runtime(), (await params).id);
  await done({ kind: 'resume', target: node.id, by: byOf(undefined) });
  return answer({ target: node.id });
});

async function done(command: Parameters<ReturnType<typeof runtime>['command']>[0]): Promise<void> {
  const told = await runtime().command(command);
  if (!told.ok) throw declined(told.error);
}

function pauseOf(value: unknown): number {
  const ms = typeof value === 'string' ? spanOf(value) : undefined;
  if (ms === undefined || ms < LEAST_PAUSE_MS || ms > LONGEST_PAUSE_MS)
    throw refusal(400, `for: ${written(value)} is no duration from 1s to 24h; write one, such as "10m".`);
  return ms;
}

/** Who asks, as far as they say. */
function byOf(value: unknown): string {
  return typeof value === 'string' && value.trim() !== '' ? readable(value.trim()).slice(0, 60) : 'somebody on the page or the API';
}
