import { type Document, isMap, isNode, isScalar, type LineCounter } from 'yaml';
import type { z } from 'zod';
import { HIDDEN, keysAt } from './schema';

/** One thing wrong: where, the value (never a secret), and what to write instead. */
export type Mistake = { path: readonly PropertyKey[]; says: string; value?: unknown; line?: number };

/** Where a path of the configuration stands in its file. */
export type Place = (path: readonly PropertyKey[], onKey?: boolean) => number | undefined;

export function placeIn(document: Document, lines: LineCounter): Place {
  return (path, onKey) => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = onKey && length === path.length ? keyNode(document, path) : document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  };
}

function keyNode(document: Document, path: readonly PropertyKey[]): unknown {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  return isMap(parent) ? parent.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(path.at(-1)))?.key : undefined;
}

/** What the schema found wrong, as mistakes. */
export function mistakesOf(issues: readonly z.core.$ZodIssue[], raw: unknown): Mistake[] {
  return issues.flatMap((issue): Mistake[] => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ path: [...issue.path, key], says: unknownKey(key, keysAt(issue.path) ?? []) }));
    const value = at(raw, issue.path);
    if (value === undefined) return [{ path: issue.path, says: `is missing; ${remedyOf(issue)}` }];
    if (issue.code === 'invalid_type' && issue.expected === 'object' && issue.path.length > 0)
      return [{ path: issue.path, says: 'is no group of keys; write its keys below it, indented' }];
    const isHidden = issue.code === 'custom' && issue.params?.hide === HIDDEN;
    return [{ path: issue.path, says: issue.message, ...(isHidden || mayHoldCredentials(value) ? {} : { value }) }];
  });
}

function remedyOf(issue: z.core.$ZodIssue): string {
  const key = String(issue.path.at(-1) ?? '');
  const examples: Readonly<Record<string, string>> = {
    name: 'write name: router',
    url: 'write url: http://host:port',
    stacks: 'name at least one stack with its targets',
    targets: 'name at least one target',
  };
  return examples[key] ?? 'write it, or take the part around it out';
}

function unknownKey(key: string, known: readonly string[]): string {
  const plain = (text: string) => text.toLowerCase().replace(/[-_]/g, '');
  const ranked = known.map((name) => ({ name, far: distance(plain(key).slice(0, 40), plain(name)) })).sort((a, b) => a.far - b.far);
  const nearest = ranked[0];
  const isNear = nearest !== undefined && nearest.far <= Math.max(1, Math.floor(nearest.name.length / 3));
  return isNear ? `is no key that is known here; did you mean ${nearest.name}?` : `is no key that is known here; known are ${known.join(', ')}`;
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length] ?? 0;
}

export function at(raw: unknown, path: readonly PropertyKey[]): unknown {
  // Safe: any non-null object may be read by key; what is found stays unknown.
  return path.reduce<unknown>(
    (node, key) => (typeof node === 'object' && node !== null && Object.hasOwn(node, key) ? (node as Record<PropertyKey, unknown>)[key] : undefined),
    raw,
  );
}

/** Something@somewhere may be a password: not repeated. */
function mayHoldCredentials(value: unknown): boolean {
  return typeof value === 'string' && value.includes('@');
}

/** `wedgewatch.yaml:7: stacks[0].targets[2].url: "localhost:30001" has no scheme; write http://localhost:30001` */
export function sentence(file: string, mistake: Mistake): string {
  const where = mistake.path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text === '' ? '' : '.'}${cut(String(key), 60)}`),
    '',
  );
  const value = shown(mistake.value);
  return `${file}${mistake.line === undefined ? '' : `:${mistake.line}`}: ${where === '' ? '' : `${where}: `}${value}${mistake.says}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? `${JSON.stringify(typeof value === 'string' ? cut(value, 80) : value)} `
    : '';
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}...` : text;
}
