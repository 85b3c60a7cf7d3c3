import { readable } from '@/lib/model/foreign';

const HEAD_BYTES = 2048;
const TAIL_CHARS = 500;
const TAIL_BYTES = TAIL_CHARS * 4;

/** Keeps the first 2 KiB and the last 500 characters of a body of any length. */
export type Excerpt = { push(chunk: Uint8Array): void; head(): string; tail(): string | undefined };

/** `hide` takes out what must not be kept, before anything is cut. */
export function excerpt(hide: (text: string) => string = (text) => text): Excerpt {
  let head = Buffer.alloc(0);
  let last = Buffer.alloc(0);
  let total = 0;
  return {
    push(chunk) {
      total += chunk.length;
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
      if (total <= HEAD_BYTES) return;
      last = Buffer.from(Buffer.concat([last, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES));
    },
    head: () => readable(hide(whole(head.toString('utf8')))),
    tail: () => (total > HEAD_BYTES ? readable(hide(whole(last.toString('utf8')))).slice(-TAIL_CHARS) : undefined),
  };
}

/** A character cut in half goes. */
function whole(text: string): string {
  return text.replace(/^\uFFFD{1,3}|\uFFFD{1,3}$/g, '');
}
