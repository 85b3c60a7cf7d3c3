import type { Incident } from '@/lib/model/incident';
import type { Kept, KeptSeries, Odds, Reading } from '@/lib/model/kept';
import type { ProbeResult } from '@/lib/model/probe';
import { QUEUES_AND_PROGRESS } from '@/lib/model/sample';
import type { Snapshot, StackView } from '@/lib/model/snapshot';
import { takesChats } from '@/lib/model/target';
import type { Store } from '@/lib/stores/store';

const ODDS_EVERY_MS = 5_000;
const ODDS_BEFORE_MS = 120_000;
const MOST_ODDS = 240;
const SAVE_EVERY_MS = 30_000;
const BEFORE_MS = 600_000;
/** The counters of a longer incident are in the ordinary history; reading days of them would hold up the thread that times probes. */
const FOLLOWED_MS = 3_600_000;
const READ_WITHIN_MS = 60_000;
const LEAST_STEP_MS = 10_000;
const MOST_POINTS = 120;
const HUNG_EACH = 4;
const FIRST_CHATS_MS = 300_000;
const MOST_NODES = 32;

/** What of the counters is kept as a series: queues, progress, and the signs of a scheduler's life. */
const KEPT_NAMES = [...QUEUES_AND_PROGRESS, 'loads_age_seconds', 'num_aborted_requests_total'];

/** Takes at the first bad verdict what a restart would erase, follows the suspicions while the incident is open, and closes the record with it. */
export function keeper(store: () => Store) {
  const open = new Map<string, { kept: Kept; savedAt: number }>();
  const before = new Map<string, Odds[]>();

  return {
    /** Once a second. */
    seen(snapshot: Snapshot) {
      for (const stack of snapshot.stacks) {
        const { incident } = stack;
        const running = incident && (open.get(incident.id) ?? recalled(incident.id));
        const list = running ? running.kept.odds : (before.get(stack.id) ?? []);
        if (snapshot.at - (list.at(-1)?.at ?? 0) < ODDS_EVERY_MS) continue;
        list.push(oddsOf(stack, snapshot.at));
        if (!running)
          before.set(
            stack.id,
            list.filter((each) => each.at > snapshot.at - ODDS_BEFORE_MS),
          );
        else {
          running.kept.odds = thinned(list);
          if (snapshot.at - running.savedAt >= SAVE_EVERY_MS) {
            refresh(running.kept, snapshot.at);
            save(running, snapshot.at);
          }
        }
      }
    },
    opened(incident: Incident, snapshot: Snapshot) {
      const stack = snapshot.stacks.find((each) => each.id === incident.stack);
      // One that is opened again has its first moment already.
      if (!stack || open.has(incident.id) || recalled(incident.id)) return;
      const { at } = snapshot;
      const ids = nodesOf(stack);
      const odds = [...(before.get(stack.id) ?? []), oddsOf(stack, at)];
      const kept: Kept = {
        id: incident.id,
        at,
        first: stack,
        readings: readings(store(), ids, at),
        probes: probesOf(store(), stack),
        series: seriesOf(store(), ids, at - BEFORE_MS, at),
        odds,
      };
      const running = { kept, savedAt: at };
      open.set(incident.id, running);
      save(running, at);
    },
    closed(incident: Incident, snapshot: Snapshot) {
      const running = open.get(incident.id) ?? recalled(incident.id);
      const stack = snapshot.stacks.find((each) => each.id === incident.stack);
      if (!running || !stack) return;
      running.kept.last = stack;
      refresh(running.kept, snapshot.at);
      save(running, snapshot.at);
      open.delete(incident.id);
      before.delete(stack.id);
    },
  };

  /** What came to be known since: chats that hung first have ended, and the first hour has gone on. */
  function refresh(kept: Kept, at: number) {
    kept.probes = merged(kept.probes, probesSince(store(), kept)).map((each) => store().probe(each.id) ?? each);
    const to = Math.min(at, kept.at + FOLLOWED_MS);
    if (at <= kept.at + FOLLOWED_MS + SAVE_EVERY_MS) kept.series = seriesOf(store(), nodesOf(kept.first), kept.at - BEFORE_MS, to);
  }

  function recalled(id: string) {
    const kept = store().kept(id);
    if (!kept) return undefined;
    const running = { kept, savedAt: 0 };
    open.set(id, running);
    return running;
  }

  function save(running: { kept: Kept; savedAt: number }, at: number) {
    running.savedAt = at;
    store().putKept(running.kept);
  }
}

