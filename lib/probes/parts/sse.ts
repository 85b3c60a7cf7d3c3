/** One server-sent event: its data lines joined; `raw` for a line that is no SSE field at all. */
export type SseEvent = { kind: 'data'; event?: string; data: string } | { kind: 'comment' } | { kind: 'raw'; text: string } | { kind: 'overlong' };

/** Splits a byte stream into events, whatever the chunks; holds at most `MAX_LINE` characters. */
export type SseSplitter = { push(chunk: Uint8Array): SseEvent[]; end(): SseEvent[] };

/** A usage chunk with many details is about 2 kB; a line that is longer than this never ends. */
const MAX_LINE = 64 * 1024;

export function sseSplitter(): SseSplitter {
  const decoder = new TextDecoder('utf-8');
  let line = '';
  let isSkipping = false;
  let data: string[] = [];
  let dataSize = 0;
  let name: string | undefined;

  return {
    push: (chunk) => feed(decoder.decode(chunk, { stream: true })),
    end: () => [...feed(decoder.decode()), ...take(line), ...flush()],
  };

  function feed(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    let from = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      line += text.slice(from, at);
      from = at + 1;
      if (isSkipping) isSkipping = false;
      else events.push(...take(line));
      line = '';
    }
    if (isSkipping) return events;
    line += text.slice(from);
    if (line.length > MAX_LINE) {
      isSkipping = true;
      line = '';
      events.push({ kind: 'overlong' });
    }
    return events;
  }

  function take(whole: string): SseEvent[] {
    const text = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
    if (text === '') return flush();
    if (text.startsWith(':')) return [{ kind: 'comment' }];
    const field = /^(data|event|id|retry)(?::[ ]?(.*))?$/s.exec(text);
    if (field === null) return [{ kind: 'raw', text }];
    if (field[1] === 'event') name = field[2];
    if (field[1] !== 'data') return [];
    // servers that forget the empty line between events still send one event per data line
    const value = field[2] ?? '';
    const before = data.length > 0 && isWhole(data.join('\n')) ? flush() : [];
    dataSize += value.length;
    if (dataSize <= MAX_LINE) data.push(value);
    return before;
  }

  function flush(): SseEvent[] {
    if (data.length === 0) {
      name = undefined;
      return [];
    }
    const event: SseEvent = { kind: 'data', ...(name === undefined ? {} : { event: name }), data: data.join('\n') };
    data = [];
    dataSize = 0;
    name = undefined;
    return [event];
  }
}

function isWhole(text: string): boolean {
  if (text === '[DONE]') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
