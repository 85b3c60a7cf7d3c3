import { takesChats } from '@/lib/model/target';
import type { Scenario } from '@/lib/scenarios/scenario';
import { BASELINES } from './baselines/index';
import { dash } from './dash';
import type { FromPlayer, MonitoredStack } from './messages';
import type { Network } from './network';
import { NO_HARM, type Run } from './outcome';
import { type Cast, castFor } from './seeds';
import type { Slot } from './slot';
import { configFor, configuredModel } from './watch-config';

/** How to make one run; `untilS`: only its beginning. */
export type RunOptions = { scenario: Scenario; file: string; seed: number; scale: number; baselines: boolean; untilS?: number };

type Stack = Extract<FromPlayer, { kind: 'ready' }>['stacks'][number];
type Stage = { ours: Stack; twins: Stack[] };

/** Play one scenario over real sockets, watch it, and let each baseline watch a stack of its own that plays the same. */
export async function run(slot: Slot, job: RunOptions): Promise<Run> {
  const began = performance.now();
  const cast = castFor(job.scenario, job.seed);
  const out: Run = {
    scenario: job.untilS === undefined ? cast.scenario : beginning(cast.scenario, job.untilS),
    seed: job.seed,
    speed: cast.speed,
    loads: cast.scenario.stack.loads,
    pace: { kind: 'sockets', scale: job.scale },
    lines: [],
    chats: [],
    harm: { ...NO_HARM },
    lags: [],
    pauses: [],
    baselines: {},
    realSeconds: 0,
  };
  const network = hasNetworkSteps(cast) ? slot.network() : undefined;
  const parts = [slot.player, slot.watcher, slot.twins, slot.monitors].map((child) => child.trouble());
  try {
    const trouble = Promise.race(parts.map((part) => part.promise));
    trouble.catch(() => undefined);
    await Promise.race([played(slot, job, cast, out, network), trouble]);
  } catch (error) {
    out.failed = error instanceof Error ? error.message : String(error);
    slot.kill();
  } finally {
    for (const part of parts) part.leave();
    network?.close();
  }
  out.realSeconds = (performance.now() - began) / 1000;
  return out;
}

async function played(slot: Slot, job: RunOptions, cast: Cast, out: Run, network: Network | undefined) {
  const stage = await stageOf(slot, job, network);
  const { startedAt } = stage.ours;
  const told = (wall: number) => ((wall - startedAt) * job.scale) / 1000;
  const leave = [
    slot.player.on((m) => m.kind === 'dash' && dash(m, { slot, network, scale: job.scale, paused: (from, to) => pause(from, to) })),
    slot.watcher.on((m) => m.kind === 'line' && out.lines.push({ s: told(m.now), ...m.line })),
  ];
  function pause(from: number, to: number) {
    out.pauses.push({ fromS: told(from), toS: told(to) });
  }
  try {
    if (stage.twins.length > 0) {
      slot.monitors.send({ kind: 'monitor', scale: job.scale, stacks: monitored(cast, stage.twins) });
      await slot.monitors.next('ready');
    }
    await wait(startedAt + (cast.phaseS * 1000) / job.scale - Date.now());
    slot.watcher.send({ kind: 'watch', config: configFor(cast, stage.ours, job.scale) });
    await wait(startedAt + (out.scenario.lasts * 1000) / job.scale - Date.now());
  } finally {
    for (const each of leave) each();
  }
  await finished(slot, out, stage, told);
}

async function stageOf(slot: Slot, { file, seed, scale, baselines }: RunOptions, network: Network | undefined): Promise<Stage> {
  const order = { file, seed, scale };
  slot.player.send({ kind: 'play', order, copies: 1 });
  if (baselines) slot.twins.send({ kind: 'play', order, copies: able().length });
  const [mine, others] = await Promise.all([slot.player.next('ready'), baselines ? slot.twins.next('ready') : undefined]);
  const stacks = [...mine.stacks, ...(others?.stacks ?? [])];
  const [ours, ...twins] = network === undefined ? stacks : await network.behind(stacks);
  if (ours === undefined) throw new Error('no stack was started');
  return { ours, twins };
}

/** The player is asked first: what our own end does to the stack is not watching. */
async function finished(slot: Slot, out: Run, { ours, twins }: Stage, told: (wall: number) => number) {
  slot.player.send({ kind: 'finish' });
  const { harm, lagMs } = await slot.player.next('finished');
  slot.watcher.send({ kind: 'finish' });
  const seen = await slot.watcher.next('finished');
  out.harm = harm;
  out.chats = seen.chats.map(({ now, ...chat }) => ({ sentS: told(now), ...chat }));
  out.lags = seen.lags.map(({ from, to, share }) => ({ fromS: told(from), toS: told(to), share }));
  const shortest = Math.min(...out.chats.map((chat) => chat.deadlineS));
  if (Number.isFinite(shortest)) out.lags.push({ fromS: 0, toS: told(Date.now()), share: lagMs / 1000 / shortest, ofStack: true });
  if (twins.length === 0) return;
  slot.monitors.send({ kind: 'finish' });
  const { words } = await slot.monitors.next('finished');
  slot.twins.send({ kind: 'finish' });
  await slot.twins.next('finished');
  // each baseline by its own stack's clock
  for (const [i, { id }] of able().entries()) {
    const start = twins[i]?.startedAt ?? ours.startedAt;
    const scale = told(start + 1000) - told(start);
    out.baselines[id] = (words[id] ?? []).map(({ now, ...word }) => ({ s: ((now - start) / 1000) * scale, ...word }));
  }
}

function able() {
  return BASELINES.filter((one) => one.missing?.() === undefined);
}

function monitored(cast: Cast, twins: readonly Stack[]): Record<string, MonitoredStack> {
  return Object.fromEntries(
    able().flatMap((baseline, i): [string, MonitoredStack][] => {
      const targets = twins[i]?.targets;
      if (targets === undefined) return [];
      const fronts = targets.filter((one) => takesChats(one)).map(({ name, url, model }) => ({ name, url, model: configuredModel(cast, name) ?? model }));
      const engines = targets.filter((one) => !takesChats(one)).map(({ name, url }) => ({ name, url }));
      return [[baseline.id, { fronts, engines }]];
    }),
  );
}

/** What must be said within the first seconds. */
function beginning(scenario: Scenario, untilS: number): Scenario {
  const due = scenario.truth.filter((e) => e.from + e.by < untilS && (e.heal === undefined || e.heal + (e.healBy ?? 0) < untilS));
  return { ...scenario, lasts: untilS, truth: due.map((e) => (e.until === undefined ? e : { ...e, until: Math.min(e.until, untilS) })) };
}

function hasNetworkSteps({ scenario }: Cast): boolean {
  return [...scenario.traits, ...scenario.timeline].some((step) => step.action === 'dash.net');
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
