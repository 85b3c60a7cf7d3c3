import { simClock } from '@/lib/simulator/clock';
import { BASELINES } from './baselines/index';
import type { FromMonitors, MonitoredStack, ToMonitors } from './messages';

/** The baselines in a process of their own, each with its own stack before it. */
type Words = Extract<FromMonitors, { kind: 'finished' }>['words'];

let words: Words = {};
let stops: (() => void)[] = [];
let clock = simClock(1);

process.on('message', (message: ToMonitors) => {
  act(message).catch((error: unknown) => say({ kind: 'error', message: error instanceof Error ? error.message : String(error) }));
});
process.once('disconnect', () => {
  for (const stop of stops) stop();
  process.exit(0);
});
say({ kind: 'loaded' });

async function act(message: ToMonitors) {
  if (message.kind === 'finish') finish();
  else await start(message.stacks, message.scale);
}

async function start(stacks: Readonly<Record<string, MonitoredStack>>, scale: number) {
  clock = simClock(scale);
  words = {};
  for (const baseline of BASELINES) {
    const stack = stacks[baseline.id];
    if (stack === undefined) continue;
    const said: Words[string] = [];
    words[baseline.id] = said;
    stops.push(await baseline.start(stack, clock, (front, isDown) => said.push({ now: Date.now(), front, isDown })));
  }
  say({ kind: 'ready' });
}

function finish() {
  for (const stop of stops) stop();
  stops = [];
  clock.stop();
  say({ kind: 'finished', words });
}

function say(message: FromMonitors) {
  process.send?.(message);
}
