/** One sample line of a metrics page. `value` may be NaN or infinite here. */
export type Line = { name: string; labels: Labels; value: number };
export type Labels = Readonly<Record<string, string>>;
/** What a page held: lines in order (of equal series the last value), the types of the families read, and how many lines made no sense. */
export type Exposition = { lines: Line[]; types: ReadonlyMap<string, string>; skipped: number };

const MAX_LINE = 16_384;
const MAX_LABEL = 256;
const MAX_LABELS = 64;
const MAX_LINES = 50_000;

/**
 * What earlier pages held, for one set of wanted names: from scrape to scrape, and from engine to engine, the same series come again with other
 * values. It saves work and changes nothing, since the same text has the same meaning; bounded, and independent of the pages it was read from.
 */
export type Memo = { series: Map<string, Omit<Line, 'value'> | undefined>; families: Map<string, Family> };

type Family = { family: string; type: string; isWanted: boolean };

const MEMO_SERIES = 16_384;
const MEMO_FAMILIES = 1_024;
/** The longest text that is worth remembering; a hostile page has longer ones. */
const MEMO_TEXT = 512;

export function newMemo(): Memo {
  return { series: new Map(), families: new Map() };
}

/**
 * Reads Prometheus' text format and OpenMetrics' in one pass, in linear time, whatever the bytes are; a line that makes no sense is counted and left out.
 * With `wanted` (sample names) the lines of other families are jumped over: most of an engine's page is histogram buckets that nobody reads.
 */
export function parseExposition(text: string, wanted?: ReadonlySet<string>, memo?: Memo): Exposition {
  const types = new Map<string, string>();
  const lines: Line[] = [];
  const seen = new Map<string, Line>();
  let skipped = 0;
  let at = 0;
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const start = at;
    const first = text.charCodeAt(start);
    at = end + 1;
    if (first === HASH) {
      const family = text.charCodeAt(start + 2) === T && end - start <= MAX_LINE ? familyOf(text.slice(start, end), wanted, memo) : undefined;
      if (family === undefined) continue;
      if (family.isWanted) types.set(family.family, family.type);
      else at = pastFamily(text, at, family.family);
      continue;
    }
    if (isBlank(first, end - start)) continue;
    const read = knownLine(text, start, end, memo) ?? readLine(text, start, end, wanted, memo);
    if (read === UNWANTED) continue;
    if (read === undefined || lines.length >= MAX_LINES) {
      skipped += 1;
      continue;
    }
    const before = seen.get(read.series);
    if (before) before.value = read.line.value;
    else {
      seen.set(read.series, read.line);
      lines.push(read.line);
    }
  }
  return { lines, types, skipped };
}

type Read = { series: string; line: Line };
const UNWANTED = 'unwanted';

/** A line whose text before the value was met before; undefined when it was not, or when no plain number follows. */
function knownLine(text: string, start: number, end: number, memo: Memo | undefined): Read | typeof UNWANTED | undefined {
  const space = text.lastIndexOf(' ', end);
  if (memo === undefined || space <= start || space - start > MEMO_TEXT || end - space > 41) return undefined;
  const series = text.slice(start, space);
  const known = memo.series.get(series);
  if (known === undefined) return memo.series.has(series) ? UNWANTED : undefined;
  const value = numberOf(text.slice(space + 1, end));
  return value === undefined ? undefined : { series, line: { name: known.name, labels: known.labels, value } };
}

function readLine(
  text: string,
  start: number,
  end: number,
  wanted: ReadonlySet<string> | undefined,
  memo: Memo | undefined,
): Read | typeof UNWANTED | undefined {
  const isWanted = wanted === undefined || wanted.has(nameAt(text, start, end));
  if (!isWanted && memo === undefined) return UNWANTED;
  if (end - start > MAX_LINE) return isWanted ? undefined : UNWANTED;
  const line = memo === undefined ? text.slice(start, end) : own(text.slice(start, end));
  const read = sampleLine(line);
  if (memo !== undefined && read !== undefined && read.series.length <= MEMO_TEXT && line.lastIndexOf(' ') === read.series.length) {
    if (memo.series.size >= MEMO_SERIES) memo.series.clear();
    memo.series.set(read.series, isWanted ? { name: read.line.name, labels: read.line.labels } : undefined);
  }
  return isWanted ? read : UNWANTED;
}

function familyOf(line: string, wanted: ReadonlySet<string> | undefined, memo: Memo | undefined): Family | undefined {
  const known = memo?.families.get(line);
  if (known !== undefined) return known;
  const kept = memo === undefined ? line : own(line);
  const type = typeLine(kept);
  if (type === undefined) return undefined;
  const family = { ...type, isWanted: wanted === undefined || isWanted(wanted, type) };
  if (memo !== undefined && kept.length <= MEMO_TEXT) {
    if (memo.families.size >= MEMO_FAMILIES) memo.families.clear();
    memo.families.set(kept, family);
  }
  return family;
}

