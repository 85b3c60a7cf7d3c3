import type { ProbeResult } from '@/lib/model/probe';
import type { SeriesName } from '@/lib/model/sample';
import type { CoverageOf, CoverageView } from '@/lib/model/snapshot';
import type { Target, TargetId } from '@/lib/model/target';
import type { Window } from '@/lib/model/window';
import { motion } from '@/lib/reading/engine';
import { classify, enginesBehind, frontEnds } from '@/lib/reading/front-end';
import { ranksOf } from '@/lib/reading/ranks';

const WITHIN_MS = 600_000;
/** By then both sides' pages have been read after the answer. */
const COUNTED_MS = 12_000;
const MOST_PAIRS = 64;
const MOST_KEPT = 4_096;

type Proof = { at: number; probe?: string; because: string };

/** Remembers which rank and which pair gave the last good answer; judged once per answer, as soon as the counters around it are in. */
export function createCoverage() {
  const judged = new Set<string>();
  const proofs = new Map<string, Proof>();

  return {
    /** Once a second. */
    see(window: Window) {
      for (const front of frontEnds(window))
        for (const p of window.probes(front.id)) {
          const endedAt = p.sentAt + p.exchange.elapsedMs;
          if (judged.has(p.id) || !p.exchange.ended || window.at < endedAt + COUNTED_MS) continue;
          judged.add(p.id);
          const is = classify(p, window);
          if (is === 'good' || is === 'slow') credit(window, front, p);
        }
      forget(judged);
      forget(proofs);
    },

    view(window: Window): CoverageView | undefined {
      const engines = window.targets.filter((t) => t.role === 'prefill' || t.role === 'decode' || t.role === 'unified');
      if (engines.length === 0) return undefined;
      const ranks = engines.flatMap((t) => rankRows(window, t));
      const pairs = window.edges.filter((edge) => edge.kind === 'kv');
      const rows = pairs.map(({ from, to }) => ({ prefill: from, decode: to, ...standing(window, proofs.get(`${from} ${to}`), pairUntold(window, from, to)) }));
      // those in doubt first: the answered ones are the many
      const shown = [...rows].sort((a, b) => Number(a.is === 'answered') - Number(b.is === 'answered')).slice(0, MOST_PAIRS);
      return {
        withinMs: WITHIN_MS,
        ranks,
        pairs: rows.length > MOST_PAIRS ? shown : rows,
        ...(rows.length > MOST_PAIRS ? { more: rows.length - MOST_PAIRS } : {}),
      };
    },
  };

  /** Give the answer to those who can only have made it. */
  function credit(window: Window, front: Target, p: ProbeResult) {
    const engines = enginesBehind(window, front.id);
    const prefill = culprit(
      window,
      engines.filter((e) => e.role === 'prefill'),
      p,
    );
    const decode = culprit(
      window,
      engines.filter((e) => e.role !== 'prefill'),
      p,
    );
    const at = p.sentAt;
    for (const one of [prefill, decode]) if (one) keep(one.target.id, { at, probe: p.id, because: one.because });
    if (prefill && decode)
      keep(`${prefill.target.id} ${decode.target.id}`, {
        at,
        probe: p.id,
        because: `${decode.because}${decode.because === prefill.because ? '' : `; ${prefill.because}`}`,
      });
    if (decode) creditRank(window, decode.target, p);
  }

  function creditRank(window: Window, target: Target, p: ProbeResult) {
    const moved = ranksOf(window, target.id).filter((rank) => (tokens(window, target, p, rank) ?? 0) > 0);
    if (moved.length === 1) keep(`${target.id}#${moved[0]}`, { at: p.sentAt, probe: p.id, because: 'the only rank that made tokens meanwhile' });
  }

  function keep(key: string, proof: Proof) {
    if ((proofs.get(key)?.at ?? 0) > proof.at) return;
    proofs.delete(key);
    proofs.set(key, proof);
  }

  function rankRows(window: Window, target: Target): CoverageView['ranks'] {
    const ranks = ranksOf(window, target.id);
    const whole = { target: target.id, ...standing(window, newer(proofs.get(target.id), finished(window, target)), untold(window, target)) };
    if (ranks.length === 0) return [whole];
    return ranks.map((rank) => ({
      target: target.id,
      rank,
      ...standing(window, newer(proofs.get(`${target.id}#${rank}`), worked(window, target, rank)), untold(window, target, rank)),
    }));
  }
}

