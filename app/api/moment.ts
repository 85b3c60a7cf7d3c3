const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))?$/;

/** A moment as people paste it: ISO time with its zone, a date (UTC), epoch in ms or s, `now`, `now-15m`. Undefined when it is none of these. */
export function momentOf(text: string, now: number): number | undefined {
  const word = text.trim();
  if (word === 'now') return now;
  if (word.startsWith('now-')) {
    const back = spanOf(word.slice(4));
    return back === undefined ? undefined : now - back;
  }
  if (/^\d{12,14}$/.test(word)) return Number(word);
  if (/^\d{9,10}(\.\d+)?$/.test(word)) return Math.round(Number(word) * 1_000);
  // A plus that was not escaped arrives as a space.
  const iso = word.replace(/ (\d\d:?\d\d)$/, '+$1');
  const at = ISO.test(iso) ? Date.parse(iso) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** A duration such as `10s`, `1h30m`, `250ms`, in ms; undefined when it is none. */
export function spanOf(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gy)];
  if (parts.length === 0 || parts.map((part) => part[0]).join('') !== text) return undefined;
  return parts.reduce((sum, part) => sum + Number(part[1]) * (UNIT_MS[part[2] ?? ''] ?? 0), 0);
}

/** A duration in the notation that is read, for sentences: `1h30m`. */
export function spanText(ms: number): string {
  let rest = Math.round(ms);
  const parts = Object.entries(UNIT_MS)
    .reverse()
    .map(([unit, size]) => {
      const count = Math.floor(rest / size);
      rest -= count * size;
      return count > 0 ? `${count}${unit}` : '';
    });
  return parts.join('') || '0s';
}
