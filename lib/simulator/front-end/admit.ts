import type { IncomingMessage } from 'node:http';
import type { ClientReply } from './client-reply';
import type { FrontEnd } from './front-end';

/** A chat as read from its body. */
export type ChatBody = Record<string, unknown> & { model?: unknown; stream?: unknown };

/** Whether a chat may go on to the engines. Otherwise it has been answered here, or will never be. */
export function admit(fe: FrontEnd, req: IncomingMessage, reply: ClientReply, body: ChatBody): boolean {
  const { state } = fe;
  if (state.key !== undefined && !hasKey(req, state.key)) return answered(() => reply.whole(401, '', {}));
  if (state.resets > 0) {
    state.resets -= 1;
    return answered(() => reply.cut());
  }
  if (state.hangs) return false;
  const model = typeof body.model === 'string' ? body.model : '';
  if (state.unknownModel !== 'pass' && !fe.models().includes(model)) {
    const error = { message: `Model '${model}' not found. Available models: ${fe.models().join(', ')}`, type: 'Not Found', code: 'model_not_found' };
    return state.unknownModel === '404' && answered(() => reply.whole(404, JSON.stringify({ error }), { 'content-type': 'application/json' }));
  }
  for (const shed of state.shed) {
    if (fe.dice.chance(shed.share)) return answered(() => reply.whole(shed.status, '', { 'retry-after': '1' }));
  }
  const failing = state.everyStreamFails ?? fe.traits.everyStreamFails;
  if (failing !== undefined && body.stream === true) return answered(() => errorIn200(reply, failing, 'Internal Server Error'));
  return takeSlot(fe, reply);
}

/** A 200 that holds nothing but an error event. */
export function errorIn200(reply: ClientReply, code: number, message: string): void {
  reply.open(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  reply.write(`data: ${JSON.stringify({ error: { object: 'error', message, type: 'InternalServerError', param: null, code } })}\n\n`);
  reply.end();
}

/** With leaking slots each request (or abort) loses one; with none left chats wait for ever. */
function takeSlot(fe: FrontEnd, reply: ClientReply): boolean {
  const { slots } = fe.state;
  if (slots === undefined) return true;
  if (slots.left <= 0) return false;
  if (slots.per === 'request') slots.left -= 1;
  else {
    reply.onLeave(() => {
      slots.left -= 1;
    });
  }
  return true;
}

function hasKey(req: IncomingMessage, key: string): boolean {
  return req.headers.authorization === `Bearer ${key}`;
}

function answered(answer: () => void): false {
  answer();
  return false;
}
