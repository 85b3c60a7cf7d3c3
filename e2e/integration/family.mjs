// A command with two children, each with a child of its own; the second family is deaf to being asked.
import { spawn } from 'node:child_process';
import { children } from '../../lib/cli/children.mjs';

for (const deaf of ['', 'trap "" TERM INT HUP; ']) {
  children.adopt(spawn('sh', ['-c', `${deaf}sleep 1000 & echo $$ $!; wait; wait`], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }), 'a family');
}
