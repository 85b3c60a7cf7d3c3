import { phases } from '@/lib/model/exchange';
import { isShelved } from '@/lib/model/incident';
import type { ProbeResult } from '@/lib/model/probe';
import type { NodeView, Snapshot, StackView } from '@/lib/model/snapshot';
import { VERDICTS } from '@/lib/model/verdict';

/** What the exposition is made of. `at` is now; ages are told for the reader, whose clock may differ. */
export type Exposed = {
  at: number;
  build: string;
  /** What the screen shows; absent until the first second has passed. */
  snapshot?: Snapshot;
  /** Latest ended chats per target, for the phases. */
  chats: readonly ProbeResult[];
  /** The collector's thread; `silentMs` since it last spoke, since the start when it never has. */
  pulse: { state: string; silentMs: number; restarts: number };
};

type Labels = Record<string, string>;
type Value = { labels?: Labels; value: number | undefined };
type Family = { name: string; type: 'gauge' | 'counter'; help: string; values: Value[] };

const LONGEST_LABEL = 200;

/** Our verdicts and probes as Prometheus text; what is not known is left out, never 0. */
export function exposition(exposed: Exposed): string {
  return families(exposed).map(printed).join('');
}

function families(exposed: Exposed): Family[] {
  const stacks = exposed.snapshot?.stacks ?? [];
  const nodes = stacks.flatMap((stack) => stack.nodes.map((node) => ({ node, of: { stack: stack.id, target: node.id, role: node.role } })));
  return [...own(exposed), ...(stacks.length === 0 ? [] : ofStacks(stacks, exposed.at)), ...ofNodes(nodes), ...ofChats(exposed)];
}

/** About ourselves: these are there even when the collector is dead. */
function own({ at, build, snapshot, pulse }: Exposed): Family[] {
  const isBlind = pulse.state !== 'running' || snapshot === undefined || snapshot.self.freshness === 'blind';
  const loops = snapshot?.self.loops ?? [];
  const loop = (each: (typeof loops)[number]) => ({ loop: each.name, target: each.target ?? '' });
  return [
    gauge('build_info', 'Which Wedgewatch this is; always 1.', [{ labels: { build }, value: 1 }]),
    gauge('collector_heartbeat_age_seconds', "Time since the collector's thread last spoke; since the start when it never has.", [
      { value: seconds(pulse.silentMs) },
    ]),
    gauge('blind', '1 while Wedgewatch itself cannot see: its collector is not running, its loops stand or its network fails.', [{ value: Number(isBlind) }]),
    counter('collector_restarts_total', 'Times the collector had to be started again.', [{ value: pulse.restarts }]),
    gauge('collector_lag_seconds', "Worst lateness of the collector's event loop in the last second.", [
      { value: snapshot === undefined ? undefined : seconds(snapshot.self.lagMs) },
    ]),
    gauge(
      'loop_age_seconds',
      'Time since a loop of the collector last ended a turn.',
      loops.map((each) => ({ labels: loop(each), value: each.lastEnd === undefined ? undefined : seconds(at - each.lastEnd) })),
    ),
    counter(
      'loop_errors_total',
      'Turns of a loop that failed by our own fault.',
      loops.map((each) => ({ labels: loop(each), value: each.errors })),
    ),
  ];
}

function ofStacks(stacks: readonly StackView[], at: number): Family[] {
  const each = (value: (stack: StackView) => number | undefined) => stacks.map((stack) => ({ labels: { stack: stack.id }, value: value(stack) }));
  return [
    gauge(
      'stack_verdict',
      'Verdict on a stack: 1 on the one that holds, 0 on the others.',
      stacks.flatMap((stack) => VERDICTS.map((verdict) => ({ labels: { stack: stack.id, verdict }, value: Number(stack.judgement.verdict === verdict) }))),
    ),
    gauge(
      'stack_place_info',
      'Where the requests of a stack stop; there only while they do.',
      stacks.flatMap(({ id, judgement: { place } }) =>
        place === undefined ? [] : [{ labels: { stack: id, place: place.kind, target: place.target ?? '', inferred: String(place.inferred) }, value: 1 }],
      ),
    ),
    gauge(
      'front_ends',
      'Front-ends that are probed.',
      each((stack) => stack.frontEnds.of),
    ),
    gauge(
      'front_ends_answering',
      'Front-ends that answer our chats now.',
      each((stack) => stack.frontEnds.answering),
    ),
    gauge(
      'incident_open',
      '1 while an incident of the stack is open.',
      each((stack) => Number(stack.incident !== undefined && stack.incident.closedAt === undefined)),
    ),
    gauge(
      'incident_acknowledged',
      'While an incident of the stack is open: 1 when somebody has acknowledged it.',
      each(({ incident }) => incident && Number(incident.ack !== undefined)),
    ),
    gauge(
      'incident_shelved',
      'While an incident of the stack is open: 1 when somebody has silenced it for a time.',
      each(({ incident }) => incident && Number(isShelved(incident, at))),
    ),
    gauge(
      'oldest_wait_seconds',
      'Age of the oldest of our chats that still waits.',
      each((stack) => seconds(stack.oldestWaitMs)),
    ),
    gauge(
      'last_good_answer_timestamp_seconds',
      'When a chat of ours was last answered.',
      each((stack) => seconds(stack.lastGoodAt)),
    ),
    gauge(
      'hypothesis_probability_ratio',
      'How likely a suspicion is, each for itself.',
      stacks.flatMap((stack) => stack.hypotheses.map((one) => ({ labels: { stack: stack.id, hypothesis: one.id }, value: one.probability }))),
    ),
  ];
}

