import type { Experiment } from '@/lib/model/experiment';
import type { Event, Incident } from '@/lib/model/incident';
import type { ProbeResult } from '@/lib/model/probe';
import { seriesKey } from '@/lib/model/sample';
import type { Snapshot } from '@/lib/model/snapshot';
import { bucketer } from './bucket';
import type { Store } from './store';

type Row = { target: string; key: string; name: string; points: { at: number; value: number }[] };

/** A store that forgets at the end of the process: for tests and the bench runner. */
export function openMemory(): Store {
  const series = new Map<string, Row>();
  const probes = records<ProbeResult>((each) => each.sentAt);
  const events = records<Event>((each) => each.at);
  const incidents = records<Incident>(
    (each) => each.openedAt,
    (each) => each.closedAt ?? Infinity,
  );
  const experiments = records<Experiment>((each) => each.startedAt);
  let snapshots: { at: number; text: string }[] = [];

  return {
    append(target, at, samples) {
      for (const sample of samples) {
        const key = seriesKey(sample);
        const id = `${target}\n${key}`;
        const row = series.get(id) ?? { target, key, name: sample.name, points: [] };
        row.points.push({ at, value: sample.value });
        series.set(id, row);
      }
    },
    range(query) {
      return [...series.values()].filter(matches(query)).flatMap((row) => {
        const buckets = bucketer(query);
        for (const point of row.points) buckets.add(point.at, point.value);
        return buckets.isEmpty() ? [] : [{ target: row.target, key: row.key, name: row.name, buckets: buckets.list() }];
      });
    },
    keys: () => [...series.values()].map(({ target, key, name }) => ({ target, key, name })),
    putProbe: probes.put,
    probe: probes.get,
    probes: ({ limit, from = -Infinity, to = Infinity, ...want }) =>
      probes.newest(
        limit,
        (each) =>
          each.sentAt >= from &&
          each.sentAt < to &&
          (want.target ?? each.target) === each.target &&
          (want.outcome ?? each.outcome) === each.outcome &&
          (want.experiment ?? each.experiment) === each.experiment,
      ),
    putEvent: events.put,
    events: ({ limit, from = -Infinity, to = Infinity, stack }) =>
      events.newest(limit, (each) => each.at >= from && each.at < to && (stack === undefined || each.stack === stack || each.stack === '')),
    putIncident: incidents.put,
    incident: incidents.get,
    incidents: ({ limit, from = -Infinity, to = Infinity, stack }) =>
      incidents.newest(limit, (each) => each.openedAt < to && (each.closedAt ?? Infinity) >= from && (stack ?? each.stack) === each.stack),
    putExperiment: experiments.put,
    experiment: experiments.get,
    experiments: ({ limit, incident }) => experiments.newest(limit, (each) => (incident ?? each.incident) === each.incident),
    putSnapshot: (snapshot) => void snapshots.push({ at: snapshot.at, text: JSON.stringify(snapshot) }),
    snapshotAt(at) {
      const found = snapshots
        .filter((each) => each.at <= at)
        .reduce<(typeof snapshots)[number] | undefined>((best, each) => (best && best.at > each.at ? best : each), undefined);
      return found === undefined ? undefined : (JSON.parse(found.text) as Snapshot);
    },
    span() {
      const moments = snapshots.map((each) => each.at);
      return moments.length === 0 ? undefined : { from: moments.reduce((a, b) => Math.min(a, b)), to: moments.reduce((a, b) => Math.max(a, b)) };
    },
    flush() {},
    retain(now, limits) {
      dropBefore(now - limits.ageMs);
      while (this.size() > limits.bytes && snapshots.length + series.size > 0) {
        const oldest = Math.min(now, ...[...series.values()].map((row) => row.points[0]?.at ?? now), snapshots[0]?.at ?? now);
        if (oldest >= now) break;
        dropBefore(oldest + Math.max(1, (now - oldest) / 4));
      }
    },
    size: () => snapshots.reduce((sum, each) => sum + each.text.length, 0) + [...series.values()].reduce((sum, row) => sum + 16 * row.points.length, 0),
    close() {},
  };

  function dropBefore(cut: number) {
    snapshots = snapshots.filter((each) => each.at >= cut);
    for (const [id, row] of series) {
      row.points = row.points.filter((point) => point.at >= cut);
      if (row.points.length === 0) series.delete(id);
    }
    for (const each of [probes, events, incidents, experiments]) each.dropBefore(cut);
  }
}

function matches(query: { targets?: string[]; names?: string[] }) {
  return (row: Row) => (query.targets === undefined || query.targets.includes(row.target)) && (query.names === undefined || query.names.includes(row.name));
}

/** Records by id; kept as text so that a later change of the object given does not change what was stored. */
function records<T extends { id: string }>(moment: (each: T) => number, end = moment) {
  const kept = new Map<string, { at: number; until: number; text: string }>();
  const read = (text: string) => JSON.parse(text) as T;
  return {
    put: (each: T) => void kept.set(each.id, { at: moment(each), until: end(each), text: JSON.stringify(each) }),
    get: (id: string) => {
      const found = kept.get(id);
      return found === undefined ? undefined : read(found.text);
    },
    newest: (limit: number, want: (each: T) => boolean) =>
      [...kept.values()]
        .sort((a, b) => b.at - a.at)
        .map((each) => read(each.text))
        .filter(want)
        .slice(0, limit),
    dropBefore(cut: number) {
      for (const [id, each] of kept) if (each.until < cut) kept.delete(id);
    },
  };
}
