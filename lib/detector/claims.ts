import type { HealthReading, Software } from '@/lib/model/dialect';
import type { ProbeResult } from '@/lib/model/probe';
import type { SampleSource, SeriesName } from '@/lib/model/sample';
import type { ClaimView, ExportTable, NodeView } from '@/lib/model/snapshot';
import type { Target } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';

const MOST_VANISHED = 16;
/** Two pages later than its page, a series is gone. */
const GONE_MS = 12_000;

/** A list in which each value stands once, however often it is said. */
export type Once<T> = { list: T[]; place(value: T): number };

export function once<T>(): Once<T> {
  const list: T[] = [];
  const known = new Map<string, number>();
  return {
    list,
    place(value) {
      const key = JSON.stringify(value);
      const at = known.get(key) ?? list.push(value) - 1;
      known.set(key, at);
      return at;
    },
  };
}

/** The health truth table of one node: each URL, what it said, and what code said so. */
export function viewClaims(window: Window, target: Target, software: Software, readings: Once<HealthReading>): ClaimView[] {
  const exports = new Set<SeriesName>(window.series(target.id).map((s) => s.name));
  const reading = (path: string, status: number | undefined, tookMs: number) =>
    readings.place(software.reads(target.kind, { path, ...(status === undefined ? {} : { status }), tookMs, exports }));
  const asked = window.healths(target.id).map((h): ClaimView => {
    const { status } = h.exchange;
    const tookMs = Math.round(tookOf(h, window.at));
    return { path: h.path, ...(status === undefined ? {} : { status }), tookMs, at: h.sentAt, says: saysOf(h), reading: reading(h.path, status, tookMs) };
  });
  const others = software.otherHealth(target.kind).map(({ path, notAsked }): ClaimView => {
    const claim = window.claims(target.id).find((each) => each.path === path);
    if (notAsked !== undefined || claim === undefined) return { path, says: 'not asked', ...(notAsked === undefined ? {} : { notAsked }) };
    const { status, tookMs, at } = claim;
    const says = status === undefined ? 'silent' : statusSays(status);
    return { path, ...(status === undefined ? {} : { status }), tookMs: Math.round(tookMs), at, says, reading: reading(path, status, tookMs) };
  });
  return [...asked, ...others.filter((each) => !asked.some((one) => one.path === each.path))];
}

/** Under which names a node exports what, as a table that nodes of one build share; undefined before its first page. */
export function viewExports(window: Window, target: Target, software: Software, exports: Once<ExportTable>): Pick<NodeView, 'exports' | 'vanished'> {
  const all = window.series(target.id);
  if (all.length === 0) return {};
  const found = new Map<string, ExportTable['found'][number]>();
  for (const s of all) found.set(`${s.name} ${s.source}`, [s.name, s.alias ?? exportedName(s.name, s.source), s.source]);
  const have = new Set(all.map((s) => s.name));
  const missing = software.meanings(target.kind).filter((name) => !have.has(name));
  const vanished = all.flatMap((s) => {
    const last = s.points.at(-1)?.at ?? 0;
    return (window.page(target.id, s.source)?.lastOk ?? 0) - last > GONE_MS ? [{ key: s.key, at: last }] : [];
  });
  return {
    exports: exports.place({ found: [...found.values()].sort(([a], [b]) => (a < b ? -1 : 1)), missing }),
    ...(vanished.length > 0 ? { vanished: vanished.slice(0, MOST_VANISHED) } : {}),
  };
}

/** A series without an alias has SGLang's own name. */
function exportedName(name: SeriesName, source: SampleSource): string {
  return source === 'loads' ? 'a field of /v1/loads' : source === 'router' ? name : `sglang:${name}`;
}

function tookOf(h: ProbeResult, at: number): number {
  return h.exchange.status === undefined && h.outcome === 'pending' ? Math.max(0, at - h.sentAt) : h.exchange.elapsedMs;
}

function saysOf(h: ProbeResult): ClaimView['says'] {
  const { status } = h.exchange;
  if (h.outcome === 'refused') return 'refused';
  if (status !== undefined) return statusSays(status);
  return h.late ? 'silent' : h.outcome === 'pending' ? 'slow' : 'error';
}

function statusSays(status: number): ClaimView['says'] {
  if (status === 200) return 'up';
  return status === 503 ? 'not ready' : status === 404 ? 'no such path' : 'error';
}
