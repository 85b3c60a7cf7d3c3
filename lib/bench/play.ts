import { realClock } from '@/lib/io/clock';
import { startHeartbeat } from '@/lib/io/lag';
import type { FromPlayer, ToPlayer } from './messages';
import { type Order, startTwin, type Twin } from './twin';

/** Simulated stacks in a process of their own: told what to play, and telling only where parts listen, when a `dash.*` action is due, and what was done to them. */
let twins: Twin[] = [];
let beat: ReturnType<typeof startHeartbeat> | undefined;

process.on('message', (message: ToPlayer) => {
  act(message).catch((error: unknown) => say({ kind: 'error', message: error instanceof Error ? error.message : String(error) }));
});
process.once('disconnect', () => process.exit(0));
say({ kind: 'loaded' });

async function act(message: ToPlayer) {
  if (message.kind === 'finish') await finish();
  else await play(message.order, message.copies);
}

async function play(order: Order, copies: number) {
  for (let i = 0; i < copies; i++) twins.push(await startTwin(order));
  twins[0]?.simulation.on((change) => {
    if (change.action.startsWith('dash.')) say({ kind: 'dash', action: change.action, args: change.args });
  });
  beat = startHeartbeat(realClock(order.scale));
  const stacks = twins.map(({ simulation, targets }) => ({
    startedAt: Date.now() - (simulation.seconds() * 1000) / order.scale,
    targets,
    referenceUrl: simulation.referenceUrl,
  }));
  say({ kind: 'ready', stacks });
}

async function finish() {
  const harm = twins[0]?.footprint.harm();
  const lagMs = beat?.worstSince(0) ?? 0;
  beat?.stop();
  await Promise.all(twins.map((twin) => twin.simulation.stop()));
  twins = [];
  if (harm === undefined) throw new Error('nothing was played');
  say({ kind: 'finished', harm, lagMs });
}

function say(message: FromPlayer) {
  process.send?.(message);
}
