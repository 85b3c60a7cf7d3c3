import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { type Mistake, type Place, placeIn } from './mistakes';

const MOST_BYTES = 1024 ** 2;

/** A configuration file as plain values, or what is wrong with it as a file. */
export type Read = { raw: unknown; place: Place } | { mistakes: Mistake[] };

export function readYaml(path: string): Read {
  const text = textOf(path);
  if (typeof text !== 'string') return { mistakes: [text] };
  const lines = new LineCounter();
  // The parser's own messages repeat the source, and the source may hold a secret: only codes and places are used.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error', uniqueKeys: true });
  if (document.errors.length > 0) {
    return { mistakes: document.errors.slice(0, 20).map((error) => ({ path: [], says: says(error.code), line: lines.linePos(error.pos[0]).line })) };
  }
  if (document.contents === null) return { mistakes: [{ path: [], says: 'is empty; begin with stacks: (see lib/wedgewatch.example.yaml)' }] };
  try {
    return { raw: withoutNulls(document.toJS({ maxAliasCount: 100 })), place: placeIn(document, lines) };
  } catch {
    return { mistakes: [{ path: [], says: 'uses an alias (*name) that is not defined or grows too large; write the value out' }] };
  }
}

const CODES: Readonly<Record<string, string>> = {
  BAD_INDENT: 'is indented wrongly; line it up with its neighbours, with blanks',
  TAB_AS_INDENT: 'is indented with a tab; use blanks',
  DUPLICATE_KEY: 'says a key for the second time; keep one',
  MISSING_CHAR: 'lacks a closing quote, bracket or colon here or just before',
  BLOCK_AS_IMPLICIT_KEY: 'has a nested mapping in one line; break the line or quote the value',
  MULTILINE_IMPLICIT_KEY: 'lacks a colon after a key here or in the line before',
  MULTIPLE_DOCS: 'begins a second document (---); keep one',
  BAD_ALIAS: 'uses an alias (*name) that is not defined; quote the value if it begins with *',
  UNEXPECTED_TOKEN: 'holds something that does not belong here; quote the value',
  BAD_SCALAR_START: 'has a value that begins with a reserved character; quote it',
};

function says(code: string): string {
  return `is no valid YAML: the line ${CODES[code] ?? `cannot be read (${code})`}`;
}

function textOf(path: string): string | Mistake {
  const wrong = (text: string): Mistake => ({ path: [], says: text });
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return wrong('is a directory; name the file in it');
    if (!stat.isFile()) return wrong('is no regular file; name one');
    if (stat.size > MOST_BYTES) return wrong(`is ${(stat.size / MOST_BYTES).toFixed(1)} MB; a configuration is a few kB, so this seems to be the wrong file`);
    const bytes = head(path);
    if (bytes[0] === 0xff || bytes[0] === 0xfe) return wrong('is UTF-16; save it as UTF-8');
    if (bytes.includes(0)) return wrong('is binary; name a YAML file');
    return bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    return wrong(why(error));
  }
}

function head(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MOST_BYTES + 1);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

/** Why a file cannot be read, in words. */
export function why(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist; check the path';
  if (code === 'EACCES' || code === 'EPERM') return 'cannot be read by this user; change its owner or mode';
  return `cannot be read (${code || 'unknown error'})`;
}

/** A key with nothing behind it counts as not written: its children may all be commented out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null)
      .map(([key, entry]) => [key, withoutNulls(entry)]),
  );
}
