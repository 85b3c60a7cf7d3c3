import type { SeriesName } from '@/lib/model/sample';
import type { TargetId } from '@/lib/model/target';
import type { Point, Window } from '@/lib/model/window';

const STRETCH_MS = 40_000;
const STRETCHES = 5;
const LEAST_RISE = 3;

/** Time over which the least length of a queue is what stands in it, not what passes. */
export const FLOOR_MS = 20_000;

/** Least length of a queue over consecutive stretches of time, oldest first; `falls` counts how often it became shorter, so that something passes through it. */
export type Floor = { key: string; at: number; floors: number[]; falls: number };

/** The floor of a queue over the last minutes, where it was read in each stretch; the live page wins over the metrics page. */
export function floorOf(window: Window, id: TargetId, name: SeriesName): Floor | undefined {
  const all = window.series(id).filter((s) => s.name === name);
  const s = all.find((x) => x.source === 'loads') ?? all[0];
  const last = s?.points.at(-1);
  if (!s || !last) return undefined;
  const stretches = Array.from({ length: STRETCHES }, (_, i) => within(s.points, last.at - (STRETCHES - i) * STRETCH_MS, STRETCH_MS)).filter(
    (p) => p.length > 1,
  );
  const floors = stretches.map((points) => Math.min(...points.map((p) => p.value)));
  const told = stretches.flat();
  const falls = told.filter((p, i) => p.value < (told[i - 1]?.value ?? p.value)).length;
  return { key: s.key, at: last.at, floors, falls };
}

/** A floor that only ever rises, and by more than chance: what entered and never leaves. Undefined where it does not. */
export function rise(floor: Floor | undefined): { from: number; to: number; overMs: number } | undefined {
  if (!floor || floor.floors.length < 3) return undefined;
  const from = floor.floors[0] ?? 0;
  const to = floor.floors.at(-1) ?? 0;
  const falls = floor.floors.some((f, i) => f < (floor.floors[i - 1] ?? f));
  return falls || to - from < LEAST_RISE ? undefined : { from, to, overMs: (floor.floors.length - 1) * STRETCH_MS };
}

/** Least value since a moment; one reading alone may be a request in passing and tells nothing. */
export function least(points: readonly Point[], since: number): number | undefined {
  const recent = points.filter((p) => p.at >= since);
  // an asking scheduler is read seldom: then its last two words count, if they are not old
  const told = recent.length >= 2 ? recent : points.slice(-2).filter((p) => p.at >= since - FLOOR_MS);
  return told.length < 2 ? undefined : Math.min(...told.map((p) => p.value));
}

/** The opposite: the greatest value over the same readings. */
export function greatest(points: readonly Point[], since: number): number | undefined {
  const mirrored = points.map((p) => ({ at: p.at, value: -p.value }));
  const low = least(mirrored, since);
  return low === undefined ? undefined : -low;
}

function within(points: readonly Point[], from: number, lastsMs: number): Point[] {
  return points.filter((p) => p.at > from && p.at <= from + lastsMs);
}
