/** A piece of a line of a note. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; of: Inline[] }
  /** Only http and https: what else a link may start is not for a note to say. */
  | { kind: 'link'; href: string; of: Inline[] };

/** A block of a note. */
export type Block =
  | { kind: 'paragraph' | 'heading' | 'quote'; of: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] };

const MOST_NESTED = 4;
const LONGEST = 10_000;

/**
 * The part of Markdown that people write in notes: paragraphs, headings, lists, quotes, code, **strong**, *emphasis*, links. It is read into
 * values, never into HTML: a tag in a note is text.
 */
export function readNote(text: string): Block[] {
  const lines = text.slice(0, LONGEST).replace(/\r\n?/g, '\n').split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const { block, next } = blockAt(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

const FENCE = /^\s{0,3}```/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*)$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const BULLET = /^\s{0,3}[-*+]\s+(.*)$/;
const NUMBER = /^\s{0,3}\d{1,4}[.)]\s+(.*)$/;

function blockAt(lines: readonly string[], at: number): { block?: Block; next: number } {
  const line = lines[at] ?? '';
  if (line.trim() === '') return { next: at + 1 };
  if (FENCE.test(line)) {
    const end = lines.findIndex((each, index) => index > at && FENCE.test(each));
    const last = end < 0 ? lines.length : end;
    return { block: { kind: 'code', text: lines.slice(at + 1, last).join('\n') }, next: last + 1 };
  }
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) return { block: { kind: 'heading', of: inlines(heading) }, next: at + 1 };
  for (const sign of [BULLET, NUMBER]) {
    const items = run(lines, at, sign);
    if (items.length > 0) return { block: { kind: 'list', isOrdered: sign === NUMBER, items: items.map((each) => inlines(each)) }, next: at + items.length };
  }
  const quoted = run(lines, at, QUOTE);
  if (quoted.length > 0) return { block: { kind: 'quote', of: inlines(quoted.join(' ')) }, next: at + quoted.length };
  const plain = lines
    .slice(at)
    .findIndex((each, index) => index > 0 && (each.trim() === '' || [FENCE, HEADING, QUOTE, BULLET, NUMBER].some((sign) => sign.test(each))));
  const next = plain < 0 ? lines.length : at + plain;
  return { block: { kind: 'paragraph', of: inlines(lines.slice(at, next).join('\n')) }, next };
}

/** The words of the lines from `at` on that bear the sign. */
function run(lines: readonly string[], at: number, sign: RegExp): string[] {
  const found: string[] = [];
  for (let index = at; index < lines.length; index += 1) {
    const words = sign.exec(lines[index] ?? '')?.[1];
    if (words === undefined) break;
    found.push(words);
  }
  return found;
}

const PIECE =
  /`([^`]+)`|\*\*([^*]+(?:\*(?!\*)[^*]+)*)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|\b_([^_\s](?:[^_]*[^_\s])?)_\b|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)|(https?:\/\/[^\s<>()"'`]+)/;

function inlines(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  let rest = text;
  for (let match = depth < MOST_NESTED ? PIECE.exec(rest) : null; match !== null; match = PIECE.exec(rest)) {
    if (match.index > 0) found.push({ kind: 'text', text: rest.slice(0, match.index) });
    found.push(pieceOf(match, depth));
    rest = rest.slice(match.index + match[0].length);
  }
  return rest === '' ? found : [...found, { kind: 'text', text: rest }];
}

function pieceOf(match: RegExpExecArray, depth: number): Inline {
  const [, code, strong, star, under, label, href, bare] = match;
  if (code !== undefined) return { kind: 'code', text: code };
  if (strong !== undefined) return { kind: 'strong', of: inlines(strong, depth + 1) };
  const soft = star ?? under;
  if (soft !== undefined) return { kind: 'emphasis', of: inlines(soft, depth + 1) };
  if (href !== undefined) return { kind: 'link', href, of: [{ kind: 'text', text: label ?? href }] };
  return { kind: 'link', href: bare ?? '', of: [{ kind: 'text', text: bare ?? '' }] };
}