function ofNodes(nodes: readonly { node: NodeView; of: Labels }[]): Family[] {
  const each = (value: (node: NodeView) => number | undefined) => nodes.map(({ node, of }) => ({ labels: of, value: value(node) }));
  return [
    gauge(
      'verdict',
      'Verdict on a front-end or engine: 1 on the one that holds, 0 on the others.',
      nodes.flatMap(({ node, of }) => VERDICTS.map((verdict) => ({ labels: { ...of, verdict }, value: Number(node.judgement.verdict === verdict) }))),
    ),
    gauge(
      'verdict_since_timestamp_seconds',
      'Since when the verdict holds.',
      each((node) => seconds(node.judgement.since)),
    ),
    gauge(
      'health_up',
      '1 while the health endpoint claims to be well: what is said, beside what the verdict proves.',
      each((node) => (node.health === undefined ? undefined : Number(node.health.says === 'up'))),
    ),
    gauge(
      'hang_ratio',
      'Share of the recent chats that count which failed.',
      each(({ judgement: { rate } }) => (rate === undefined || rate.of === 0 ? undefined : rate.failed / rate.of)),
    ),
    gauge(
      'hang_ratio_probes',
      'Number of chats that the ratio is made of.',
      each((node) => node.judgement.rate?.of),
    ),
    gauge(
      'probe_ttft_seconds',
      'Time to the first token of the latest chat that got one.',
      each((node) => seconds(node.strip.find((dot) => dot.ttftMs !== undefined)?.ttftMs)),
    ),
    gauge(
      'probes_unfinished',
      'Chats of ours that are out now.',
      each((node) => node.budget?.unfinished),
    ),
    gauge(
      'probe_aborts_recent',
      'Chats that we ourselves broke off in the last 10 min.',
      each((node) => node.budget?.aborts10min),
    ),
    gauge(
      'paused',
      '1 while probing is switched off by a person.',
      each((node) => (node.budget === undefined ? undefined : Number(node.budget.paused))),
    ),
    gauge(
      'scheduler_age_seconds',
      "Age of the scheduler's last word, where the engine tells it.",
      each((node) => node.schedulerAgeS),
    ),
  ];
}

function ofChats({ chats, snapshot }: Exposed): Family[] {
  const stackOf = new Map(snapshot?.stacks.flatMap((stack) => stack.nodes.map((node) => [node.id, stack.id] as const)));
  const latest = new Map<string, ProbeResult>();
  for (const chat of chats) if ((latest.get(chat.target)?.sentAt ?? -1) < chat.sentAt) latest.set(chat.target, chat);
  const of = (chat: ProbeResult) => ({ stack: stackOf.get(chat.target) ?? '', target: chat.target });
  return [
    gauge(
      'probe_phase_seconds',
      'How long the latest ended chat took from one station to the next; a phase that was not reached is absent.',
      [...latest.values()].flatMap((chat) => phases(chat.exchange.marks).map(({ to, ms }) => ({ labels: { ...of(chat), phase: to }, value: seconds(ms) }))),
    ),
    gauge(
      'probe_outcome_info',
      'What the latest ended chat turned out to be.',
      [...latest.values()].map((chat) => ({ labels: { ...of(chat), outcome: chat.outcome }, value: 1 })),
    ),
    gauge(
      'probe_sent_timestamp_seconds',
      'When the latest ended chat was sent.',
      [...latest.values()].map((chat) => ({ labels: of(chat), value: seconds(chat.sentAt) })),
    ),
  ];
}

function gauge(name: string, help: string, values: Value[]): Family {
  return { name: `wedgewatch_${name}`, type: 'gauge', help, values };
}

function counter(name: string, help: string, values: Value[]): Family {
  return { name: `wedgewatch_${name}`, type: 'counter', help, values };
}

function printed({ name, type, help, values }: Family): string {
  const known = values.filter((each): each is Value & { value: number } => each.value !== undefined && Number.isFinite(each.value));
  if (known.length === 0) return '';
  const lines = known.map(({ labels = {}, value }) => `${name}${printedLabels(labels)} ${Number(value.toFixed(6))}`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${[...new Set(lines)].join('\n')}\n`;
}

function printedLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Label values are other people's text: cut, half characters replaced, then the three escapes of the format (Prometheus, exposition formats). */
function escaped(value: string): string {
  const cut = value.slice(0, LONGEST_LABEL).replace(/\p{Surrogate}/gu, '\ufffd');
  return cut.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000;
}
