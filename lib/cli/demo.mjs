import './node-version.mjs';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { answers, echo, startApp } from './app.mjs';
import { children } from './children.mjs';
import { demoConfig, demoPorts } from './demo-stack.mjs';
import { take } from './lock.mjs';
import { nextFree } from './ports.mjs';
import { built, DATA, folder, installed, ROOT, TSX } from './ready.mjs';
import { command, problem, say, tail } from './say.mjs';

const HOST = '127.0.0.1';
const HELP = `npm run demo [-- --port N] [--seed N] [--speed X] [--time-scale S] [--base-port P] [--data DIR]

Starts a simulated stack (two front-ends, a prefill and a decode engine) and the app watching it.
  --port N        where the app listens, 3030 or the next free port
  --base-port P   first of five ports for the simulated stack; its usual ports or the next free ones
  --seed N        another run of the same story
  --speed X       slower (4) or faster (0.5) engines
  --time-scale S  the story S times faster; the app's deadlines shrink with it
  --data DIR      where its history is kept between runs, .wedgewatch/demo`;

command(async () => {
  const options = readOptions();
  if (options.help) return say(HELP);
  await installed();
  await built();
  const data = ownFolder(options.data === undefined ? join(DATA, 'demo') : resolve(options.data));
  const ports = await demoPorts(options['base-port']);
  const port = await appPort(Number(options.port ?? 3030), options.port !== undefined);
  const configFile = join(data, 'wedgewatch.yaml');
  writeFileSync(configFile, demoConfig(ports, { data, listen: `${HOST}:${port}` }));

  const simulator = startSimulator(ports, options, join(data, 'simulator.log'));
  if (!(await answers(`http://${HOST}:${ports.router}/health`, simulator)))
    throw await failed('The simulated stack did not start', join(data, 'simulator.log'));
  const scale = options['time-scale'];
  const env = { WEDGEWATCH_CONFIG: configFile, ...(scale ? { WEDGEWATCH_TIME_SCALE: scale, WEDGEWATCH_BENCH: '1' } : {}) };
  return watch({ simulator, data, port, env });
});

function readOptions() {
  const text = { type: 'string' };
  try {
    const options = { help: { type: 'boolean', short: 'h' }, port: text, seed: text, speed: text, 'base-port': text, 'time-scale': text, data: text };
    const { values } = parseArgs({ options });
    for (const [name, value] of Object.entries(values)) if (name !== 'help' && name !== 'data') check(name, Number(value));
    return values;
  } catch (error) {
    throw problem(`${error.message}\n\n${HELP}`, 2);
  }
}

function check(name, value) {
  if (!(value > 0)) throw new Error(`--${name}: a number above 0 is wanted`);
  if (name.endsWith('port') && !(Number.isInteger(value) && value <= 65_000)) throw new Error(`--${name} ${value}: a whole number up to 65000 is wanted`);
}

/** The folder, or one beside it when another demo that still runs keeps its history there. */
function ownFolder(wanted) {
  for (let number = 1; ; number += 1) {
    const path = folder(number === 1 ? wanted : `${wanted}-${number}`);
    const holder = take(join(path, 'running'));
    if (holder === undefined) return path;
    say(`Another demo (process ${holder}) keeps its history in ${path}.`);
  }
}

async function appPort(wanted, isAsked) {
  const port = await nextFree(wanted, HOST);
  if (port === undefined) throw problem(`No port from ${wanted} upwards is free on ${HOST}; name another with --port N.`);
  if (port !== wanted) say(`Port ${wanted} is taken${isAsked ? '' : ' (another Wedgewatch?)'}; the app takes ${port}.`);
  return port;
}

function startSimulator(ports, options, log) {
  const own = ['seed', 'speed', 'time-scale'].flatMap((name) => (options[name] ? [`--${name}`, options[name]] : []));
  const base = ports.base === undefined ? [] : ['--base-port', String(ports.base)];
  const args = ['--import', TSX, 'lib/simulator/main.ts', 'lib/scenarios/incident.yaml', '--loop', ...base, ...own];
  const child = spawn(process.execPath, args, { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  echo(children.adopt(child, 'the simulator'), 'simulator', log);
  return child;
}

/** Runs the app beside the simulator until one of them is gone for good; answers the exit code. */
async function watch({ simulator, data, port, env }) {
  const log = join(data, 'app.log');
  const url = `http://${HOST}:${port}/`;
  const simulatorGone = gone(simulator).then((how) => ({ simulator: true, how }));
  for (let told = false; ; told = true) {
    const began = performance.now();
    const app = startApp({ host: HOST, port, env, log });
    const up = answers(url, app).then((isUp) => {
      if (isUp && !told && !children.isStopping) welcome(url);
      return isUp;
    });
    const first = await Promise.race([simulatorGone, gone(app).then((how) => ({ how, isKilled: how.startsWith('SIG') }))]);
    if (children.isStopping) return new Promise(() => {});
    if (first.simulator) throw await failed(`The simulated stack ended by itself (${first.how})`, join(data, 'simulator.log'));
    const isBroken = performance.now() - began < 5000 && !(first.isKilled && (await up));
    if (isBroken) throw await failed(`The app ended soon after its start (${first.how})`, log);
    say(`\nThe app ended (${first.how}); starting it again. Its history is kept in ${data}.`);
  }
}

function gone(child) {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)));
}

async function failed(what, log) {
  await children.stopAll();
  return problem(`${what}; everything else was stopped.\n\n${tail(log)}\n\nAll of it: ${log}`);
}

function welcome(url) {
  say(`
  Wedgewatch is at  ${url}

  What will happen, over and over (each change is printed here with its time):
    0:00  quiet              both front-ends answer
    0:40  load               users come; queues move
    1:20  aborted requests   a large job is cancelled
    1:30  decode wedges      health goes on saying 200; within half a minute the page says hanging @ decode
    3:30  healed             it clears by itself
    8:30  and round again

  Ctrl-C stops everything.
`);
}
