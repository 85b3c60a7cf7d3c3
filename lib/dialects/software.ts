import type { HealthReading, Software } from '@/lib/model/dialect';
import type { Kind } from '@/lib/model/target';
import { dialectOf } from './recognise';

const DUMMY: HealthReading = {
  by: 'the health server of a node with rank > 0, which knows nothing else',
  proves: 'That this machine is up. It says 200 for ever, whatever its engine does.',
};

/** What the dialects know, asked by kind. */
export const software: Software = {
  reads: (kind, seen) => readingOf(kind, seen.path, dialectOf(kind)?.reads?.(seen)),
  otherHealth: (kind) => dialectOf(kind)?.otherHealth ?? [],
  meanings: (kind) => dialectOf(kind)?.meanings ?? [],
};

/** What a 200 on a health path of this software means, whichever code it came from. */
export function proves(kind: Kind, path: string): string {
  return dialectOf(kind)?.health.find((h) => h.path === path)?.proves ?? 'An HTTP answer, nothing more.';
}

function readingOf(kind: Kind, path: string, read: HealthReading | undefined): HealthReading {
  if (read !== undefined) return read;
  return kind === 'dummy' ? DUMMY : { by: `${dialectOf(kind)?.title ?? 'a server that we do not know'} itself`, proves: proves(kind, path) };
}
