import { elapsed } from '@/lib/format';
import type { Experiment } from '@/lib/model/experiment';
import type { Event, Incident } from '@/lib/model/incident';
import type { Kept } from '@/lib/model/kept';
import type { NodeView } from '@/lib/model/snapshot';

/** What a line of the timeline leads to. */
export type Lead = { kind: 'probe' | 'target' | 'experiment'; id: string };

/** One line of what happened. `isFirstOut`: the first that went bad. `note`: Markdown of a person. */
export type Entry = { key: string; at: number; what: string; sentence: string; by?: string; note?: string; lead?: Lead; isFirstOut?: boolean };

/** All that is known of an incident. */
export type Told = { incident: Incident; events: readonly Event[]; kept?: Kept; experiments?: readonly Experiment[] };

/** What happened, oldest first: the evidence that was taken, what the detector saw, and what people did. */
export function timeline(told: Told): Entry[] {
  const entries = [...ofProbes(told), ...ofCounters(told), ...ofExperiments(told), ...told.events.flatMap(ofEvent(told))];
  const sorted = entries.sort((a, b) => a.at - b.at || a.key.localeCompare(b.key));
  const first = sorted.find((each) => each.what === 'verdict' && each.lead?.id === told.incident.targets[0] && each.at >= told.incident.openedAt - 1_000);
  return sorted.map((each) => (each === first ? { ...each, isFirstOut: true } : each));
}

/** The words for each kind of event. */
const WHAT: Partial<Record<Event['kind'], string>> = {
  'incident-opened': 'opened',
  'incident-updated': 'updated',
  'incident-closed': 'healed',
  worker: 'Wedgewatch',
  blind: 'not looking',
  paused: 'probing',
};

function ofEvent({ incident }: Told): (event: Event) => Entry[] {
  return (event) => {
    const text = event.kind === 'note' ? (event.data as { text?: string } | undefined)?.text : undefined;
    const region = event.until === undefined ? '' : ` (until {${new Date(event.until).toISOString()}})`;
    // A stack of its own has its own incident; what has no stack concerns all.
    if (event.stack !== '' && event.stack !== incident.stack) return [];
    if (event.kind === 'verdict' && isFirstJudgement(event)) return [];
    return [
      {
        key: event.id,
        at: event.at,
        what: WHAT[event.kind] ?? event.kind,
        sentence: event.sentence + region,
        ...(event.by === undefined ? {} : { by: event.by }),
        ...(text === undefined ? {} : { note: text }),
        ...(event.target === undefined ? {} : { lead: { kind: 'target' as const, id: event.target } }),
      },
    ];
  };
}

/** That something is judged for the first time, after a start of ours, is no news of it. */
export function isFirstJudgement({ data }: Pick<Event, 'data'>): boolean {
  const from = (data as { from?: string } | undefined)?.from;
  return from === undefined || from === 'unknown';
}

/** The first chat that hung, of each front-end, and the last that was answered before. */
function ofProbes({ kept }: Told): Entry[] {
  const targets = [...new Set(kept?.probes.map((each) => each.target))];
  return targets.flatMap((target) => {
    const mine = kept?.probes.filter((each) => each.target === target) ?? [];
    const name = nameOf(kept, target);
    const bad = mine.filter((each) => each.outcome !== 'ok').sort((a, b) => a.sentAt - b.sentAt)[0];
    const good = mine.find((each) => each.outcome === 'ok' && each.sentAt <= (bad?.sentAt ?? Infinity));
    return [
      ...(good ? [entry(`good ${good.id}`, good.sentAt, 'last good chat', `${name} was answered: ${good.sentence}`, { kind: 'probe', id: good.id })] : []),
      ...(bad ? [entry(`bad ${bad.id}`, bad.sentAt, 'first bad chat', `sent to ${name}: ${bad.sentence}`, { kind: 'probe', id: bad.id })] : []),
    ];
  });
}

/** Since when the engines' counters had stood still when the incident opened. */
function ofCounters({ incident, kept }: Told): Entry[] {
  if (!kept) return [];
  return kept.first.nodes.filter((node) => node.id === incident.place?.target || (node.schedulerAgeS ?? 0) > SILENT_S).flatMap((node) => frozen(node, kept.at));
}

const SILENT_S = 5;
const STILL_MS = 10_000;

function frozen(node: NodeView, at: number): Entry[] {
  const lead = { kind: 'target', id: node.id } as const;
  if ((node.schedulerAgeS ?? 0) > SILENT_S) {
    const age = (node.schedulerAgeS ?? 0) * 1_000;
    return [
      entry(
        `frozen ${node.id}`,
        at - age,
        'frozen since',
        `the scheduler of ${node.name} spoke for the last time (silent for ${elapsed(age)} when this opened)`,
        lead,
      ),
    ];
  }
  const still = node.values.flatMap((value) => (value.v === null || value.stillMs === undefined ? [] : [value.stillMs]));
  const least = Math.min(...still);
  if (still.length === 0 || least < STILL_MS) return [];
  return [entry(`frozen ${node.id}`, at - least, 'frozen since', `the last counter of ${node.name} moved (none for ${elapsed(least)} when this opened)`, lead)];
}

function ofExperiments({ experiments = [] }: Told): Entry[] {
  return experiments.flatMap((each) => {
    const lead = { kind: 'experiment', id: each.id } as const;
    const begun = entry(
      `x ${each.id}`,
      each.startedAt,
      'experiment',
      `begun on ${each.targets?.map((target) => target.name).join(', ') ?? 'the front-ends'}`,
      lead,
    );
    return each.endedAt === undefined || !each.conclusion
      ? [begun]
      : [begun, entry(`y ${each.id}`, each.endedAt, 'experiment', each.conclusion.sentence, lead)];
  });
}

function entry(key: string, at: number, what: string, sentence: string, lead: Lead): Entry {
  return { key, at, what, sentence, lead };
}

export function nameOf(kept: Kept | undefined, target: string): string {
  return kept?.first.nodes.find((node) => node.id === target)?.name ?? target;
}
