/** What a key asks the desk to do. */
export type Wish =
  | { kind: 'help' }
  | { kind: 'palette' }
  | { kind: 'step'; seconds: number }
  | { kind: 'pause' }
  | { kind: 'live' }
  | { kind: 'zoom-out' }
  | { kind: 'act'; key: 'a' | 's' | 'e' }
  | { kind: 'copy' }
  | { kind: 'up' }
  | { kind: 'go'; path: string };

type Press = { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/** The keys as they are told to people: what to press and what it does. */
export const KEY_MAP: readonly (readonly [keys: string, does: string])[] = [
  ['?', 'this list'],
  ['/ or Ctrl K', 'search: nodes, probes, times, pages, and what can be done'],
  ['[ and ]', 'one second back or forth (Shift: ten)'],
  ['Space', 'hold this second, or go on'],
  ['l', 'back to live'],
  ['z', 'zoom out'],
  ['a, s, e', 'go to acknowledge, shelve, experiment'],
  ['c', 'copy a link to this second'],
  ['k', 'the wall'],
  ['g then o, i, w', 'go to overview, incidents, wall'],
  ['Esc', 'close, or one level up'],
  ['Arrow keys', 'on the map: walk the lanes, Enter pins, twice opens; on a chart: move the cursor, Enter pins it'],
];

const PAGES: Readonly<Record<string, string>> = { o: '/', i: '/incidents', w: '/wall' };

/** The wish behind a key; `before` is the key pressed just before, for `g` and its letter. Single keys can be off; Ctrl K and Esc stay. */
export function wishOf(press: Press, before: string | undefined, areSingleOn: boolean): Wish | undefined {
  const { key } = press;
  if ((press.ctrlKey || press.metaKey) && key.toLowerCase() === 'k') return { kind: 'palette' };
  if (press.ctrlKey || press.metaKey || press.altKey) return undefined;
  if (key === 'Escape') return { kind: 'up' };
  if (!areSingleOn) return undefined;
  const page = before === 'g' ? PAGES[key] : undefined;
  if (page !== undefined) return { kind: 'go', path: page };
  return SINGLE[key];
}

const SINGLE: Readonly<Record<string, Wish>> = {
  '?': { kind: 'help' },
  '/': { kind: 'palette' },
  '[': { kind: 'step', seconds: -1 },
  ']': { kind: 'step', seconds: 1 },
  // Shift and a bracket make a brace on the keyboards that have brackets as keys.
  '{': { kind: 'step', seconds: -10 },
  '}': { kind: 'step', seconds: 10 },
  ' ': { kind: 'pause' },
  l: { kind: 'live' },
  z: { kind: 'zoom-out' },
  a: { kind: 'act', key: 'a' },
  s: { kind: 'act', key: 's' },
  e: { kind: 'act', key: 'e' },
  c: { kind: 'copy' },
  k: { kind: 'go', path: '/wall' },
};

/** The page one level up: a probe and a node lie under the overview, an incident under the list. */
export function levelUp(path: string): string | undefined {
  if (path === '/') return undefined;
  return /^\/incidents\/./.test(path) ? '/incidents' : '/';
}
