import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// Does what a scenario file tells to a stack that exists, and outlives the runner until everything is healed. Orders are lines of JSON on the
// standard input: {do, command, heal}, {undo}. When that input ends, by the end of the run, by Ctrl-C or because the runner was killed, all that
// is still to be healed is healed, the newest first.
const HEAL_LIMIT_MS = 300_000;
const STOP_LIMIT_MS = 5_000;
const TAIL = 400;
const [folder, log] = process.argv.slice(2);
const deeds = new Map();
let last = Promise.resolve();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.stdout.on('error', () => {});

createInterface({ input: process.stdin })
  .on('line', (line) => order(JSON.parse(line)))
  .on('close', () => {
    for (const id of [...deeds.keys()].reverse()) inTurn(() => undo(id));
    inTurn(() => process.exit());
  });

function order(one) {
  if (one.undo !== undefined) inTurn(() => undo(one.undo));
  else act(one);
}

/** Heals run one at a time, in the order in which they are due. */
function inTurn(work) {
  last = last.then(work, work);
}

function act({ do: id, command, heal }) {
  const deed = { heal, isOver: false, isUndone: false };
  deeds.set(id, deed);
  const { child, over } = shell(command);
  deed.group = child.pid;
  deed.over = over.then(({ code, tail }) => {
    deed.isOver = true;
    if (!deed.isUndone) say({ id, ended: code, tail });
  });
}

async function undo(id) {
  const deed = deeds.get(id);
  if (deed === undefined) return;
  deeds.delete(id);
  deed.isUndone = true;
  if (!deed.isOver) await stop(deed);
  if (deed.heal === undefined) return say({ id, healed: 0, tail: '' });
  const { child, over } = shell(deed.heal);
  const limit = setTimeout(() => kill(child.pid, 'SIGKILL'), HEAL_LIMIT_MS);
  const { code, tail } = await over;
  clearTimeout(limit);
  say({ id, healed: code, tail });
}

async function stop({ group, over }) {
  kill(group, 'SIGTERM');
  const force = setTimeout(() => kill(group, 'SIGKILL'), STOP_LIMIT_MS);
  await over;
  clearTimeout(force);
}

function shell(command) {
  note(`$ ${command}\n`);
  const child = spawn('/bin/sh', ['-c', command], { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let tail = '';
  const hear = (chunk) => {
    note(String(chunk));
    tail = (tail + chunk).slice(-TAIL);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const over = new Promise((resolve) => {
    // Not `close`: what the command leaves running in the background may hold its output open.
    child.once('exit', (code, signal) => setImmediate(() => resolve({ code: code ?? signal, tail: tail.trim() })));
    child.once('error', (error) => resolve({ code: 'no shell', tail: error.message }));
  });
  return { child, over };
}

function kill(group, signal) {
  try {
    process.kill(-group, signal);
  } catch {
    // It has ended by itself.
  }
}

function note(text) {
  try {
    appendFileSync(log, text);
  } catch {
    // A full disk must not keep us from healing.
  }
}

function say(told) {
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
