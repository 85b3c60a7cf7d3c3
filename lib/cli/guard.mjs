import { readdirSync, readFileSync } from 'node:fs';

// Outlives a command that is killed without warning, and then ends what the command had started. It is told of process groups on its standard
// input (`+pid`, `-pid`) and acts when that input ends; a child too young to have been told of is known by the mark in its environment.
const mark = `WEDGEWATCH_FAMILY=${process.env.WEDGEWATCH_FAMILY}\0`;
const groups = new Set();
let rest = '';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) line.startsWith('+') ? groups.add(Number(line.slice(1))) : groups.delete(Number(line.slice(1)));
});
process.stdin.on('error', end);
process.stdin.on('end', end);

function end() {
  signalAll('SIGTERM');
  if (groups.size === 0 && marked().length === 0) process.exit();
  setTimeout(() => {
    signalAll('SIGKILL');
    process.exit();
  }, 1500);
}

function signalAll(signal) {
  for (const group of groups) if (!send(-group, signal)) groups.delete(group);
  for (const pid of marked()) send(pid, signal);
}

function marked() {
  return pids().filter((pid) => pid !== process.pid && environment(pid).includes(mark));
}

function pids() {
  try {
    return readdirSync('/proc').map(Number).filter(Boolean);
  } catch {
    return [];
  }
}

function environment(pid) {
  try {
    return `${readFileSync(`/proc/${pid}/environ`, 'utf8')}\0`;
  } catch {
    return '';
  }
}

function send(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
