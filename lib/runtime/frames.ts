import { diff, type Json } from '@/lib/delta';
import type { Snapshot } from '@/lib/model/snapshot';
import { pack } from '@/lib/packed';

/** A reader of the live stream: gets each frame as ready-made SSE bytes, and `closed` at shutdown. `frame` tells whether it was taken; a slow reader lets some go. */
export type StreamReader = { frame(bytes: Uint8Array): boolean; closed(): void };

/**
 * `plain`: the whole snapshot each second. `packed`, for our own pages: whole once, without its repetitions (lib/packed.ts), then what
 * changed since the frame before (lib/delta.ts), so that what stands still weighs nothing however much it is.
 */
export type FrameForm = 'plain' | 'packed';

/** The last frame, encoded once for all readers of a form and parsed once for all pages. */
export function frameKeeper() {
  const readers = new Map<StreamReader, { form: FrameForm; has?: number }>();
  let json: string | undefined;
  let parsed: Snapshot | undefined;
  /** The frame before, for those who have it. */
  let before: Snapshot | undefined;
  let bytes: { plain?: Uint8Array; whole?: Uint8Array; change?: Uint8Array } = {};

  function snapshot(): Snapshot | undefined {
    if (json !== undefined) parsed ??= JSON.parse(json) as Snapshot;
    return parsed;
  }

  function tell(reader: StreamReader, is: { form: FrameForm; has?: number }, text: string) {
    if (is.form === 'plain') {
      bytes.plain ??= eventOf(text);
      reader.frame(bytes.plain);
      return;
    }
    const shown = snapshot();
    if (shown === undefined) return;
    const taken = reader.frame(is.has !== undefined && is.has === before?.at ? changeFrom(before, shown) : whole(shown));
    is.has = taken ? shown.at : undefined;
  }

  function whole(shown: Snapshot): Uint8Array {
    bytes.whole ??= eventOf(JSON.stringify(pack(asJson(shown))));
    return bytes.whole;
  }

  function changeFrom(old: Snapshot, shown: Snapshot): Uint8Array {
    bytes.change ??= eventOf(JSON.stringify({ since: old.at, change: diff(asJson(old), asJson(shown)) ?? {} }));
    return bytes.change;
  }

  return {
    snapshot,
    take(next: string) {
      // Only who draws changes needs the frame before, and it is parsed for the pages anyway.
      before = [...readers.values()].some((is) => is.has !== undefined) ? snapshot() : undefined;
      json = next;
      parsed = undefined;
      bytes = {};
      for (const [reader, is] of readers) tell(reader, is, next);
    },
    subscribe(reader: StreamReader, form: FrameForm = 'plain') {
      const is = { form };
      readers.set(reader, is);
      if (json !== undefined) tell(reader, is, json);
      return () => void readers.delete(reader);
    },
    readers: () => readers.size,
    close() {
      for (const reader of readers.keys()) reader.closed();
      readers.clear();
    },
  };
}

function eventOf(text: string): Uint8Array {
  return new TextEncoder().encode(`data: ${text}\n\n`);
}

/** A snapshot that came as JSON is JSON. */
function asJson(snapshot: Snapshot): Json {
  return snapshot as unknown as Json;
}
