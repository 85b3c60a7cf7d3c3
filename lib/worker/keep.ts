import type { Incident } from '@/lib/model/incident';
import type { Kept, KeptSeries, Odds, Reading } from '@/lib/model/kept';
import type { ProbeResult } from '@/lib/model/probe';
import type { Snapshot, StackView } from '@/lib/model/snapshot';
import { takesChats } from '@/lib/model/target';
import type { Store } from '@/lib/stores/store';

const ODDS_EVERY_MS = 5_000;
const ODDS_BEFORE_MS = 120_000;
const MOST_ODDS = 240;
const SAVE_EVERY_MS = 30_000;
const BEFORE_MS = 600_000;
const READ_WITHIN_MS = 60_000;
const LEAST_STEP_MS = 10_000;
const MOST_POINTS = 120;
const HUNG_EACH = 4;
const MOST_NODES = 32;

/** What of the counters is kept as a series: queues, progress, and the signs of a scheduler's life. */
export const KEPT_NAMES = [
  'num_queue_reqs',
  'num_running_reqs',
  'num_prefill_bootstrap_queue_reqs',
  'num_prefill_inflight_queue_reqs',
  'num_decode_prealloc_queue_reqs',
  'num_decode_transfer_queue_reqs',
  'num_decode_retracted_queue_reqs',
  'realtime_tokens_total',
  'generation_tokens_total',
  'loads_age_seconds',
  'num_aborted_requests_total',
];

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
          if (snapshot.at - running.savedAt >= SAVE_EVERY_MS) save(running, snapshot.at);
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
      const { kept } = running;
      kept.last = stack;
      kept.series = seriesOf(store(), nodesOf(kept.first), Math.min(kept.at, incident.openedAt) - BEFORE_MS / 2, snapshot.at);
      kept.probes = kept.probes.map((each) => store().probe(each.id) ?? each);
      save(running, snapshot.at);
      open.delete(incident.id);
      before.delete(stack.id);
    },
  };

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
  return { at, odds: Object.fromEntries(stack.hypotheses.map((each) => [each.id, Math.round(each.logOdds * 100) / 100])) };
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
  return store
    .range({ targets, names: KEPT_NAMES, from, to, stepMs })
    .filter(({ buckets }) => buckets.some((each) => each.max !== null && each.max !== 0))
    .map(({ target, key, name, buckets }) => ({
      target,
      key,
      name,
      stepMs,
      from: buckets[0]?.at ?? from,
      min: buckets.map((each) => each.min),
      max: buckets.map((each) => each.max),
    }));
}

/** Of each front-end the chats that failed or hang, and the last that was answered. */
function probesOf(store: Store, stack: StackView): ProbeResult[] {
  return stack.nodes
    .filter(takesChats)
    .slice(0, MOST_NODES)
    .flatMap(({ id }) => {
      const chats = store.probes({ target: id, limit: 40 }).filter((each) => each.proves === 'service' && each.outcome !== 'pending');
      const good = chats.find((each) => each.outcome === 'ok');
      const since = good?.sentAt ?? 0;
      const bad = chats.filter((each) => each.outcome !== 'ok' && each.sentAt >= since).slice(-HUNG_EACH);
      return good ? [...bad, good] : bad;
    });
}
