import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultConfig, loadConfig } from '../config';
import type { Config } from '../model/config';
import { searchHost } from './search';
import { looked, minimalConfig, plan } from './words';

/** What start.mjs needs for starting the app; written as JSON into the file named by the first argument. */
export type Choice = { host: string; port: number; data: string; env: Record<string, string> };

const HELP = `npm start [-- --config FILE] [--port N] [--no-probe]

Watches the stack of wedgewatch.yaml, of --config FILE or of WEDGEWATCH_CONFIG; without any of them, the stack found on this host.
  --port N     where to listen, instead of the port of \`listen\`
  --no-probe   only look: read metrics and health, send no chat`;

const [resultFile = '', ...argv] = process.argv.slice(2);
process.exitCode = await main();

async function main(): Promise<number> {
  const options = read();
  if (typeof options === 'string') return told(options, 2);
  if (options.help) return told(HELP, -1);
  const loaded = loadConfig({ argv, env: process.env, cwd: process.cwd() });
  if ('config' in loaded) return chose(loaded.config, options, { WEDGEWATCH_CONFIG: resolve(process.cwd(), loaded.config.source) });
  if (!loaded.absent) return told(`The configuration cannot be used:\n${loaded.errors.map((error) => `  ${error}`).join('\n')}`, 1);
  console.log('There is no wedgewatch.yaml; looking for a stack on this host ...');
  const found = await searchHost();
  if (found.stacks.length === 0) return told(`${looked(found.sentences)}\n\n${minimalConfig()}`, 2);
  const config = defaultConfig(found.stacks, { argv, cwd: process.cwd() });
  console.log(looked(found.sentences));
  return chose(config, options, { WEDGEWATCH_FOUND: keep(config) });
}

function read() {
  try {
    const options = { help: { type: 'boolean', short: 'h' }, config: { type: 'string' }, port: { type: 'string' }, 'no-probe': { type: 'boolean' } } as const;
    const { values } = parseArgs({ args: argv, options });
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
      return `--port ${values.port}: a whole number from 1 to 65535 is wanted\n\n${HELP}`;
    return { ...values, port };
  } catch (error) {
    return `${error instanceof Error ? error.message : error}\n\n${HELP}`;
  }
}

function chose(config: Config, options: { port?: number; 'no-probe'?: boolean }, env: Record<string, string>): number {
  console.log(plan(config, options['no-probe'] === true));
  const choice: Choice = {
    host: config.listen.host,
    port: options.port ?? config.listen.port,
    data: config.data,
    env: { ...env, ...(options['no-probe'] ? { WEDGEWATCH_NO_PROBE: '1' } : {}) },
  };
  writeFileSync(resultFile, JSON.stringify(choice));
  return 0;
}

function keep(config: Config): string {
  mkdirSync(config.data, { recursive: true });
  const file = join(config.data, 'found.json');
  writeFileSync(file, JSON.stringify(config, null, 2), { mode: 0o600 });
  return file;
}

function told(text: string, code: number): number {
  (code > 0 ? console.error : console.log)(text);
  return Math.max(code, 0);
}
