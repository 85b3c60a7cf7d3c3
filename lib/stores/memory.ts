import type { Experiment } from '@/lib/model/experiment';
import type { Event, Incident } from '@/lib/model/incident';
import type { Kept } from '@/lib/model/kept';
import type { ProbeResult } from '@/lib/model/probe';
import { seriesKey } from '@/lib/model/sample';
import type { Snapshot } from '@/lib/model/snapshot';
import { bucketer } from './bucket';
import { AROUND_MS, INCIDENT_AGE_MS, type Store } from './store';

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
  const kept = records<Kept>((each) => each.at);
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
    events: ({ limit, from = -Infinity, to = Infinity, ...want }) =>
      events.newest(
        limit,
        (each) =>
          each.at >= from &&
          each.at < to &&
          (want.stack === undefined || each.stack === want.stack || each.stack === '') &&
          (want.kinds === undefined || want.kinds.includes(each.kind)) &&
          (want.incident ?? each.incident) === each.incident,
      ),
    putIncident: incidents.put,
    incident: incidents.get,
    incidents: ({ limit, from = -Infinity, to = Infinity, stack }) =>
      incidents.newest(limit, (each) => each.openedAt < to && (each.closedAt ?? Infinity) >= from && (stack ?? each.stack) === each.stack),
    putKept: kept.put,
    kept: kept.get,
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
      dropBefore(now - limits.ageMs, now - Math.max(INCIDENT_AGE_MS, limits.ageMs));
      while (this.size() > limits.bytes && snapshots.length + series.size > 0) {
        const oldest = Math.min(now, ...[...series.values()].map((row) => row.points[0]?.at ?? now), snapshots[0]?.at ?? now);
        if (oldest >= now) break;
        dropBulk(oldest + Math.max(1, (now - oldest) / 4));
      }
    },
    size: () => snapshots.reduce((sum, each) => sum + each.text.length, 0) + [...series.values()].reduce((sum, row) => sum + 16 * row.points.length, 0),
    close() {},
  };

  function dropBefore(cut: number, incidentCut: number) {
    dropBulk(cut);
    for (const each of [incidents, kept]) each.dropBefore(incidentCut);
    const remembered = incidents.newest(Infinity, () => true);
    events.dropBefore(cut, (each) => remembered.some((incident) => isOf(each, incident)));
    experiments.dropBefore(cut, (each) => remembered.some((incident) => incident.id === each.incident));
  }

  function dropBulk(cut: number) {
    snapshots = snapshots.filter((each) => each.at >= cut);
    for (const [id, row] of series) {
      row.points = row.points.filter((point) => point.at >= cut);
      if (row.points.length === 0) series.delete(id);
    }
    probes.dropBefore(cut);
  }
}

/** It tells of this incident, or fell into its time. */
function isOf(event: Event, incident: Incident): boolean {
  if (event.incident !== undefined) return event.incident === incident.id;
  const isNear = event.at >= incident.openedAt - AROUND_MS && event.at < (incident.closedAt ?? Infinity) + AROUND_MS;
  return isNear && (event.stack === incident.stack || event.stack === '');
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
    dropBefore(cut: number, spared: (each: T) => boolean = () => false) {
      for (const [id, each] of kept) if (each.until < cut && !spared(read(each.text))) kept.delete(id);
    },
  };
}
