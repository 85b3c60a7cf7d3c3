/**
 * One-line spells for what would be observed, after Prometheus's rule-test notation.
 * Numbers, one per scrape: `5x3` = 5 and three more 5s; `0+2x4` = 0 2 4 6 8; `8-1x2` = 8 7 6; `_x3` = absent three times.
 */
export function numbers(spell: string): (number | undefined)[] {
  return spell.trim().split(/\s+/).flatMap(one);
}

function one(word: string): (number | undefined)[] {
  const absent = /^_(?:x(\d+))?$/.exec(word);
  if (absent) return Array.from({ length: Number(absent[1] ?? 1) }, () => undefined);
  const m = /^(-?[\d.]+)(?:([+-][\d.]+))?(?:x(\d+))?$/.exec(word);
  if (!m) throw new Error(`notation: "${word}" is not a number spell; write 5, 5x3, 0+2x4 or _x3`);
  const start = Number(m[1]);
  const step = Number(m[2] ?? 0);
  return Array.from({ length: Number(m[3] ?? 0) + 1 }, (_, i) => start + step * i);
}

/** A state that holds for a while: `ok 60s, hung 120s, ok` reads as [{what:'ok',until:60},{what:'hung',until:180},{what:'ok',until:Infinity}]; seconds from the start. */
export function states(spell: string): { what: string; until: number }[] {
  let at = 0;
  return spell.split(',').map((part) => {
    const m = /^\s*(\S+?)(?:\s+(\d+)s)?\s*$/.exec(part);
    if (!m?.[1]) throw new Error(`notation: "${part.trim()}" is no state; write "ok 60s"`);
    at = m[2] ? at + Number(m[2]) : Number.POSITIVE_INFINITY;
    return { what: m[1], until: at };
  });
}

export function stateAt(spell: string, second: number): string {
  const all = states(spell);
  return (all.find((s) => second < s.until) ?? all.at(-1))?.what ?? '';
}
