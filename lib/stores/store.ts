import type { Experiment } from '@/lib/model/experiment';
import type { Event, EventKind, Incident } from '@/lib/model/incident';
import type { Kept } from '@/lib/model/kept';
import type { ProbeResult } from '@/lib/model/probe';
import type { Sample } from '@/lib/model/sample';
import type { Snapshot } from '@/lib/model/snapshot';
import type { TargetId } from '@/lib/model/target';

/** One bucket of a downsampled series: `at` its start (wall-clock ms); null where nothing was read in it. Spikes survive in min and max. */
export type Bucket = { at: number; min: number | null; max: number | null; last: number | null; count: number };

/** One series of one target over a range. */
export type SeriesRange = { target: TargetId; key: string; name: string; buckets: Bucket[] };

/** Numbers over time. All times are wall-clock ms; ranges are [from, to). */
export interface SampleStore {
  append(target: TargetId, at: number, samples: readonly Sample[]): void;
  /** Series whose target and canonical name match (undefined = all), in buckets of `stepMs`. A counter is returned as read; rates are the reader's. */
  range(query: { targets?: TargetId[]; names?: string[]; from: number; to: number; stepMs: number }): SeriesRange[];
  /** Series keys that exist, with their target. */
  keys(): { target: TargetId; key: string; name: string }[];
}

/** Records over time: probes, events, incidents, experiments and the snapshots as they were published. */
export interface EventStore {
  /** Upsert by id: the same probe is told when sent, when late and when it ended. */
  putProbe(result: ProbeResult): void;
  probe(id: string): ProbeResult | undefined;
  /** Newest first by `sentAt`. */
  probes(query: { target?: TargetId; from?: number; to?: number; limit: number; outcome?: string; experiment?: string }): ProbeResult[];
  putEvent(event: Event): void;
  /** Newest first; an event of no stack concerns every stack. */
  events(query: { from?: number; to?: number; stack?: string; kinds?: readonly EventKind[]; incident?: string; limit: number }): Event[];
  putIncident(incident: Incident): void;
  incident(id: string): Incident | undefined;
  incidents(query: { from?: number; to?: number; stack?: string; limit: number }): Incident[];
  /** What is kept with an incident, by its id; the last put counts. */
  putKept(kept: Kept): void;
  kept(incident: string): Kept | undefined;
  putExperiment(experiment: Experiment): void;
  experiment(id: string): Experiment | undefined;
  /** Newest first; `incident`: only those kept with it. */
  experiments(query: { limit: number; incident?: string }): Experiment[];
  /** Snapshot as published; stored delta-coded with a key frame each 60 s. */
  putSnapshot(snapshot: Snapshot): void;
  /** The last snapshot published at or before `at`; undefined when none is kept. */
  snapshotAt(at: number): Snapshot | undefined;
  /** First and last moment for which a snapshot is kept. */
  span(): { from: number; to: number } | undefined;
}

/** How long an incident is remembered, whatever the age of the rest. */
export const INCIDENT_AGE_MS = 400 * 86_400_000;
/** What led to an incident and what followed belongs to it. */
export const AROUND_MS = 120_000;

/** A place that remembers. Opened for writing by the collector's thread alone, and read-only by the web server. */
export interface Store extends SampleStore, EventStore {
  /** Make everything put so far durable; called about once a second. */
  flush(): void;
  /**
   * Drop what is older than `ageMs` and, oldest first, what exceeds `bytes` on disk. Incidents, what is kept with them, the events around them
   * and the experiments made during them are small and stay for `INCIDENT_AGE_MS`.
   */
  retain(now: number, limits: { ageMs: number; bytes: number }): void;
  /** Bytes on disk, or in memory as far as known. */
  size(): number;
  close(): void;
}