/** The one engine of a role that can have answered: the only one there is, or the only one whose tokens moved while the chat was out. */
function culprit(window: Window, of: readonly Target[], p: ProbeResult): { target: Target; because: string } | undefined {
  const [first] = of;
  if (first && of.length === 1) return { target: first, because: `our chat: there is no other ${first.role} behind its front-end` };
  const told = of.map((target) => ({ target, n: tokens(window, target, p) }));
  if (told.some((each) => each.n === undefined)) return undefined;
  const moved = told.filter((each) => (each.n ?? 0) > 0);
  const only = moved.length === 1 ? moved[0]?.target : undefined;
  return only && { target: only, because: `our chat: no other ${only.role} moved meanwhile` };
}

function tokens(window: Window, target: Target, p: ProbeResult, rank?: string): number | undefined {
  const to = p.sentAt + p.exchange.elapsedMs + COUNTED_MS / 2;
  if (rank !== undefined)
    return window.moved(target.id, 'realtime_tokens_total', p.sentAt, to, { rank, by: target.role === 'prefill' ? 'prefill_compute' : 'decode' });
  const m = motion(window, target.id, p.sentAt, to);
  return target.role === 'prefill' ? m.prefillTokens : m.decodeTokens;
}

/** Requests that an engine counts as finished are answers too, if not ours. */
function finished(window: Window, target: Target): Proof | undefined {
  const name: SeriesName = 'num_requests_total';
  const s = window.series(target.id).find((each) => each.name === name);
  return s?.changedAt === undefined ? undefined : { at: s.changedAt, because: 'its own count of finished requests rose' };
}

/** A rank that makes tokens works, whoever they are for. */
function worked(window: Window, target: Target, rank: string): Proof | undefined {
  const by = target.role === 'prefill' ? 'prefill_compute' : 'decode';
  const s = window.series(target.id).find((each) => each.name === 'realtime_tokens_total' && each.rank === rank && each.by === by);
  return s?.changedAt === undefined ? undefined : { at: s.changedAt, because: 'its own count of tokens rose' };
}

/** Why an engine or a rank cannot be told from the others; undefined where its counters would tell. */
function untold(window: Window, target: Target, rank?: string): string | undefined {
  if (rank !== undefined)
    return worked(window, target, rank) || has(window, target.id, 'realtime_tokens_total', rank) ? undefined : 'no counter is exported per rank';
  if (has(window, target.id, 'num_requests_total')) return undefined;
  return window.targets.filter((t) => t.role === target.role).length === 1 ? undefined : 'it exports no count of finished requests';
}

function pairUntold(window: Window, prefill: TargetId, decode: TargetId): string | undefined {
  const several = [prefill, decode].some((id) => window.targets.filter((t) => t.role === window.target(id)?.role).length > 1);
  return several ? 'no counter tells which pair served a chat while others work too' : undefined;
}

function standing(window: Window, proof: Proof | undefined, untoldBecause: string | undefined): CoverageOf {
  if (proof && window.at - proof.at <= WITHIN_MS)
    return { is: 'answered', at: proof.at, ...(proof.probe === undefined ? {} : { probe: proof.probe }), because: proof.because };
  if (untoldBecause !== undefined) return { is: 'cannot be told', because: untoldBecause };
  return { is: 'not seen', ...(proof ? { at: proof.at } : {}), because: proof ? 'nothing since' : 'nothing since we watch' };
}

function newer(a: Proof | undefined, b: Proof | undefined): Proof | undefined {
  return !a || (b && b.at > a.at + COUNTED_MS) ? b : a;
}

function has(window: Window, id: TargetId, name: SeriesName, rank?: string): boolean {
  return window.series(id).some((s) => s.name === name && (rank === undefined || s.rank === rank));
}

/** Oldest first, as they were put in. */
function forget(of: Set<string> | Map<string, unknown>) {
  for (const key of of.keys()) {
    if (of.size <= MOST_KEPT) return;
    of.delete(key);
  }
}
