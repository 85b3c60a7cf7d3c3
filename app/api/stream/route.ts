import { type FrameForm, type Runtime, runtime } from '@/lib/runtime';
import { handled, refusal } from '../answer';
import { queryOf } from '../query';

export const dynamic = 'force-dynamic';

/** Bytes that may wait for one slow reader; then its frames are dropped, and the next that it takes is a whole one. */
const MOST_WAITING = 256 * 1024;
const MOST_READERS = 300;
const KEEP_ALIVE_MS = 15_000;
const RETRY_MS = 1_000;
const FORMS = ['plain', 'packed'] as const satisfies readonly FrameForm[];
/** `no-transform` also keeps Next from packing the stream: 0.3 MB per reader (measured). */
const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' };

/** Snapshots as server-sent events, one a second, whole; the first at once. */
export const GET = handled((request) => {
  const form = queryOf(request, ['form']).choice('form', FORMS) ?? 'plain';
  if (runtime().readers() >= MOST_READERS)
    throw refusal(503, `${MOST_READERS} readers are connected already; close some pages, or poll /api/snapshot.`, { 'retry-after': '30' });
  return new Response(streamTo(runtime(), form, request.signal), { headers: HEADERS });
});

/** Next would run GET for this and keep its stream open. */
export const HEAD = handled(() => new Response(null, { headers: HEADERS }));

function streamTo(source: Runtime, form: FrameForm, gone: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let leave = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOpen = true;
        const send = (bytes: Uint8Array) => {
          const hasRoom = isOpen && (controller.desiredSize ?? 0) > 0;
          if (hasRoom) controller.enqueue(bytes);
          return hasRoom;
        };
        send(encoder.encode(`retry: ${RETRY_MS}\n\n`));
        const unsubscribe = source.subscribe({ frame: send, closed: () => end(true) }, form);
        const keepAlive = setInterval(() => send(encoder.encode(': still here\n\n')), KEEP_ALIVE_MS);
        keepAlive.unref();
        const end = (isOurs: boolean) => {
          if (!isOpen) return;
          isOpen = false;
          clearInterval(keepAlive);
          unsubscribe();
          if (!isOurs) return;
          // What still waits for a reader that does not read would hold up our shutdown.
          if ((controller.desiredSize ?? 0) > 0) controller.close();
          else controller.error(new Error('reader too slow'));
        };
        leave = () => end(false);
        // Both this and cancel come when a reader goes, in either order.
        gone.addEventListener('abort', () => end(true), { once: true });
        if (gone.aborted) end(true);
      },
      cancel: () => leave(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
  );
}
