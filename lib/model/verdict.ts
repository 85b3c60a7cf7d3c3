import type { HangPhase } from './probe';
import type { TargetId } from './target';

/** Worst first: the order in which a stack's verdict is taken from its front-ends'. */
export const VERDICTS = ['hanging', 'down', 'misconfigured', 'degraded', 'unknown', 'ok'] as const;

/** ok: completes as usual. degraded: progress with pain. hanging: accepted, never completed. down: fails quickly. misconfigured: refused by a setting. unknown: we were blind. */
export type Verdict = (typeof VERDICTS)[number];

/** Whether we were looking: `live` within two periods, `late` beyond, `blind` when our own loops stood or the network failed. */
export type Freshness = 'live' | 'late' | 'blind';

/** Where a request stops. */
export const PLACES = ['front-end', 'router path', 'prefill', 'kv-transfer', 'decode', 'engine', 'response path', 'dashboard network', 'none'] as const;
export type PlaceKind = (typeof PLACES)[number];

/** A place down to the instance and rank where known; `inferred` when no counter of that very hop said so. */
export type Place = { kind: PlaceKind; target?: TargetId; name?: string; rank?: string; inferred: boolean };

/** The detector's one judgement of one front-end, engine or stack. All of the screen derives from it. */
export type Judgement = {
  verdict: Verdict;
  freshness: Freshness;
  /** Finer word inside the verdict: `suspect`, `warm-up`, `slow`, `shedding`, `circuit open`, `name`, `key`, `no metrics`... */
  detail?: string;
  /** Wall-clock ms since when this verdict holds. */
  since: number;
  phase?: HangPhase;
  place?: Place;
  /** Failed of the last n probes that count, with its 95 % Wilson interval in 0..1. */
  rate?: { failed: number; of: number; low: number; high: number };
  /** One sentence on what evidence. */
  because: string;
  /** Node under which this one is only a witness: "suppressed". */
  suppressedBy?: TargetId;
};

export function worst(verdicts: Iterable<Verdict>): Verdict {
  const present = new Set(verdicts);
  return VERDICTS.find((verdict) => present.has(verdict)) ?? 'unknown';
}

/** "decode decode-0 rank 2", "front-end router"; an engine that is called like its place is not said twice. */
export function placeName(place: Place): string {
  const hasName =
    place.name !== undefined && place.name !== place.kind && (place.target !== undefined || place.kind === 'front-end' || place.kind === 'router path');
  return place.kind + (hasName ? ` ${place.name}` : '') + (place.rank === undefined ? '' : ` rank ${place.rank}`);
}
