import { type Config, DEFAULTS } from '@/lib/model/config';
import type { Ranked } from '@/lib/model/hypothesis';
import type { Effect, Incident } from '@/lib/model/incident';
import type { Observation, ScrapeOutcome } from '@/lib/model/observation';
import type { Outcome, ProbeResult, Purpose } from '@/lib/model/probe';
import type { Sample, SeriesName } from '@/lib/model/sample';
import type { Snapshot } from '@/lib/model/snapshot';
import type { Kind, Role, Target } from '@/lib/model/target';
import { numbers, stateAt } from '@/lib/scenarios/notation';
import { createDetector } from './detector';
import { weigh } from './rank';
import { Facts } from './window';

/** A stack told in one-line notation, second by second; the detector's own test bench, with a budget-keeping stand-in for the collector. */
export type Story = {
  seconds: number;
  /** Chat spell per front-end: ok, slow, drip (a token each 4 s), hung, headers, role, stalled, reset, refused, or a status such as 404. */
  chat: Record<string, string>;
  health?: Record<string, string>;
  /** `decode num_decode_transfer_queue_reqs`, `prefill loads_age_seconds@loads`, `decode http_requests_active{chat}`: one number per 5 s; `decode num_queue_reqs#2` is that of rank 2. */
  series?: Record<string, string>;
  /** Scrape outcome spell per engine: ok, refused, timeout. */
  pages?: Record<string, string>;
  models?: Record<string, string[]>;
  /** Workers that a front-end lists, by the name of a watched engine or an address that nobody watches. */
  workers?: Record<string, string[]>;
  ttftMs?: number;
  /** Seconds during which we ourselves stood still. */
  pauses?: [number, number][];
  engines?: Record<string, Role>;
  /** Engines of this software instead of SGLang. One that is also named in `chat` serves users itself. */
  kinds?: Record<string, Kind>;
  /** The role that a list tells of workers that nobody watches. */
  strangers?: 'prefill' | 'decode';
  /** Each prefill is known to hand over to each decode. */
  kv?: boolean;
  /** Incidents left open by an earlier run. */
  open?: Incident[];
};

export type Told = {
  at(second: number): Snapshot;
  effects: { second: number; effect: Effect }[];
  everyVerdict: (front: string) => string[];
  /** All suspicions as weighed in that second, also those that the snapshot of a well stack leaves out. */
  weighed(second: number): Ranked[];
};

const T0 = 1_700_000_000_000;
const STACK = 's';
const SPELLS: Record<string, { outcome: Outcome; silent: boolean }> = {
  hung: { outcome: 'zero-bytes', silent: true },
  headers: { outcome: 'headers-only', silent: true },
  role: { outcome: 'role-only', silent: true },
  stalled: { outcome: 'stalled', silent: true },
  reset: { outcome: 'reset', silent: false },
  refused: { outcome: 'refused', silent: false },
};

