import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../cost/free-port';
import { chatText } from './ask';
import { type Baseline, everyPeriod, inARow } from './baseline';

const PROGRAM = 'prometheus-blackbox-exporter';
const PERIOD_S = 10;
const TIMEOUT_S = 10;
const STARTS_MS = 5_000;

/** The real exporter as the distribution ships it; only its time-outs are divided by the factor on time. */
export const blackbox: Baseline = {
  id: 'blackbox',
  name: 'blackbox exporter, chat',
  isInProcess: false,
  settings: `${PROGRAM} posts a chat through each front-end each ${PERIOD_S} s, time-out ${TIMEOUT_S} s; down at the first probe_success 0`,
  missing: () => (isInstalled() ? undefined : `${PROGRAM} is not installed`),
  async start({ fronts }, clock, say) {
    const dir = mkdtempSync(join(tmpdir(), 'wedgewatch-blackbox-'));
    const config = join(dir, 'blackbox.yml');
    const modules = fronts.map(({ model }, i) => [`front${i}`, moduleFor(model, TIMEOUT_S / clock.scale)]);
    writeFileSync(config, JSON.stringify({ modules: Object.fromEntries(modules) }));
    const port = await freePort();
    const exporter = spawn(PROGRAM, [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'], { stdio: 'ignore' });
    exporter.once('error', () => undefined);
    await answers(port);
    const stops = fronts.map(({ name, url }, i) => {
      const took = inARow(1, (isDown) => say(name, isDown));
      const target = encodeURIComponent(`${url}/v1/chat/completions`);
      return everyPeriod(clock, PERIOD_S, async () => {
        const page = await read(`http://127.0.0.1:${port}/probe?module=front${i}&target=${target}`);
        if (page !== undefined) took(/^probe_success 1$/m.test(page));
      });
    });
    return () => {
      for (const stop of stops) stop();
      exporter.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    };
  },
};

/** YAML reads JSON: the module is written as that. */
function moduleFor(model: string, seconds: number) {
  const headers = { 'Content-Type': 'application/json' };
  return { prober: 'http', timeout: `${Math.round(seconds * 1000)}ms`, http: { method: 'POST', headers, body: chatText(model, false) } };
}

function isInstalled(): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, PROGRAM), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

async function answers(port: number): Promise<void> {
  const until = Date.now() + STARTS_MS;
  while ((await read(`http://127.0.0.1:${port}/-/healthy`)) === undefined) {
    if (Date.now() > until) throw new Error(`${PROGRAM} did not answer within ${STARTS_MS / 1000} s of its start`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function read(url: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const req = get(url, { agent: false }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => {
        text += chunk;
      });
      res.on('error', () => resolve(undefined));
      res.on('end', () => resolve(res.statusCode === 200 ? text : undefined));
    });
    req.on('error', () => resolve(undefined));
  });
}
