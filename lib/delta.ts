/** Plain JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * What turns one JSON value into another. A number is added (0 removes the key it stands under), `[value]` replaces, an object patches
 * member by member; of arrays too, whose change of length stands under `length`. Ages that all grow by one tick become one repeated number.
 */
export type Delta = number | [Json] | { [key: string]: Delta };

/** The delta from `before` to `after`; undefined when they are equal. */
export function diff(before: Json, after: Json): Delta | undefined {
  if (before === after) return undefined;
  if (Number.isSafeInteger(before) && Number.isSafeInteger(after)) return step(before as number, after as number);
  if (Array.isArray(before) && Array.isArray(after)) return diffArrays(before, after);
  if (isRecord(before) && isRecord(after)) return diffRecords(before, after);
  return [after];
}

/** `before` with `delta` applied; neither is changed, and parts that did not change are shared. */
export function patch(before: Json, delta: Delta): Json {
  if (typeof delta === 'number') return (before as number) + delta;
  if (Array.isArray(delta)) return delta[0];
  if (Array.isArray(before)) return patchArray(before, delta);
  const members = new Map(Object.entries(before as Record<string, Json>));
  for (const [key, change] of Object.entries(delta)) {
    if (change === 0) members.delete(key);
    else members.set(key, Array.isArray(change) ? change[0] : patch(members.get(key) ?? null, change));
  }
  return Object.fromEntries(members);
}

function step(before: number, after: number): Delta | undefined {
  // -0 is equal to 0 and JSON writes it as 0; a sum that leaves the exact integers is written out.
  const by = after - before;
  if (by === 0) return undefined;
  return Number.isSafeInteger(by) ? by : [after];
}

function diffRecords(before: Record<string, Json>, after: Record<string, Json>): Delta | undefined {
  const changes: [string, Delta][] = [];
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) changes.push([key, 0]);
  for (const [key, value] of Object.entries(after)) {
    const change = Object.hasOwn(before, key) ? diff(before[key] ?? null, value) : ([value] satisfies Delta);
    if (change !== undefined) changes.push([key, change]);
  }
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

function diffArrays(before: Json[], after: Json[]): Delta | undefined {
  const changes: [string, Delta][] = before.length === after.length ? [] : [['length', after.length - before.length]];
  after.forEach((value, at) => {
    const old = before[at];
    const change: Delta | undefined = old === undefined ? [value] : diff(old, value);
    if (change !== undefined) changes.push([String(at), change]);
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

function patchArray(before: Json[], delta: { [key: string]: Delta }): Json[] {
  const { length: longer = 0, ...changes } = delta;
  const after = before.slice(0, before.length + (longer as number));
  for (const [at, change] of Object.entries(changes)) after[Number(at)] = Array.isArray(change) ? change[0] : patch(before[Number(at)] ?? null, change);
  return after;
}

function isRecord(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
