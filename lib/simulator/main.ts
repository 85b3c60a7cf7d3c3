import { parseArgs } from 'node:util';
import { ACTIONS } from '@/lib/scenarios/vocabulary';
import type { Change } from './play';
import { readScenario } from './read';
import { type Simulation, type SimulationOptions, startSimulation } from './simulation';

const USAGE = 'npm run simulate -- FILE [--seed N] [--speed X] [--base-port P] [--time-scale S] [--loop] | --list';

main().catch((error: unknown) => {
  process.stderr.write(`simulate: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      speed: { type: 'string' },
      'base-port': { type: 'string' },
      'time-scale': { type: 'string' },
      loop: { type: 'boolean' },
      list: { type: 'boolean' },
    },
  });
  if (values.list === true) return void process.stdout.write(listed());
  const path = positionals[0];
  if (path === undefined) throw new Error(`no scenario file given; ${USAGE}`);
  const read = readScenario(path);
  if ('errors' in read) throw new Error(read.errors.join('\n'));
  const basePort = values['base-port'] === undefined ? undefined : numberOf('--base-port', values['base-port']);
  const options: SimulationOptions = {
    seed: numberOf('--seed', values.seed ?? '0'),
    speed: numberOf('--speed', values.speed ?? '1'),
    timeScale: numberOf('--time-scale', values['time-scale'] ?? '1'),
    loop: values.loop === true,
    ports: 'default',
    ...(basePort === undefined ? {} : { basePort }),
  };
  const simulation = await startSimulation(read.scenario, options);
  process.stdout.write(headOf(simulation, options));
  simulation.on((change) => process.stdout.write(lineOf(change)));
  const end = () => {
    void simulation.stop().then(() => process.exit(0));
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  process.once('SIGHUP', end);
  await simulation.done;
  if (options.loop !== true) process.stdout.write('The timeline is over; the stack stays as it is until Ctrl-C.\n');
}

function headOf({ scenario, targets, controlUrl }: Simulation, options: SimulationOptions): string {
  const rows = targets.map(
    ({ name, role, url, metricsUrl, model }) =>
      `  ${name.padEnd(12)} ${role.padEnd(9)} ${url}  ${model}${role === 'router' && metricsUrl !== undefined ? `  metrics ${metricsUrl}` : ''}`,
  );
  const told = `seed ${options.seed}, speed x${options.speed}${options.timeScale === 1 ? '' : `, time x${options.timeScale}`}, lasts ${scenario.lasts} s${options.loop === true ? ', then again' : ''}`;
  return `${scenario.id}: ${scenario.title} (${told})\n${rows.join('\n')}\n  what was done so far: ${controlUrl}/timeline\n`;
}

function lineOf({ at, wall, text }: Change): string {
  return `${new Date(wall).toTimeString().slice(0, 8)}  +${at.toFixed(0).padStart(4)} s  ${text}\n`;
}

function listed(): string {
  const rows = Object.entries(ACTIONS).map(([name, { params, about }]) => {
    const args = Object.entries<{ kind: unknown; or?: unknown; optional?: boolean }>(params).map(([arg, { kind, or, optional }]) => {
      const values = Array.isArray(kind) ? kind.join('|') : String(kind);
      return `${arg}: ${values}${or === undefined ? '' : ` = ${String(or)}`}${optional === true ? '?' : ''}`;
    });
    return `${name}(${args.join(', ')})\n    ${about}\n`;
  });
  return `${rows.join('')}\nEvery action also takes for: SECONDS (undone after that) and off: true (undoes it now).\nA line: [60, fe.hang, { fe: router }], by position [60, fe.hang, router]; "300..600" for a moment that the seed chooses.\n`;
}

function numberOf(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0 || text.trim() === '') throw new Error(`${flag}: "${text}" is no number; ${USAGE}`);
  return value;
}
