// Outlives a command that is killed without warning, and then ends what the command had started: told of process groups on its standard
// input (`+pid`, `-pid`), it acts when that input ends.
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
  if (groups.size === 0) process.exit();
  setTimeout(() => {
    signalAll('SIGKILL');
    process.exit();
  }, 1500);
}

function signalAll(signal) {
  for (const group of groups) {
    try {
      process.kill(-group, signal);
    } catch {
      groups.delete(group);
    }
  }
}
