import { parseScenario } from '@/lib/scenarios/scenario';
import { type Simulation, type SimulationOptions, startSimulation } from './simulation';
import { chatBody, type Seen, type Spectator, seriesValue, spectate } from './spectator';

/** A simulation as a test drives it: parts by name, waiting by told seconds, pages and loads at hand. */
export type Stage = {
  simulation: Simulation;
  url(part: string): string;
  chat(part: string, more?: Record<string, unknown>, headers?: Record<string, string>): Spectator;
  get(part: string, path: string): Promise<Seen>;
  page(part: string): Promise<string>;
  value(part: string, ...words: string[]): Promise<number | undefined>;
  /** Queues of the first rank as /v1/loads tells them, with the age of its last word. */
  queues(part: string): Promise<Record<string, number> & { age: number; running: number }>;
  /** Resolves at this told second of the play. */
  at(second: number): Promise<void>;
  stop(): Promise<void>;
};

/** Plays a scenario written in a few lines of YAML. */
export async function stage(yaml: string, options: Partial<SimulationOptions> = {}): Promise<Stage> {
  const parsed = parseScenario(`id: test\ntitle: test\nlasts: 100000\n${yaml}`, 'test.yaml');
  if ('errors' in parsed) throw new Error(parsed.errors.join('\n'));
  const simulation = await startSimulation(parsed.scenario, { seed: 1, speed: 1, timeScale: 20, ...options });
  const url = (part: string) => {
    const target = simulation.targets.find((one) => one.known === part);
    if (target === undefined) throw new Error(`no part is called ${part}`);
    return target.url;
  };
  const get: Stage['get'] = (part, path) => spectate(`${url(part)}${path}`).over;
  const page: Stage['page'] = async (part) => (await get(part, '/metrics')).text;
  return {
    simulation,
    url,
    chat: (part, more, headers) => spectate(`${url(part)}/v1/chat/completions`, chatBody(more), headers),
    get,
    page,
    value: async (part, ...words) => seriesValue(await page(part), ...words),
    queues: async (part) => {
      const all = JSON.parse((await get(part, '/v1/loads')).text);
      const entry = all.loads[0];
      return { ...entry.disaggregation, ...entry.queues, running: entry.num_running_reqs, age: Date.parse(all.timestamp) / 1000 - entry.timestamp };
    },
    at: async (second) => {
      const { timeScale } = { timeScale: 20, ...options };
      while (simulation.seconds() < second)
        await new Promise((resolve) => setTimeout(resolve, Math.max(1, ((second - simulation.seconds()) * 1000) / timeScale)));
    },
    stop: () => simulation.stop(),
  };
}