/** A copy that does not keep the whole page in memory: V8's substrings point into their parent. */
export function own(text: string): string {
  return ` ${text}`.slice(1);
}

const HASH = 35;
const T = 84;
const CR = 13;

function isBlank(first: number, length: number): boolean {
  return length === 0 || (length === 1 && first === CR);
}

/** Samples of a family end in these, by its type. */
const SUFFIXES: ReadonlyMap<string, readonly string[]> = new Map([
  ['histogram', ['_count', '_sum', '_bucket']],
  ['gaugehistogram', ['_gcount', '_gsum', '_bucket']],
  ['summary', ['_count', '_sum']],
  ['counter', ['_total', '_created']],
]);

function isWanted(wanted: ReadonlySet<string>, { family, type }: { family: string; type: string }): boolean {
  return wanted.has(family) || (SUFFIXES.get(type) ?? []).some((suffix) => wanted.has(family + suffix));
}

function typeLine(line: string): { family: string; type: string } | undefined {
  if (!line.startsWith('# TYPE ')) return undefined;
  const space = line.indexOf(' ', 7);
  if (space === -1) return undefined;
  return { family: line.slice(7, space), type: line.slice(space + 1).trim() };
}

/** Start of the next comment, if all up to there looks like this family's lines; else `from`, and the lines are looked at one by one. */
function pastFamily(text: string, from: number, family: string): number {
  const comment = text.indexOf('\n#', from - 1);
  const end = comment === -1 ? text.length - (text.endsWith('\n') ? 1 : 0) : comment;
  const lastLine = text.lastIndexOf('\n', end - 1) + 1;
  return lastLine >= from && text.startsWith(family, lastLine) ? end + 1 : from;
}

function nameAt(text: string, start: number, end: number): string {
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === 123 || code === 32 || code === 9) break;
    at += 1;
  }
  return text.slice(start, at);
}

function sampleLine(line: string): { series: string; line: Line } | undefined {
  const name = nameAt(line, 0, line.length);
  if (!isName(name) || name.length > MAX_LABEL) return undefined;
  const block = line.charCodeAt(name.length) === 123 ? labelBlock(line, name.length + 1) : { labels: {}, end: name.length };
  if (block === undefined) return undefined;
  const value = valueAt(line, block.end);
  if (value === undefined) return undefined;
  return { series: line.slice(0, block.end), line: { name, labels: block.labels, value } };
}

/** A time stamp or an OpenMetrics exemplar may follow the value. */
function valueAt(line: string, from: number): number | undefined {
  let start = from;
  while (isSpace(line.charCodeAt(start))) start += 1;
  let end = start;
  while (end < line.length && !isSpace(line.charCodeAt(end))) end += 1;
  return start === from || end - start > 40 ? undefined : numberOf(line.slice(start, end));
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === CR;
}

/** `[a-zA-Z_:][a-zA-Z0-9_:]*` */
function isName(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 58;
    if (!isLetter && (at === 0 || code < 48 || code > 57)) return false;
  }
  return text !== '';
}

/** Labels from just behind `{`; `end` is just behind `}`. */
function labelBlock(line: string, from: number): { labels: Record<string, string>; end: number } | undefined {
  const labels: Record<string, string> = {};
  let at = from;
  for (let count = 0; count <= MAX_LABELS; count += 1) {
    while (line.charCodeAt(at) === 44 || line.charCodeAt(at) === 32) at += 1;
    if (line.charCodeAt(at) === 125) return { labels, end: at + 1 };
    const equals = line.indexOf('="', at);
    if (equals === -1) return undefined;
    const close = closingQuote(line, equals + 2);
    if (close === -1) return undefined;
    const label = line.slice(at, equals);
    if (!isName(label)) return undefined;
    labels[label] = plain(line.slice(equals + 2, Math.min(close, equals + 2 + MAX_LABEL)));
    at = close + 1;
  }
  return undefined;
}

function closingQuote(line: string, from: number): number {
  let at = from;
  while (at < line.length) {
    const code = line.charCodeAt(at);
    if (code === 34) return at;
    at += code === 92 ? 2 : 1;
  }
  return -1;
}

function plain(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
}

function numberOf(text: string): number | undefined {
  if (isPlainNumber(text)) return Number(text);
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

/** Digits and one dot: nearly every value; the rest is looked at more closely. */
function isPlainNumber(text: string): boolean {
  let dots = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 46) dots += 1;
    else if (code < 48 || code > 57) return false;
  }
  return text.length > dots && dots < 2;
}