function oddsOf(stack: StackView, at: number): Odds {
  return { at, odds: stack.odds ?? Object.fromEntries(stack.hypotheses.map((each) => [each.id, Math.round(each.logOdds * 100) / 100])) };
}

/** Every other one of the older half goes, so that a long incident is told as coarsely as its length allows. */
function thinned(list: Odds[]): Odds[] {
  return list.length < MOST_ODDS ? list : list.filter((_, index) => index % 2 === 0 || index > list.length / 2);
}

/** Those in trouble first: a very large stack is kept in part. */
function nodesOf(stack: StackView): string[] {
  const isBad = (id: string) => stack.nodes.some((node) => node.id === id && node.judgement.verdict !== 'ok');
  const ids = stack.nodes.map((node) => node.id);
  return [...ids.filter(isBad), ...ids.filter((id) => !isBad(id))].slice(0, MOST_NODES);
}

function readings(store: Store, targets: string[], at: number): Reading[] {
  const from = at - READ_WITHIN_MS;
  return store.range({ targets, from, to: at + 1, stepMs: 5_000 }).flatMap(({ target, key, buckets }) => {
    const last = buckets.filter((each) => each.last !== null).at(-1);
    return last?.last === undefined || last.last === null ? [] : [{ target, key, value: last.last, at: last.at }];
  });
}

function seriesOf(store: Store, targets: string[], from: number, to: number): KeptSeries[] {
  const stepMs = Math.max(LEAST_STEP_MS, Math.ceil((to - from) / MOST_POINTS / 1_000) * 1_000);
  const all = store
    .range({ targets, names: KEPT_NAMES, from, to, stepMs })
    .filter(({ buckets }) => buckets.some((each) => each.max !== null && each.max !== 0));
  // A time before anything was read is no part of the picture.
  const first = Math.max(0, Math.min(...all.map(({ buckets }) => buckets.findIndex((each) => each.max !== null))));
  return all.map(({ target, key, name, buckets }) => {
    const known = buckets.slice(first);
    return { target, key, name, stepMs, from: known[0]?.at ?? from, min: known.map((each) => each.min), max: known.map((each) => each.max) };
  });
}

/** Of each front-end the first chats of the incident that failed or hang. */
function probesSince(store: Store, kept: Kept): ProbeResult[] {
  return chatTakers(kept.first).flatMap((target) => {
    const chats = store.probes({ target, from: kept.at - READ_WITHIN_MS, to: kept.at + FIRST_CHATS_MS, limit: 60 }).filter(isTold);
    return chats.filter((each) => each.outcome !== 'ok').slice(-HUNG_EACH);
  });
}

function merged(known: readonly ProbeResult[], more: readonly ProbeResult[]): ProbeResult[] {
  const all = [...known, ...more.filter((each) => !known.some((one) => one.id === each.id))];
  const hung = (target: string) => all.filter((each) => each.target === target && each.outcome !== 'ok').sort((a, b) => a.sentAt - b.sentAt);
  return all.filter((each) => each.outcome === 'ok' || hung(each.target).slice(0, HUNG_EACH).includes(each)).sort((a, b) => b.sentAt - a.sentAt);
}

function chatTakers(stack: StackView): string[] {
  return stack.nodes
    .filter(takesChats)
    .slice(0, MOST_NODES)
    .map((node) => node.id);
}

function isTold(probe: ProbeResult): boolean {
  return probe.proves === 'service' && probe.outcome !== 'pending' && probe.purpose !== 'experiment';
}

/** Of each front-end the chats that failed or hang, and the last that was answered. */
function probesOf(store: Store, stack: StackView): ProbeResult[] {
  return chatTakers(stack).flatMap((target) => {
    const chats = store.probes({ target, limit: 40 }).filter(isTold);
    const good = chats.find((each) => each.outcome === 'ok');
    const bad = chats.filter((each) => each.outcome !== 'ok' && each.sentAt >= (good?.sentAt ?? 0)).slice(-HUNG_EACH);
    return good ? [...bad, good] : bad;
  });
}