export function tell(story: Story): Told {
  const config = { stacks: [{ id: STACK, name: STACK, targets: [] }], probe: DEFAULTS.probe } as unknown as Config;
  const detector = createDetector({ config, build: 'test', ...(story.open ? { open: story.open } : {}) });
  const snapshots: Snapshot[] = [];
  const effects: { second: number; effect: Effect }[] = [];
  const engines = story.engines ?? { prefill: 'prefill', decode: 'decode' };
  const fronts = Object.keys(story.chat);
  const routers = fronts.filter((n) => !(n in engines));
  const targets = [
    ...routers.map((n, i) => target(n, 'router', 30001 + i)),
    ...Object.entries(engines).map(([n, role], i) => target(n, role, 30100 + i, story.kinds?.[n], n in story.chat)),
  ];
  const edges = routers.flatMap((f) => Object.keys(engines).map((e) => ({ from: f, to: e, kind: 'routes' as const, known: 'config' as const })));
  const ofRole = (role: Role) => Object.keys(engines).filter((name) => engines[name] === role);
  const handOvers = story.kv
    ? ofRole('prefill').flatMap((from) => ofRole('decode').map((to) => ({ from, to, kind: 'kv' as const, known: 'inferred' as const })))
    : [];
  const probes = new Map(fronts.map((f, i) => [f, { sent: [] as { p: ProbeResult; spell: string }[], next: 2 + i * 3 }]));
  const heard: { second: number; o: Observation }[] = [];
  const step = (second: number, o: Observation) => {
    heard.push({ second, o: structuredClone(o) });
    for (const effect of detector.step(o)) {
      effects.push({ second, effect });
      if (effect.kind === 'probe') ask(effect.target, effect.purpose, second);
    }
  };
  const ask = (front: string, purpose: Purpose, second: number) => {
    const mine = probes.get(front);
    if (!mine) return;
    const last = mine.sent.at(-1)?.p.sentAt ?? 0;
    const earliest = Math.max(second + 1, (last - T0) / 1000 + 10);
    mine.next = Math.min(mine.next, Math.ceil(earliest));
    const oldest = mine.sent.find((s) => !s.p.exchange.ended);
    if (purpose === 'heal' && oldest && mine.sent.filter((s) => !s.p.exchange.ended).length >= 3) mine.sent = mine.sent.filter((s) => s !== oldest);
  };
  step(0, { kind: 'topology', at: T0, stack: STACK, targets, edges: [...edges, ...handOvers] });
  for (const f of fronts) step(0, { kind: 'models', at: T0, target: f, models: { ids: story.models?.[f] ?? ['m'], at: T0 } });
  for (const [f, list] of Object.entries(story.workers ?? {}))
    step(0, {
      kind: 'workers',
      at: T0,
      target: f,
      workers: list.map((name) => {
        const known = targets.find((t) => t.id === name);
        return {
          url: known?.url ?? name,
          role: known === undefined ? (story.strangers ?? 'unknown') : known.role === 'prefill' ? 'prefill' : 'decode',
          ...(known ? { target: known.id } : {}),
        };
      }),
    });
  for (let second = 0; second <= story.seconds; second++) {
    const pause = story.pauses?.find(([from, to]) => second > from && second <= to);
    if (pause && second < pause[1]) {
      snapshots[second] = snapshots[second - 1] as Snapshot;
      continue;
    }
    const at = T0 + second * 1000;
    if (second % 5 === 0) for (const name of Object.keys(engines)) for (const o of scrapes(story, name, second, at)) step(second, o);
    for (const front of fronts) {
      if (second % 10 === 0) step(second, { kind: 'probe', at, result: health(front, stateAt(story.health?.[front] ?? 'ok', second), at) });
      for (const o of chats(story, front, second, at)) step(second, o);
    }
    step(second, {
      kind: 'self',
      at,
      self: { tick: second, lagMs: 2, gapMs: pause ? (pause[1] - pause[0]) * 1000 : 0, clockStepMs: 0, loops: [], budget: [] },
    });
    snapshots[second] = detector.snapshot() as Snapshot;
  }
  return {
    at: (second) => snapshots[second] as Snapshot,
    effects,
    weighed(second) {
      const facts = new Facts(() => undefined);
      for (const each of heard) if (each.second <= second) facts.absorb(each.o);
      return weigh(facts.view(STACK));
    },
    everyVerdict: (front) => snapshots.map((s) => s.stacks[0]?.nodes.find((n) => n.id === front)?.judgement.verdict ?? ''),
  };

  function chats(told: Story, front: string, second: number, at: number): Observation[] {
    const mine = probes.get(front);
    if (!mine) return [];
    const out: Observation[] = [];
    for (const s of mine.sent) {
      const age = at - s.p.sentAt;
      const ttft = told.ttftMs ?? 400;
      if (s.p.exchange.ended) continue;
      const spell = SPELLS[s.spell];
      if (s.spell === 'drip') {
        const due = s.p.reading === undefined && age >= s.p.deadlineMs;
        if (due || age >= 24_000) out.push(drop(s, at));
        continue;
      }
      if (s.spell === 'ok' || s.spell === 'slow') {
        const done = s.spell === 'ok' ? ttft : s.p.deadlineMs + 4_000;
        if (s.spell === 'slow' && !s.p.late && age >= s.p.deadlineMs) out.push(report(s, at, { outcome: 'zero-bytes', late: true }));
        if (age >= done) out.push(report(s, at, { outcome: 'ok', ended: true, ttft: done }));
      } else if (spell?.silent) {
        if (!s.p.late && age >= s.p.deadlineMs) out.push(report(s, at, { outcome: spell.outcome, late: true }));
      } else if (spell) out.push(report(s, at, { outcome: spell.outcome, ended: true }));
      else out.push(report(s, at, { outcome: 'rejected', ended: true, status: Number(s.spell) }));
    }
    const open = mine.sent.filter((s) => !s.p.exchange.ended).length;
    if (second >= mine.next && open < 3) {
      const d = detector.deadline(front);
      const p = probe(front, at, d.firstTokenMs);
      mine.sent.push({ p, spell: stateAt(told.chat[front] ?? 'ok', second) });
      mine.next = second + 12;
      out.push({ kind: 'probe', at, result: p });
    }
    return out;
  }
}

