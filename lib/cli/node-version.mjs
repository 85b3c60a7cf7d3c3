// Imported first by each command, and written in old syntax, so that an old Node tells what is wrong instead of failing on something newer.
const wanted = [20, 19];
const running = process.versions.node.split('.').map(Number);
const isOld = running[0] < wanted[0] || (running[0] === wanted[0] && running[1] < wanted[1]);

if (isOld) {
  console.error(
    `Wedgewatch needs Node ${wanted.join('.')} or newer, and this is Node ${process.versions.node}; install a newer one from https://nodejs.org and try again.`,
  );
  process.exit(1);
}
