import { readScenario } from '@/lib/simulator/read';
import { startSimulation } from '@/lib/simulator/simulation';

/** The simulator of one run, in a process of its own: told what to play, and telling only where its parts listen and when a `dash.*` action is due. */
type Order = { file: string; seed: number; speed: number; scale: number };

process.once('message', (order: Order) => void play(order));
process.send?.({ kind: 'loaded' });

/** Front-ends and models are called otherwise in every seed but the first: a rule that knows their names is wrong. */
const NAMES = [{}, { router: 'edge-a', mini_lb: 'balance 2' }, { router: 'gw.prod', mini_lb: 'Gateway' }] as Record<string, string>[];

async function play({ file, seed, speed, scale }: Order) {
  const read = readScenario(file);
  if ('errors' in read) {
    process.send?.({ kind: 'error', message: read.errors.join('; ') });
    return;
  }
  const frontEnds = NAMES[seed % NAMES.length] ?? {};
  const models = seed % NAMES.length === 0 ? {} : { [read.scenario.stack.model]: `org/model-${seed}-chat` };
  const startedAt = Date.now();
  const simulation = await startSimulation(read.scenario, { seed, speed, timeScale: scale, names: { frontEnds, models } });
  simulation.on((change) => {
    if (change.action.startsWith('dash.')) process.send?.({ kind: 'dash', action: change.action, args: change.args });
  });
  const rename = Object.fromEntries(simulation.targets.map((t) => [t.known, t.name]));
  process.send?.({
    kind: 'ready',
    startedAt: startedAt + (Date.now() - startedAt) - (simulation.seconds() * 1000) / scale,
    targets: simulation.targets,
    rename,
  });
}
