import { takesChats } from '@/lib/model/target';
import type { SimTarget } from '@/lib/simulator/simulation';
import { BASELINES } from '../baselines/index';
import type { MonitoredStack } from '../messages';
import { NO_HARM, type Run } from '../outcome';
import { startTwin, type Twin } from '../twin';
import { configFor, configuredModel } from '../watch-config';
import { startWatching } from '../watching';
import { VirtualTime } from './time';

export type VirtualOrder = { file: string; seed: number; baselines: boolean };

/** How coarse loops may be: the schedulers turn each 50 told ms, and the heart-beat each 120. */
const COARSE = 12;
/** An arbitrary but real-looking moment: the wall clock of the told world. */
const WALL_START = Date.UTC(2026, 0, 5, 6);

/** Plays a scenario, watches it and lets the baselines that can watch theirs, all in one process and in virtual time. `told` hears each told second. */
export async function runVirtual({ file, seed, baselines }: VirtualOrder, told: (seconds: number) => void = () => {}): Promise<Run> {
  const began = performance.now();
  const time = new VirtualTime(WALL_START);
  const twin = await virtualTwin({ file, seed }, time);
  const { cast, footprint, simulation, targets } = twin;
  const out: Run = {
    scenario: cast.scenario,
    seed,
    speed: cast.speed,
    loads: cast.scenario.stack.loads,
    pace: { kind: 'virtual' },
    lines: [],
    chats: [],
    harm: { ...NO_HARM },
    lags: [],
    pauses: [],
    baselines: {},
    realSeconds: 0,
  };
  const others = baselines ? await startBaselines(out, { file, seed }, time) : [];
  await time.runTo(cast.phaseS);
  const config = configFor(cast, { targets, referenceUrl: simulation.referenceUrl }, 1);
  const watching = startWatching(
    config,
    time.clock(COARSE),
    () => time.seconds,
    ({ now, line }) => {
      out.lines.push({ s: now, ...line });
      told(now);
    },
  );
  simulation.on(({ action, args }) => {
    if (action === 'dash.clock') watching.stepClock(Number(args.delta));
    if (action === 'dash.model') void watching.setModel(String(args.fe), String(args.id));
  });
  await time.runTo(cast.scenario.lasts);
  out.harm = footprint.harm();
  const { chats } = await watching.finish();
  out.chats = chats.map(({ now, ...chat }) => ({ sentS: now, ...chat }));
  await Promise.all([simulation.stop(), ...others.map((stop) => stop())]);
  out.realSeconds = (performance.now() - began) / 1000;
  return out;
}

async function virtualTwin({ file, seed }: { file: string; seed: number }, time: VirtualTime): Promise<Twin> {
  // inflating a page runs on another thread, for which virtual time does not wait
  return startTwin({ file, seed, scale: 1 }, { clock: time.simClock(COARSE), before: (req) => delete req.headers['accept-encoding'] });
}

async function startBaselines(out: Run, order: { file: string; seed: number }, time: VirtualTime): Promise<(() => Promise<void>)[]> {
  const able = BASELINES.filter((one) => one.isInProcess);
  return Promise.all(
    able.map(async (baseline) => {
      const twin = await virtualTwin(order, time);
      const said: Run['baselines'][string] = [];
      out.baselines[baseline.id] = said;
      const clock = time.simClock(COARSE);
      const stop = await baseline.start(monitoredOf(twin), clock, (front, isDown) => said.push({ s: time.seconds, front, isDown }));
      return async () => {
        stop();
        clock.stop();
        await twin.simulation.stop();
      };
    }),
  );
}

function monitoredOf({ cast, targets }: Twin): MonitoredStack {
  const named = ({ name, url, model }: SimTarget) => ({ name, url, model: configuredModel(cast, name) ?? model });
  return {
    fronts: targets.filter((one) => takesChats(one)).map(named),
    engines: targets.filter((one) => !takesChats(one)).map(({ name, url }) => ({ name, url })),
  };
}