function report(s: { p: ProbeResult }, at: number, how: { outcome: Outcome; late?: boolean; ended?: boolean; status?: number; ttft?: number }): Observation {
  const elapsedMs = how.ttft ?? at - s.p.sentAt;
  s.p = {
    ...s.p,
    outcome: how.outcome,
    late: s.p.late || (how.late ?? false),
    sentence: `${how.status ?? how.outcome}`,
    exchange: { ...s.p.exchange, elapsedMs, ended: how.ended ?? false, ...(how.status ? { status: how.status, head: 'model not found' } : {}) },
    ...(how.ttft ? { reading: { tokens: 4, ttftMs: how.ttft, maxGapMs: 50, sawRole: true, sawDone: true, comments: 0, text: 'x' } } : {}),
  };
  return { kind: 'probe', at, result: s.p };
}

/** An answer of six tokens, one each 4 s from the first second on. */
function drop(s: { p: ProbeResult }, at: number): Observation {
  const elapsedMs = at - s.p.sentAt;
  const over = elapsedMs >= 24_000;
  const tokens = Math.min(6, 1 + Math.floor(elapsedMs / 4_000));
  const reading = { tokens, ttftMs: 1_000, maxGapMs: 4_000, sawRole: true, sawDone: over, comments: 0, text: 'x' };
  s.p = { ...s.p, outcome: over ? 'ok' : 'pending', maxTokens: 6, reading, exchange: { ...s.p.exchange, elapsedMs, ended: over } };
  return { kind: 'probe', at, result: s.p };
}

let serial = 0;
function probe(front: string, at: number, deadlineMs: number): ProbeResult {
  const exchange = { at, marks: { connected: 1, sent: 1 }, elapsedMs: 0, ended: false, headers: {}, bytes: 0, socketBytes: 0, head: '' };
  return {
    id: `p${serial++}`,
    target: front,
    probe: 'chat',
    proves: 'service',
    purpose: 'steady',
    path: '/v1/chat/completions',
    model: 'm',
    outcome: 'pending',
    late: false,
    sentence: '',
    sentAt: at,
    deadlineMs,
    deadlineFrom: 'configured',
    exchange,
    lagMs: 0,
    curl: '',
  };
}

function health(front: string, what: string, at: number): ProbeResult {
  const status = what === 'ok' ? 200 : Number(what) || undefined;
  const p = probe(front, at, 25_000);
  return {
    ...p,
    probe: 'health',
    proves: 'health',
    path: '/health',
    outcome: status === undefined ? 'refused' : 'ok',
    sentence: `${what}`,
    exchange: { ...p.exchange, elapsedMs: 5, ended: true, ...(status ? { status } : {}) },
  };
}

function target(name: string, role: Role, port: number, kind: Kind = role === 'router' ? 'sglang-router' : 'sglang', isProbed = role === 'router'): Target {
  return {
    id: name,
    stack: STACK,
    name,
    url: `http://127.0.0.1:${port}`,
    kind,
    role,
    known: ['config'],
    probed: isProbed,
  };
}

function scrapes(story: Story, engine: string, second: number, at: number): Observation[] {
  const page = stateAt(story.pages?.[engine] ?? 'ok', second);
  const samples = Object.entries(story.series ?? {}).flatMap(([key, spell]) => sampleOf(key, spell, engine, second));
  return (['metrics', 'loads'] as const).map((source) => ({
    kind: 'scrape',
    at,
    target: engine,
    source,
    outcome: page as ScrapeOutcome,
    tookMs: 5,
    samples: page === 'ok' ? samples.filter((s) => s.source === source) : [],
  }));
}

function sampleOf(key: string, spell: string, engine: string, second: number): Sample[] {
  const m = /^(\S+) (\w+)(?:\{(\w*:?\w*)\})?(?:#(\d+))?(@loads)?$/.exec(key);
  if (!m || m[1] !== engine) return [];
  const all = numbers(spell);
  const value = all[Math.min(second / 5, all.length - 1)];
  return value === undefined
    ? []
    : [{ name: m[2] as SeriesName, value, source: m[5] ? 'loads' : 'metrics', ...(m[3] ? { by: m[3] } : {}), ...(m[4] ? { rank: m[4] } : {}) }];
}
