import type { Role } from '@/lib/model/target';
import { readScenario } from '@/lib/simulator/read';
import { startSimulation } from '@/lib/simulator/simulation';

/** A simulated stack in a process of its own, so that its cost is not taken for the watcher's. */
export type FromStackServer = { targets: { name: string; role: Role; url: string; metricsUrl?: string }[] };

const { file } = JSON.parse(process.argv[2] ?? '{}') as { file: string };
const read = readScenario(file);
if ('errors' in read) throw new Error(read.errors.join('; '));
const simulation = await startSimulation(read.scenario, { seed: 0, speed: 1 });
process.send?.({ targets: simulation.targets } satisfies FromStackServer);
